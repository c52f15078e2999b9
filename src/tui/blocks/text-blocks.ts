/** Blocks of finished text. */
import { wrapTextWithAnsi } from '@earendil-works/pi-tui';
import { clampMiddle, visibleText } from '../sanitize.ts';
import type { Paint, Theme } from '../theme.ts';
import { Block } from './block.ts';

/** Plain lines in one colour, wrapped. */
export class NoteBlock extends Block {
  #text: string;
  readonly #paint: Paint;

  constructor(text: string, paint: Paint) {
    super();
    this.#text = visibleText(text);
    this.#paint = paint;
  }

  setText(text: string): void {
    this.#text = visibleText(text);
    this.invalidate();
  }

  protected override draw(width: number): readonly string[] {
    return this.#text.split('\n').flatMap((line) => wrapTextWithAnsi(line, Math.max(1, width)).map(this.#paint));
  }
}

/** What the person sent: its first and last lines. */
export class UserBlock extends Block {
  readonly #text: string;
  readonly #theme: Theme;

  constructor(text: string, theme: Theme) {
    super();
    this.#text = visibleText(text);
    this.#theme = theme;
  }

  protected override draw(width: number): readonly string[] {
    const lines = clampMiddle(this.#text.split('\n'), 2, 2);
    return lines.flatMap((line, index) => {
      const mark = index === 0 ? this.#theme.accent('❯ ') : '  ';
      return wrapTextWithAnsi(line, Math.max(1, width - 2)).map(
        (part, row) => (row === 0 ? mark : '  ') + this.#theme.bold(part),
      );
    });
  }
}
