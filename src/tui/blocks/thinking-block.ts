/** What the model thinks, dim, while it thinks. */
import { wrapTextWithAnsi } from '@earendil-works/pi-tui';
import type { ReasoningView } from '../../commands/command.ts';
import { visibleText } from '../sanitize.ts';
import type { Theme } from '../theme.ts';
import { Block } from './block.ts';

const MAX_LINES = 10;

export class ThinkingBlock extends Block {
  readonly #theme: Theme;
  readonly #view: () => ReasoningView;
  #text = '';

  /** @param view read at each drawing, so that `/reasoning` works on what is shown already */
  constructor(theme: Theme, view: () => ReasoningView) {
    super();
    this.#theme = theme;
    this.#view = view;
  }

  append(delta: string): void {
    this.#text += delta;
    this.invalidate();
  }

  protected override draw(width: number): readonly string[] {
    const view = this.#view();
    if (view === 'hide') return [];
    const lines = visibleText(this.#text)
      .trim()
      .split('\n')
      .flatMap((line) => wrapTextWithAnsi(line, Math.max(1, width - 2)));
    const hidden = view === 'clamp' ? Math.max(0, lines.length - MAX_LINES) : 0;
    const shown = hidden === 0 ? lines : [`… ${hidden} earlier lines of thought`, ...lines.slice(hidden)];
    return shown.map((line) => this.#theme.dim(`│ ${line}`));
  }
}
