/** What to do with a reply that holds neither text nor a call: a ladder of bounded second chances. */
import { setTimeout as sleep } from 'node:timers/promises';
import { type TurnState, takeTry } from './turn-state.ts';

export type EmptyStep =
  /** Use this text: the model had already given its answer. */
  | { readonly kind: 'reuse'; readonly text: string }
  /** Ask again after this hidden message. */
  | { readonly kind: 'nudge'; readonly text: string }
  /** Ask again as it was. */
  | { readonly kind: 'again' }
  | { readonly kind: 'give-up' };

const NUDGE_AFTER_TOOL = 'You got the tool results above but wrote nothing. Go on with the task, or give the answer.';
const NUDGE_AFTER_REASONING = 'You reasoned but wrote no answer. Write the answer now.';
const MAX_RETRIES = 3;
const MAX_PAUSE_MS = 60_000;

export async function emptyReplyStep(turn: TurnState, reasoned: boolean): Promise<EmptyStep> {
  if (turn.fallbackText !== '') return { kind: 'reuse', text: turn.fallbackText };
  const recent = turn.session.history.slice(-5);
  if (recent.some(({ role }) => role === 'toolResult') && takeTry(turn, 'nudgeAfterTool', 1))
    return { kind: 'nudge', text: NUDGE_AFTER_TOOL };
  if (reasoned && takeTry(turn, 'nudgeAfterReasoning', 2)) return { kind: 'nudge', text: NUDGE_AFTER_REASONING };
  if (!takeTry(turn, 'emptyRetry', MAX_RETRIES)) return { kind: 'give-up' };
  const base = Math.min(turn.limits.emptyRetryMs * 2 ** (turn.tries.emptyRetry - 1), MAX_PAUSE_MS);
  turn.io.emit({ type: 'status', kind: 'retry', text: 'The model gave an empty answer; asking again.' });
  // An abort ends the pause; the loop sees it at its top.
  await sleep(base + Math.random() * base * 0.5, undefined, { signal: turn.io.signal }).catch(() => undefined);
  return { kind: 'again' };
}
