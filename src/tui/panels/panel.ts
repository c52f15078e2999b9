/** A question that takes the keyboard until it is settled. */
import { type Component, matchesKey, wrapTextWithAnsi } from '@earendil-works/pi-tui';
import { Block } from '../blocks/block.ts';
import type { Theme } from '../theme.ts';

export interface Panel extends Component {
  handleInput(data: string): void;
  /** Input that is no key: a bracketed paste, without its brackets. */
  paste?(text: string): void;
  /** Called every second while it is open. */
  tick?(): void;
}

/** Draws a titled box that is open to the right, so that it costs no width. */
export abstract class BoxPanel extends Block implements Panel {
  protected readonly theme: Theme;
  readonly #title: string;

  constructor(title: string, theme: Theme) {
    super();
    this.#title = title;
    this.theme = theme;
  }

  abstract handleInput(data: string): void;
  protected abstract body(width: number): readonly string[];

  protected override draw(width: number): readonly string[] {
    const inner = Math.max(1, width - 2);
    const edge = this.theme.accent('│ ');
    const title = wrapTextWithAnsi(this.#title, inner).map(this.theme.bold);
    return [
      this.theme.accent('╭─'),
      ...[...title, ...this.body(inner)].map((line) => edge + line),
      this.theme.accent('╰─'),
    ];
  }
}

export function isEnter(data: string): boolean {
  return matchesKey(data, 'enter') || data === '\r';
}

export function isCancel(data: string): boolean {
  return matchesKey(data, 'escape') || matchesKey(data, 'ctrl+c');
}
