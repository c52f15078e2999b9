/** May this run? Only a clear answer is one. */
import { matchesKey, wrapTextWithAnsi } from '@earendil-works/pi-tui';
import type { ApprovalChoice, Question } from '../../contracts/turn.ts';
import { clampMiddle, visibleText } from '../sanitize.ts';
import type { Theme } from '../theme.ts';
import { LineInput, printable } from './line-input.ts';
import { BoxPanel, isCancel, isEnter } from './panel.ts';

type Approval = Extract<Question, { kind: 'approval' }>;

const LABELS: Readonly<Record<ApprovalChoice, string>> = {
  once: 'Allow once',
  session: 'Allow for this session',
  always: 'Always allow',
  deny: 'Deny',
};
const WORDS: Readonly<Record<string, ApprovalChoice>> = {
  o: 'once',
  once: 'once',
  y: 'once',
  yes: 'once',
  s: 'session',
  session: 'session',
  a: 'always',
  always: 'always',
  d: 'deny',
  deny: 'deny',
  n: 'deny',
  no: 'deny',
};

export interface ApprovalPanelOptions {
  readonly theme: Theme;
  readonly timeoutMs: number;
  /** How long a single letter or digit waits for a second one before it counts: the second makes it a sentence. */
  readonly settleMs: number;
  now(): number;
  settle(choice: ApprovalChoice): void;
  /** Text that was no clear answer goes back to the input line. */
  keepText(text: string): void;
  redraw(): void;
}

export class ApprovalPanel extends BoxPanel {
  readonly #question: Approval;
  readonly #options: ApprovalPanelOptions;
  readonly #deadline: number;
  readonly #text = new LineInput();
  #selected = 0;
  #expanded = false;
  #hint = '';
  #pending: NodeJS.Timeout | undefined;

  constructor(question: Approval, options: ApprovalPanelOptions) {
    super(`Allow ${visibleText(question.tool)}?`, options.theme);
    this.#question = question;
    this.#options = options;
    this.#deadline = options.now() + options.timeoutMs;
  }

  tick(): void {
    if (this.#options.now() >= this.#deadline) this.#settle('deny');
    this.invalidate();
  }

  paste(text: string): void {
    this.#cancelPending();
    this.#text.insert(text);
    this.invalidate();
  }

  handleInput(data: string): void {
    this.#hint = '';
    this.invalidate();
    const move = matchesKey(data, 'up') ? -1 : matchesKey(data, 'down') ? 1 : 0;
    if (isCancel(data)) this.#settle('deny');
    else if (isEnter(data)) this.#enter();
    else if (move !== 0) this.#move(move);
    else if (matchesKey(data, 'tab')) this.#expanded = !this.#expanded;
    else this.#type(data);
  }

  #type(data: string): void {
    const wasEmpty = this.#text.text === '';
    this.#cancelPending();
    if (!this.#text.handleInput(data)) return;
    const choice = wasEmpty ? this.#shortcut(printable(data) ?? '') : undefined;
    if (choice === undefined) return;
    this.#selected = this.#question.choices.indexOf(choice);
    this.#pending = setTimeout(() => {
      this.#settle(choice);
      this.#options.redraw();
    }, this.#options.settleMs);
  }

  #enter(): void {
    const typed = this.#text.text.trim();
    const choice = typed === '' ? (this.#question.choices[this.#selected] ?? 'deny') : this.#shortcut(typed);
    if (choice !== undefined) {
      this.#settle(choice);
      return;
    }
    this.#options.keepText(typed);
    this.#text.clear();
    this.#hint = 'That is no clear yes or no. Your text is kept in the input line; choose below.';
  }

  #shortcut(typed: string): ApprovalChoice | undefined {
    const word = typed.toLowerCase();
    const choice = /^\d$/.test(word) ? this.#question.choices[Number(word) - 1] : WORDS[word];
    return choice !== undefined && this.#question.choices.includes(choice) ? choice : undefined;
  }

  #move(by: number): void {
    const count = this.#question.choices.length;
    this.#selected = (this.#selected + by + count) % count;
    this.#text.clear();
  }

  #cancelPending(): void {
    clearTimeout(this.#pending);
    this.#pending = undefined;
  }

  #settle(choice: ApprovalChoice): void {
    this.#cancelPending();
    this.#options.settle(choice);
  }

  protected override body(width: number): readonly string[] {
    const { theme } = this;
    const wrap = (text: string) => wrapTextWithAnsi(text, width);
    const action = visibleText(this.#question.action).split('\n').flatMap(wrap);
    const shown = this.#expanded ? action : clampMiddle(action, 6, 4);
    const why = this.#question.risks.map((risk) => `⚠ ${visibleText(risk.why)}`);
    const choices = this.#question.choices.map((choice, index) => {
      const line = `${index + 1}. ${LABELS[choice]} (${choice[0]})`;
      return index === this.#selected ? theme.accent(`❯ ${line}`) : `  ${line}`;
    });
    const left = Math.max(0, Math.ceil((this.#deadline - this.#options.now()) / 1000));
    const more = shown.length < action.length ? ' · Tab shows all' : '';
    const typed = this.#text.text === '' ? [] : wrap(`> ${this.#text.draw()}`);
    return [
      ...why.flatMap(wrap).map(theme.warn),
      ...shown,
      ...choices.flatMap(wrap),
      ...typed,
      ...(this.#hint === '' ? [] : wrap(this.#hint).map(theme.warn)),
      ...wrap(`↑↓ Enter · Esc denies · denied in ${left}s${more}`).map(theme.dim),
    ];
  }
}
