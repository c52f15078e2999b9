/** Asks for a secret. It is never drawn, and goes nowhere but to who asked. */
import { wrapTextWithAnsi } from '@earendil-works/pi-tui';
import { visibleText } from '../sanitize.ts';
import type { Theme } from '../theme.ts';
import { LineInput } from './line-input.ts';
import { BoxPanel, isCancel, isEnter } from './panel.ts';

export class SecretPanel extends BoxPanel {
  readonly #text = new LineInput();
  readonly #settle: (value: string | undefined) => void;

  constructor(prompt: string, theme: Theme, settle: (value: string | undefined) => void) {
    super(visibleText(prompt), theme);
    this.#settle = settle;
  }

  paste(text: string): void {
    this.#text.insert(text.trim());
    this.invalidate();
  }

  handleInput(data: string): void {
    this.invalidate();
    if (isCancel(data)) this.#settle(undefined);
    else if (isEnter(data)) this.#settle(this.#text.text === '' ? undefined : this.#text.text);
    else this.#text.handleInput(data);
  }

  protected override body(width: number): readonly string[] {
    return [
      ...wrapTextWithAnsi(this.#text.draw('•'), width),
      ...wrapTextWithAnsi('Enter sends · Esc declines · not kept in the conversation', width).map(this.theme.dim),
    ];
  }
}
