/** Colours by role. With NO_COLOR only weight and slant are left. */
import type { EditorTheme, MarkdownTheme, SelectListTheme } from '@earendil-works/pi-tui';

export type Paint = (text: string) => string;

export interface Theme {
  readonly plain: Paint;
  readonly dim: Paint;
  readonly bold: Paint;
  readonly accent: Paint;
  readonly ok: Paint;
  readonly warn: Paint;
  readonly high: Paint;
  readonly error: Paint;
  readonly added: Paint;
  readonly removed: Paint;
  readonly markdown: MarkdownTheme;
  readonly select: SelectListTheme;
  readonly editor: EditorTheme;
}

export function createTheme(env: Readonly<Record<string, string | undefined>>): Theme {
  const coloured = (env.NO_COLOR ?? '') === '';
  const colour = (code: string): Paint => (coloured ? style(code, '39') : plain);
  const dim = style('2', '22');
  const bold = style('1', '22');
  const italic = style('3', '23');
  const accent = colour('33');
  const code = colour('36');
  const select: SelectListTheme = {
    selectedPrefix: accent,
    selectedText: accent,
    description: dim,
    scrollInfo: dim,
    noMatch: dim,
  };
  return {
    plain,
    dim,
    bold,
    accent,
    ok: colour('32'),
    warn: colour('33'),
    high: coloured ? style('38;5;208', '39') : plain,
    error: colour('31'),
    added: colour('32'),
    removed: colour('31'),
    select,
    editor: { borderColor: dim, selectList: select },
    markdown: {
      heading: (text) => bold(accent(text)),
      link: code,
      linkUrl: dim,
      code,
      codeBlock: plain,
      codeBlockBorder: dim,
      quote: italic,
      quoteBorder: dim,
      hr: dim,
      listBullet: accent,
      bold,
      italic,
      strikethrough: style('9', '29'),
      underline: style('4', '24'),
    },
  };
}

function plain(text: string): string {
  return text;
}

function style(on: string, off: string): Paint {
  return (text) => (text === '' ? '' : `\x1b[${on}m${text}\x1b[${off}m`);
}
