/** After the answer of a one-shot run: waits for background processes whose end the agent wants to hear of. */
import type { App } from '../app.ts';
import type { TurnResult } from '../contracts/turn.ts';
import type { ProcessNotice } from '../terminal/background.ts';
import type { CliContext } from './context.ts';
import { openConfig } from './open-config.ts';

export interface LingerOptions {
  readonly app: App;
  readonly signal: AbortSignal;
  maxWaitMs(): Promise<number>;
  /** Works a notice through as one more turn. */
  run(text: string): Promise<TurnResult>;
  /** Called once when the time is over; the processes that still run end with the application. */
  onGivenUp(running: number): void;
}

/** @returns the last result: of `first`, or of the last turn that a notice led to */
export async function linger(first: TurnResult, options: LingerOptions): Promise<TurnResult> {
  const { app, signal } = options;
  let result = first;
  const notices = createInbox(app, signal);
  const deadline = performance.now() + (await options.maxWaitMs());
  for (;;) {
    const notice = notices.take();
    if (signal.aborted) return result;
    if (notice !== undefined) {
      result = await options.run(notice.text);
      if (result.stop !== 'done') return result;
      continue;
    }
    const running = await awaited(app, result.sessionId);
    if (running === 0) return result;
    if (performance.now() >= deadline) {
      options.onGivenUp(running);
      return result;
    }
    await notices.next(deadline - performance.now());
  }
}

export async function longestWaitMs(ctx: CliContext, ignoreUser: boolean): Promise<number> {
  const { loaded } = await openConfig(ctx, { ignoreUser });
  return loaded.config.terminal.oneshot_completion_wait_seconds * 1000;
}

async function awaited(app: App, sessionId: string): Promise<number> {
  const views = await app.processes.list(sessionId);
  return views.filter(({ status, notifyOnComplete }) => status === 'running' && notifyOnComplete).length;
}

function createInbox(app: App, signal: AbortSignal) {
  const waiting: ProcessNotice[] = [];
  let wake = (): void => {};
  app.processes.listen((notice) => {
    if (notice.kind !== 'complete') return; // nobody waits for what a process prints
    waiting.push(notice);
    wake();
  });
  return {
    take: () => waiting.shift(),
    /** Resolves when there is one, after `ms`, or on abort. */
    async next(ms: number): Promise<void> {
      const woken = Promise.withResolvers<void>();
      wake = () => woken.resolve();
      const timer = setTimeout(wake, ms);
      signal.addEventListener('abort', wake, { once: true });
      if (waiting.length > 0 || signal.aborted) wake();
      await woken.promise;
      clearTimeout(timer);
      signal.removeEventListener('abort', wake);
    },
  };
}
