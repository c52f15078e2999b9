/** One of several, found by typing. */
import { fuzzyFilter, matchesKey, truncateToWidth, wrapTextWithAnsi } from '@earendil-works/pi-tui';
import type { ChoiceOption } from '../../commands/command.ts';
import { visibleLine, visibleText } from '../sanitize.ts';
import type { Theme } from '../theme.ts';
import { LineInput } from './line-input.ts';
import { BoxPanel, isCancel, isEnter } from './panel.ts';

const MAX_ROWS = 10;
/** So few options that one digit names each. */
const MAX_NUMBERED = 9;

export interface PickerOptions {
  readonly title: string;
  readonly options: readonly ChoiceOption[];
  /** Enter on text that fits no option answers with the text itself. */
  readonly freeText: boolean;
  readonly theme: Theme;
  settle(value: string | undefined): void;
}

export class PickerPanel extends BoxPanel {
  readonly #options: PickerOptions;
  readonly #text = new LineInput();
  #selected = 0;

  constructor(options: PickerOptions) {
    super(visibleText(options.title), options.theme);
    this.#options = options;
  }

  paste(text: string): void {
    this.#text.insert(text);
    this.#selected = 0;
    this.invalidate();
  }

  handleInput(data: string): void {
    this.invalidate();
    const count = Math.max(1, this.#shown().length);
    const page = matchesKey(data, 'pageUp') ? -MAX_ROWS : matchesKey(data, 'pageDown') ? MAX_ROWS : 0;
    if (isCancel(data)) this.#options.settle(undefined);
    else if (isEnter(data)) this.#enter();
    else if (matchesKey(data, 'up')) this.#selected = (this.#selected - 1 + count) % count;
    else if (matchesKey(data, 'down')) this.#selected = (this.#selected + 1) % count;
    else if (page !== 0) this.#selected = Math.max(0, Math.min(count - 1, this.#selected + page));
    else if (this.#text.handleInput(data)) this.#selected = this.#numberTyped() ?? 0;
  }

  #enter(): void {
    const typed = this.#text.text.trim();
    const free = this.#options.freeText && typed !== '';
    const value = free ? (this.#byNumber(typed)?.value ?? typed) : this.#shown()[this.#selected]?.value;
    if (value !== undefined) this.#options.settle(value);
  }

  get #numbered(): boolean {
    const { freeText, options } = this.#options;
    return freeText || options.length <= MAX_NUMBERED;
  }

  /** Index of the option whose number was typed, where a number is no answer of its own. */
  #numberTyped(): number | undefined {
    const typed = this.#text.text.trim();
    if (this.#options.freeText || !this.#numbered || !/^[1-9]$/.test(typed)) return undefined;
    return Number(typed) <= this.#options.options.length ? Number(typed) - 1 : undefined;
  }

  #byNumber(typed: string): ChoiceOption | undefined {
    return /^\d{1,2}$/.test(typed) ? this.#options.options[Number(typed) - 1] : undefined;
  }

  /** Free text is an answer, so it does not narrow the options down. */
  #shown(): readonly ChoiceOption[] {
    const { options, freeText } = this.#options;
    const typed = this.#text.text.trim();
    if (typed === '' || freeText || this.#numberTyped() !== undefined) return options;
    return fuzzyFilter([...options], typed, (option) => `${option.label} ${option.detail ?? ''}`);
  }

  protected override body(width: number): readonly string[] {
    const { theme } = this;
    const { freeText, options } = this.#options;
    const shown = this.#shown();
    const start = Math.max(0, Math.min(this.#selected - Math.floor(MAX_ROWS / 2), shown.length - MAX_ROWS));
    const typing = freeText && this.#text.text !== '';
    const rows = shown.slice(start, start + MAX_ROWS).map((option, index) => {
      const number = this.#numbered ? `${start + index + 1}. ` : '';
      const detail = option.detail === undefined ? '' : theme.dim(`  ${visibleLine(option.detail)}`);
      const line = `${number}${visibleLine(option.label)}`;
      const chosen = start + index === this.#selected && !typing;
      return truncateToWidth(chosen ? theme.accent(`❯ ${line}`) + detail : `  ${line}${detail}`, width, '…');
    });
    const count = shown.length > MAX_ROWS ? ` · ${this.#selected + 1} of ${shown.length}` : '';
    const hint =
      freeText && options.length === 0 ? 'type an answer' : freeText ? 'or type an answer' : 'type to filter';
    return [
      ...rows,
      ...(shown.length === 0 && !freeText ? [theme.dim('  nothing fits')] : []),
      ...wrapTextWithAnsi(`> ${this.#text.draw()}`, width),
      ...wrapTextWithAnsi(`↑↓ Enter · ${hint} · Esc cancels${count}`, width).map(theme.dim),
    ];
  }
}
