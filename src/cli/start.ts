/** Ties a run to the process: streams, signals, last-resort errors, and the way out. */
import { AppError } from '../lib/errors.ts';
import type { CliContext } from './context.ts';
import { dispatch } from './dispatch.ts';
import { interruptedBy, interruptionCode, outputClosed, type StopSignal, stopSignals } from './interruption.ts';
import { createProcessStreams } from './process-streams.ts';
import { takeProfile } from './profile-flag.ts';
import { reportFailure } from './report-failure.ts';

/** The same signal twice within this time means "now". */
const FORCE_WITHIN_MS = 2_000;
/** A run that was asked to stop and has not after this time is ended. */
const STOP_GRACE_MS = 10_000;

/** Runs the command and ends the process with its exit code. */
export async function start(
  argv: readonly string[],
  version: string,
  openInteractive?: CliContext['openInteractive'],
): Promise<void> {
  const stopping = new AbortController();
  const streams = createProcessStreams(() => stopping.abort(outputClosed()));
  let profile: string | undefined;
  const fail = (error: unknown) => reportFailure(error, { env: process.env, profile, stderr: streams.stderr });
  const end = async (code: number) => {
    await streams.flush();
    process.exit(interruptionCode(stopping.signal) ?? (code || Number(process.exitCode ?? 0)));
  };
  watchSignals(stopping);
  process.on('uncaughtException', (error) => void fail(error).then(end));
  process.on('unhandledRejection', (error) => void fail(error).then(end));
  process.once('beforeExit', () => void fail(new Error('The run ended before its work was finished.')).then(end));

  let code: number;
  try {
    const taken = takeProfile(argv);
    profile = taken.profile;
    code = await dispatch(taken.args, createContext(), version);
  } catch (error) {
    code = interruptionCode(stopping.signal) ?? (await fail(error));
  }
  await end(code);

  function createContext(): CliContext {
    return {
      env: process.env,
      cwd: workingFolder(),
      profile,
      get stdin() {
        return streams.stdin;
      },
      get stdout() {
        return streams.stdout;
      },
      get stderr() {
        return streams.stderr;
      },
      get inputKind() {
        return streams.inputKind;
      },
      signal: stopping.signal,
      openInteractive,
    };
  }
}

function workingFolder(): string {
  try {
    return process.cwd();
  } catch (error) {
    throw new AppError('no-folder', 'The folder you are in is no longer there.', {
      hint: 'Go to another one, for example with `cd ~`.',
      cause: error,
    });
  }
}

function watchSignals(stopping: AbortController): void {
  const last = new Map<StopSignal, number>();
  for (const signal of stopSignals) {
    process.on(signal, () => {
      const now = performance.now();
      const interruption = interruptedBy(signal);
      const before = last.get(signal);
      if (before !== undefined && now - before < FORCE_WITHIN_MS) process.exit(interruption.exitCode);
      last.set(signal, now);
      if (stopping.signal.aborted) return;
      stopping.abort(interruption);
      setTimeout(() => process.exit(interruption.exitCode), STOP_GRACE_MS).unref();
    });
  }
}
