/** What one turn counts and remembers while it runs. */
import type { Usage } from '../contracts/message.ts';
import type { Receipt, TurnIO } from '../contracts/turn.ts';
import { createGuardrails, type GuardrailSettings, type Guardrails } from './guardrails.ts';
import { type LiveSession, NO_USAGE } from './live-session.ts';

export interface TurnLimits {
  /** Model calls per turn; `Infinity` for none. */
  readonly maxIterations: number;
  readonly guardrails: GuardrailSettings;
  /** First pause before a repeated empty reply is asked for again, milliseconds; doubles. */
  readonly emptyRetryMs: number;
}

export interface TurnState {
  readonly session: LiveSession;
  readonly io: TurnIO;
  readonly limits: TurnLimits;
  readonly guardrails: Guardrails;
  readonly receipts: Receipt[];
  usage: Usage;
  iterations: number;
  /** Visible text of replies that a later one continues. */
  parts: string[];
  /** Text of a reply that is asked for again: what of it comes again is not shown twice. */
  shownBefore: string;
  /** Text that came along with housekeeping calls only; the answer when nothing follows. */
  fallbackText: string;
  readonly tries: Record<Try, number>;
}

/** Bounded second chances, each counted apart. */
export type Try =
  | 'continuation'
  | 'cutCalls'
  | 'missingCalls'
  | 'announcement'
  | 'unknownTool'
  | 'nudgeAfterTool'
  | 'nudgeAfterReasoning'
  | 'emptyRetry';

const NO_TRIES: Readonly<Record<Try, number>> = {
  continuation: 0,
  cutCalls: 0,
  missingCalls: 0,
  announcement: 0,
  unknownTool: 0,
  nudgeAfterTool: 0,
  nudgeAfterReasoning: 0,
  emptyRetry: 0,
};

export function createTurnState(session: LiveSession, io: TurnIO, limits: TurnLimits): TurnState {
  return {
    session,
    io,
    limits,
    guardrails: createGuardrails(limits.guardrails),
    receipts: [],
    usage: NO_USAGE,
    iterations: 0,
    parts: [],
    shownBefore: '',
    fallbackText: '',
    tries: { ...NO_TRIES },
  };
}

/** Counts a try; false when it was used up. */
export function takeTry(turn: TurnState, kind: Try, max: number): boolean {
  if (turn.tries[kind] >= max) return false;
  turn.tries[kind]++;
  return true;
}

/** After a good round of tools the model has its second chances back. */
export function resetTries(turn: TurnState): void {
  Object.assign(turn.tries, {
    ...NO_TRIES,
    unknownTool: turn.tries.unknownTool,
    announcement: turn.tries.announcement,
  });
}
