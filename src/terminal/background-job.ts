/** One background process: its pipes, its state and its end. */
import type { ChildProcess } from 'node:child_process';
import { StringDecoder } from 'node:string_decoder';
import { AppError, errorText } from '../lib/errors.ts';
import type { ProcessView, StartRequest } from './background.ts';
import type { CheckpointEntry } from './checkpoint.ts';
import { cleanOutput } from './clean-output.ts';
import { drained } from './drain.ts';
import { type LaunchPlan, signalNumber } from './local.ts';
import { startedTicks } from './process-tree.ts';
import { createRollingText, type RollingText } from './rolling-text.ts';
import type { Watcher } from './watch-rules.ts';

export interface Job {
  readonly id: string;
  readonly pid: number;
  readonly command: string;
  readonly cwd: string;
  readonly startedAt: number;
  readonly detached: boolean;
  readonly output: RollingText;
  readonly patterns: readonly string[];
  readonly watcher: Watcher;
  /** Resolves when the process has ended and its output is read. */
  readonly gone: Promise<void>;
  sessionId: string;
  status: ProcessView['status'];
  exitCode: number | undefined;
  endedAt: number | undefined;
  notify: boolean;
  /** Somebody has seen the end: no notice about it. */
  endRead: boolean;
  /** Callers that wait for the end and will see it. */
  waiting: number;
  killing: boolean;
  readTo: number;
  /** Looks again at a process whose end nobody tells us. */
  refresh(): ProcessView['status'];
  clean(text: string): string;
  view(): ProcessView;
  until(timeoutMs: number, signal: AbortSignal): Promise<void>;
  write(data: string): Promise<void>;
  closeInput(): void;
}

export interface JobStart {
  readonly id: string;
  readonly child: ChildProcess;
  readonly plan: LaunchPlan;
  readonly request: StartRequest;
  readonly startedAt: number;
  readonly watcher: Watcher;
  readonly now: () => number;
  onLine(job: Job, line: string): void;
  onEnd(job: Job): void;
}

const keptChars = 200_000;
const longestLine = 4000;

/** @throws AppError `terminal-spawn` when the system refuses to start it */
export async function launch(start: JobStart): Promise<Job> {
  const { child, plan, request } = start;
  await started(child, plan);
  const gone = Promise.withResolvers<void>();
  const job = newJob(
    {
      id: start.id,
      pid: child.pid ?? 0,
      command: request.command,
      cwd: plan.cwd,
      startedAt: start.startedAt,
      sessionId: request.sessionId,
      detached: false,
      patterns: request.watchPatterns ?? [],
      notify: request.notifyOnComplete ?? false,
    },
    start.watcher,
    gone.promise,
    child,
  );
  const pipe = { bytes: 0, ended: false };
  const decoder = new StringDecoder('utf8');
  let line = '';
  const take = (text: string): void => {
    job.output.push(text);
    if (job.patterns.length === 0) return;
    const lines = (line + text).split(/\r\n|[\r\n]/);
    line = lines.pop()?.slice(-longestLine) ?? '';
    for (const complete of lines) start.onLine(job, complete);
  };
  child.stdout?.on('data', (chunk: Buffer) => {
    pipe.bytes += chunk.length;
    if (job.endedAt === undefined) take(decoder.write(chunk));
  });
  const onPipeEnd = (): void => {
    pipe.ended = true;
  };
  child.stdout?.on('end', onPipeEnd);
  child.stdout?.on('error', onPipeEnd);
  child.stdin?.on('error', () => {
    job.closeInput(); // the process does not read any more; the next write says so
  });
  child.on('exit', async (code, signal) => {
    await drained(pipe);
    take(decoder.end());
    if (line !== '') start.onLine(job, line);
    job.exitCode = code ?? 128 + signalNumber(signal);
    job.status = job.killing ? 'killed' : 'exited';
    job.endedAt = start.now();
    plan.release();
    letGo(child); // what it left behind may write on: that is read and dropped, so that it does not break
    if (job.waiting > 0) job.endRead = true;
    gone.resolve();
    start.onEnd(job);
  });
  return job;
}

function letGo({ stdout }: ChildProcess): void {
  if (stdout && 'unref' in stdout && typeof stdout.unref === 'function') stdout.unref();
}

/** A process that a crash left behind. */
export function adopt(entry: CheckpointEntry): Job {
  const facts = {
    id: entry.session_id,
    pid: entry.pid,
    command: entry.command,
    cwd: entry.cwd,
    startedAt: entry.started_at * 1000,
    sessionId: entry.session_key,
    detached: true,
    patterns: [],
    notify: false,
  };
  const job = newJob(facts, { match: () => 'quiet' }, Promise.resolve(), undefined);
  job.refresh = () => {
    if (job.status !== 'running' || startedTicks(entry.pid) === entry.pid_started) return job.status;
    job.status = job.killing ? 'killed' : 'exited';
    job.endedAt = Date.now();
    return job.status;
  };
  return job;
}

function started(child: ChildProcess, plan: LaunchPlan): Promise<void> {
  return new Promise((resolve, reject) => {
    child.once('spawn', resolve);
    child.once('error', (cause) => {
      plan.release();
      reject(new AppError('terminal-spawn', `The process could not be started: ${errorText(cause)}.`, { cause }));
    });
  });
}

type Facts = Pick<
  Job,
  'id' | 'pid' | 'command' | 'cwd' | 'startedAt' | 'sessionId' | 'detached' | 'patterns' | 'notify'
>;

function newJob(facts: Facts, watcher: Watcher, gone: Promise<void>, child: ChildProcess | undefined): Job {
  let inputOpen = child !== undefined;
  const job: Job = {
    ...facts,
    output: createRollingText(keptChars),
    watcher,
    gone,
    status: 'running',
    exitCode: undefined,
    endedAt: undefined,
    endRead: false,
    waiting: 0,
    killing: false,
    readTo: 0,
    refresh: () => job.status,
    clean: cleanOutput,
    view: () => {
      job.refresh();
      const { id, pid, command, startedAt, sessionId, cwd, status, exitCode, endedAt, detached, notify } = job;
      return {
        id,
        pid,
        command,
        startedAt,
        sessionId,
        cwd,
        status,
        exitCode,
        endedAt,
        detached,
        notifyOnComplete: notify,
      };
    },
    until: (timeoutMs, signal) => waitFor(job, timeoutMs, signal),
    write: async (data) => {
      const input = child?.stdin;
      if (job.refresh() !== 'running') throw new AppError('process-ended', `The process ${job.id} has ended.`);
      if (!inputOpen || !input || input.destroyed) {
        throw new AppError('process-input-closed', `The input of ${job.id} is closed.`, {
          hint: 'Start it again to write to it.',
        });
      }
      await new Promise<void>((resolve, reject) => {
        input.write(data, (error) => {
          if (error)
            reject(new AppError('process-input-closed', `${job.id} does not read its input: ${errorText(error)}.`));
          else resolve();
        });
      });
    },
    closeInput: () => {
      inputOpen = false;
      child?.stdin?.end();
    },
  };
  return job;
}

async function waitFor(job: Job, timeoutMs: number, signal: AbortSignal): Promise<void> {
  if (job.refresh() !== 'running' || signal.aborted) return;
  if (job.detached) return waitForDetached(job, timeoutMs, signal);
  const other = Promise.withResolvers<void>();
  const stop = (): void => other.resolve();
  const timer = setTimeout(stop, timeoutMs);
  signal.addEventListener('abort', stop, { once: true });
  await Promise.race([job.gone, other.promise]);
  clearTimeout(timer);
  signal.removeEventListener('abort', stop);
}

async function waitForDetached(job: Job, timeoutMs: number, signal: AbortSignal): Promise<void> {
  const deadline = performance.now() + timeoutMs;
  while (job.refresh() === 'running' && !signal.aborted && performance.now() < deadline) {
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
}
