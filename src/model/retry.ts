/** Tries again what may succeed the next time: a `ModelClient` around another. Waiting ends with the signal. */
import type { ModelClient, ModelEvent, ModelFailure, ModelRequest } from './client.ts';

export interface RetryOptions {
  /** Further tries after the first. Default 3. */
  readonly maxRetries?: number;
  /** Resolves after the time, or at once when the signal aborts. */
  readonly sleep?: (ms: number, signal: AbortSignal) => Promise<void>;
  /** 0 to 1. */
  readonly random?: () => number;
}

interface Pace {
  /** Seconds. */
  readonly baseS: number;
  readonly maxS: number;
  readonly jitter: number;
}

const NORMAL: Pace = { baseS: 2, maxS: 60, jitter: 0.5 };
const INVALID: Pace = { baseS: 5, maxS: 120, jitter: 0.5 };
/** After the short tries an overloaded provider is given more and more time. */
const OVERLOAD_WAITS_S = [15, 30, 60, 120];
const OVERLOAD_MAX_TRIES = 8;
const MAX_ASKED_WAIT_MS = 120_000;
/** An answer that dies again and again after its first words will not be whole the fourth time. */
const MAX_CUT_RETRIES = 2;

export function createRetryClient(inner: ModelClient, options: RetryOptions = {}): ModelClient {
  const { maxRetries = 3, sleep = interruptibleSleep, random = Math.random } = options;
  return {
    get info() {
      return inner.info;
    },
    async *stream(request, signal) {
      for (let tries = 1; ; tries++) {
        const outcome = yield* oneTry(inner, request, signal);
        const { end, shown } = outcome;
        const failure = end.failure;
        const limit = failure === undefined ? 0 : retriesFor(failure, maxRetries, shown);
        if (failure === undefined || failure.recovery !== 'retry' || tries > limit || signal.aborted) {
          yield end;
          return;
        }
        const waitMs = backOff(failure, tries, random);
        yield { type: 'status', kind: 'retry', text: announce(failure, waitMs, tries, limit) };
        await sleep(waitMs, signal);
        if (signal.aborted) {
          yield { type: 'end', message: { ...end.message, stopReason: 'aborted' } };
          return;
        }
        if (shown) yield { type: 'restart' };
      }
    },
  };
}

type EndEvent = Extract<ModelEvent, { type: 'end' }>;

/** Passes everything on but the end. `shown`: a person saw something of it. */
async function* oneTry(
  inner: ModelClient,
  request: ModelRequest,
  signal: AbortSignal,
): AsyncGenerator<ModelEvent, { end: EndEvent; shown: boolean }> {
  let shown = false;
  for await (const event of inner.stream(request, signal)) {
    if (event.type === 'end') return { end: event, shown };
    if (event.type === 'restart') shown = false;
    else if (event.type !== 'status') shown = true;
    yield event;
  }
  throw new Error('a model stream ended without its end event');
}

function retriesFor(failure: ModelFailure, maxRetries: number, shown: boolean): number {
  if (maxRetries === 0) return 0;
  if (failure.reason === 'overloaded') return Math.max(maxRetries, OVERLOAD_MAX_TRIES - 1);
  return shown ? Math.min(maxRetries, MAX_CUT_RETRIES) : maxRetries;
}

/** @param tries how many have failed, from 1 */
export function backOff(failure: ModelFailure, tries: number, random: () => number = Math.random): number {
  if (failure.retryAfterMs !== undefined && failure.reason !== 'timeout')
    return Math.min(failure.retryAfterMs, MAX_ASKED_WAIT_MS);
  const late =
    failure.reason === 'overloaded' ? OVERLOAD_WAITS_S[Math.min(tries - 4, OVERLOAD_WAITS_S.length - 1)] : undefined;
  if (late !== undefined && tries > 3) return Math.round(late * 1000 * (1 + 0.2 * random()));
  const pace = failure.reason === 'invalid_response' ? INVALID : NORMAL;
  const seconds = Math.min(pace.baseS * 2 ** (tries - 1), pace.maxS);
  return Math.round(seconds * 1000 * (1 + pace.jitter * random()));
}

function announce(failure: ModelFailure, waitMs: number, tries: number, limit: number): string {
  const sentence = failure.message.replace(/[.\s]+$/, '');
  return `${sentence}; trying again in ${Math.max(1, Math.round(waitMs / 1000))} s (${tries} of ${limit}).`;
}

function interruptibleSleep(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) {
      resolve();
      return;
    }
    const done = (): void => {
      clearTimeout(timer);
      signal.removeEventListener('abort', done);
      resolve();
    };
    const timer = setTimeout(done, ms);
    signal.addEventListener('abort', done, { once: true });
  });
}
