/** Markdown that may still grow: what nothing can change any more is parsed and drawn once. */
import { type Component, Markdown } from '@earendil-works/pi-tui';
import { visibleText } from '../sanitize.ts';
import type { Theme } from '../theme.ts';
import { Block } from './block.ts';
import { compactTables } from './compact-tables.ts';

/** So much is parsed anew with each delta; more is cut where that makes no difference. */
const LIVE_CHARS = 2000;

export class MarkdownBlock implements Component {
  readonly #theme: Theme;
  readonly #settled: MarkdownPart[] = [];
  #live: MarkdownPart;
  #text = '';

  constructor(text: string, theme: Theme) {
    this.#theme = theme;
    this.#live = new MarkdownPart(theme);
    this.append(text);
  }

  append(delta: string): void {
    this.#text += delta;
    const cut = this.#text.length > LIVE_CHARS ? settledLength(this.#text) : 0;
    if (cut > 0) {
      this.#live.setText(this.#text.slice(0, cut));
      this.#settled.push(this.#live);
      this.#live = new MarkdownPart(this.#theme);
      this.#text = this.#text.slice(cut);
    }
    this.#live.setText(this.#text);
  }

  invalidate(): void {
    for (const part of [...this.#settled, this.#live]) part.invalidate();
  }

  render(width: number): readonly string[] {
    if (this.#settled.length === 0) return this.#live.render(width);
    return [
      ...this.#settled.flatMap((part) => [...part.render(width), ' '.repeat(width)]),
      ...this.#live.render(width),
    ];
  }
}

class MarkdownPart extends Block {
  readonly #markdown: Markdown;

  constructor(theme: Theme) {
    super();
    this.#markdown = new Markdown('', 0, 0, theme.markdown);
  }

  /** Sanitised as a whole: a control sequence or a character may be cut between two deltas. */
  setText(text: string): void {
    this.#markdown.setText(visibleText(text).trimEnd());
    this.invalidate();
  }

  protected override draw(width: number): readonly string[] {
    return compactTables(this.#markdown.render(Math.max(1, width)));
  }
}

/** What may reach over a blank line: HTML, formulas, definitions of links and footnotes; and control sequences. */
const REACHES_FAR = /^ {0,3}<|\$\$|\\[[(]|^ {0,3}\[[^\]]*\]:|\x1b|\r/m;
const FENCE = /^ {0,3}(`{3,}|~{3,})(.*)$/;
/** A line that, after a blank one, ends every list, quote and table before it. */
const FRESH_START = /^(?:#{1,6} \S|\p{L})/u;

/**
 * How much of the text, from its beginning, no later text can change: up to the last paragraph or heading that stands
 * free. 0 when there is none.
 */
export function settledLength(text: string): number {
  if (REACHES_FAR.test(text)) return 0;
  let fence: string | undefined;
  let offset = 0;
  let settled = 0;
  let blankBefore = false;
  for (const line of text.split('\n')) {
    const [, mark, info] = FENCE.exec(line) ?? [];
    if (fence === undefined && blankBefore && offset > 0 && FRESH_START.test(line)) settled = offset;
    if (mark !== undefined && fence === undefined) fence = mark;
    else if (mark !== undefined && fence !== undefined && mark.startsWith(fence) && info?.trim() === '')
      fence = undefined;
    blankBefore = line.trim() === '';
    offset += line.length + 1;
  }
  return settled;
}
