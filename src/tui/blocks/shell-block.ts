/** A `!command` of the person and what it printed. */
import { wrapTextWithAnsi } from '@earendil-works/pi-tui';
import { clampMiddle, visibleText } from '../sanitize.ts';
import type { Theme } from '../theme.ts';
import { Block } from './block.ts';

const MAX_CHARS = 200_000;
const EDGE_LINES = 100;
const LIVE_LINES = 20;

export class ShellBlock extends Block {
  readonly #command: string;
  readonly #theme: Theme;
  #output = '';
  #ended = '';
  #running = true;

  constructor(command: string, theme: Theme) {
    super();
    this.#command = visibleText(command);
    this.#theme = theme;
  }

  append(text: string): void {
    this.#output = (this.#output + text).slice(-MAX_CHARS);
    this.invalidate();
  }

  /** @param note '' when it went well */
  end(note: string): void {
    this.#running = false;
    this.#ended = note;
    this.invalidate();
  }

  protected override draw(width: number): readonly string[] {
    const wrap = (text: string) => wrapTextWithAnsi(text, Math.max(1, width));
    const output = visibleText(this.#output).trimEnd();
    const all = output === '' ? [] : output.split('\n').flatMap(wrap);
    const shown = this.#running ? all.slice(-LIVE_LINES) : clampMiddle(all, EDGE_LINES, EDGE_LINES);
    const head = wrap(`! ${this.#command}`).map(this.#theme.accent);
    return [...head, ...shown, ...(this.#ended === '' ? [] : wrap(this.#ended).map(this.#theme.error))];
  }
}
