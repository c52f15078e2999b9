/** Answers the questions of a turn with panels. */
import type { AnswerTo, ApprovalChoice, Question } from '../contracts/turn.ts';
import { NoteBlock } from './blocks/text-blocks.ts';
import { ApprovalPanel } from './panels/approval-panel.ts';
import type { Modals } from './panels/modals.ts';
import { PickerPanel } from './panels/picker-panel.ts';
import { SecretPanel } from './panels/secret-panel.ts';
import { visibleLine } from './sanitize.ts';
import type { Theme } from './theme.ts';
import type { Transcript } from './turn-view.ts';

export interface QuestionsOptions {
  readonly modals: Modals;
  readonly transcript: Transcript;
  readonly theme: Theme;
  approvalTimeoutMs(): number;
  readonly settleMs: number;
  keepText(text: string): void;
  redraw(): void;
}

const RECORD: Readonly<Record<ApprovalChoice, string>> = {
  once: '✓ Allowed once',
  session: '✓ Allowed for this session',
  always: '✓ Always allowed',
  deny: '✗ Denied',
};

/** Every question settles: with an answer, at its deadline, or when `signal` aborts. */
export function createQuestions(options: QuestionsOptions) {
  const { modals, transcript, theme } = options;
  const record = (text: string, ok: boolean) => transcript.append(new NoteBlock(text, ok ? theme.dim : theme.warn));

  const approve = async (question: Extract<Question, { kind: 'approval' }>, signal: AbortSignal) => {
    const choice = await modals.ask<ApprovalChoice>({
      fallback: 'deny',
      signal,
      guarded: true,
      create: (settle) =>
        new ApprovalPanel(question, {
          theme,
          timeoutMs: options.approvalTimeoutMs(),
          settleMs: options.settleMs,
          now: () => performance.now(),
          settle,
          keepText: options.keepText,
          redraw: options.redraw,
        }),
    });
    record(`${RECORD[choice]}: ${visibleLine(question.action).slice(0, 200)}`, choice !== 'deny');
    return choice;
  };

  const clarify = async (question: Extract<Question, { kind: 'clarify' }>, signal: AbortSignal) => {
    const answer = await modals.ask<string | undefined>({
      fallback: undefined,
      signal,
      guarded: true,
      create: (settle) =>
        new PickerPanel({
          title: question.prompt,
          options: question.options.map((option) => ({ value: option, label: option })),
          freeText: true,
          theme,
          settle,
        }),
    });
    const asked = visibleLine(question.prompt).slice(0, 120);
    record(
      answer === undefined ? `? ${asked} – no answer` : `? ${asked} – ${visibleLine(answer)}`,
      answer !== undefined,
    );
    return answer;
  };

  const secret = async (question: Extract<Question, { kind: 'secret' }>, signal: AbortSignal) => {
    const value = await modals.ask<string | undefined>({
      fallback: undefined,
      signal,
      guarded: true,
      create: (settle) => new SecretPanel(question.prompt, theme, settle),
    });
    record(`🔑 ${visibleLine(question.name)}: ${value === undefined ? 'not given' : 'given'}`, value !== undefined);
    return value;
  };

  return async <Q extends Question>(question: Q, signal: AbortSignal): Promise<AnswerTo<Q>> => {
    const answer =
      question.kind === 'approval'
        ? approve(question, signal)
        : question.kind === 'clarify'
          ? clarify(question, signal)
          : secret(question, signal);
    return (await answer) as AnswerTo<Q>; // each branch above answers its own kind
  };
}
