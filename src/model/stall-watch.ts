/** Ends a call that hangs: no useful event for too long, or the whole call over its time. */

export interface StallWatch {
  /** Aborts when a timer runs out or the outer signal aborts. */
  readonly signal: AbortSignal;
  /** Something useful arrived. */
  progress(): void;
  /** Which timer ended the call. */
  expired(): 'stale' | 'call' | undefined;
  stop(): void;
}

/** @param limits milliseconds, 0 = no limit */
export function startStallWatch(outer: AbortSignal, limits: { staleMs: number; callMs: number }): StallWatch {
  const controller = new AbortController();
  let expired: 'stale' | 'call' | undefined;
  const expire = (timer: 'stale' | 'call'): void => {
    expired ??= timer;
    controller.abort(new Error(`${timer} timeout`));
  };
  const onOuter = (): void => controller.abort(outer.reason);
  if (outer.aborted) onOuter();
  else outer.addEventListener('abort', onOuter, { once: true });
  const start = (ms: number, timer: 'stale' | 'call') => (ms > 0 ? setTimeout(expire, ms, timer) : undefined);
  const stale = start(limits.staleMs, 'stale');
  const call = start(limits.callMs, 'call');
  return {
    signal: controller.signal,
    progress: () => void stale?.refresh(),
    expired: () => expired,
    stop() {
      clearTimeout(stale);
      clearTimeout(call);
      outer.removeEventListener('abort', onOuter);
    },
  };
}
