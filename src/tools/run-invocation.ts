/** Runs a planned call so that it always ends in an outcome: thrown errors and tools deaf to the signal included. */
import { AppError, describeError, errorText } from '../lib/errors.ts';
import type { PreparedCall } from './prepare.ts';
import { failure, type ToolOutcome } from './tool.ts';

/** How long a tool may take to tidy up after the turn was cancelled. */
const GRACE_MS = 5_000;

export async function runInvocation({ invocation, ctx, name }: PreparedCall): Promise<ToolOutcome> {
  const { signal } = ctx.io;
  if (signal.aborted) return interrupted(name, 'It did not run.');
  const deadline = createGrace(signal);
  try {
    return await Promise.race([
      Promise.resolve().then(() => invocation.run()),
      deadline.expired.then(() => late(name)),
    ]);
  } catch (error) {
    return signal.aborted ? interrupted(name, 'It was stopped midway.') : thrown(error);
  } finally {
    deadline.stop();
  }
}

function interrupted(name: string, what: string): ToolOutcome {
  return failure('interrupted', `The user interrupted ${name}. ${what}`);
}

function late(name: string): ToolOutcome {
  return interrupted(name, 'It did not stop in time and may still be finishing.');
}

function thrown(error: unknown): ToolOutcome {
  if (error instanceof AppError) return failure(error.code, describeError(error));
  const type = error instanceof Error ? error.constructor.name : typeof error;
  return failure('tool-failed', `Tool execution failed: ${type}: ${errorText(error)}`);
}

function createGrace(signal: AbortSignal): { expired: Promise<void>; stop(): void } {
  const { promise, resolve } = Promise.withResolvers<void>();
  let timer: NodeJS.Timeout | undefined;
  const begin = () => {
    timer = setTimeout(resolve, GRACE_MS);
  };
  signal.addEventListener('abort', begin, { once: true });
  return {
    expired: promise,
    stop() {
      clearTimeout(timer);
      signal.removeEventListener('abort', begin);
    },
  };
}
