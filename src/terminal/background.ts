/** Processes that run on after the call that started them: their output, input, end and notices. */

import type { ChildProcess } from 'node:child_process';
import { AppError } from '../lib/errors.ts';
import { randomHex } from '../lib/random-hex.ts';
import type { BackgroundProcess, ProcessState } from './backend.ts';
import { adopt, type Job, launch } from './background-job.ts';
import type { LaunchPlan } from './local.ts';
import { endGroup, onHostEnd, signalGroup } from './process-group.ts';
import { groupsBelow, startedTicks } from './process-tree.ts';
import { createNoticeBudget, createWatcher } from './watch-rules.ts';

export interface StartRequest {
  readonly sessionId: string;
  readonly command: string;
  /** Absolute. */
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  /** One notice when it ends, unless its end has been read by then. */
  readonly notifyOnComplete?: boolean;
  /** A notice when a line of output holds one of these; ignored beside `notifyOnComplete`. */
  readonly watchPatterns?: readonly string[];
}

/** News for a conversation, to be delivered as a new turn. */
export interface ProcessNotice {
  readonly sessionId: string;
  readonly processId: string;
  readonly kind: 'complete' | 'watch';
  /** Complete text for the model, secrets masked. */
  readonly text: string;
}

export interface ProcessView extends BackgroundProcess {
  readonly sessionId: string;
  readonly cwd: string;
  readonly status: ProcessState;
  /** Undefined while it runs, and when nobody saw the end. */
  readonly exitCode: number | undefined;
  readonly endedAt: number | undefined;
  /** Whoever started it is told of its end. */
  readonly notifyOnComplete: boolean;
  /** Found after a crash: it can be watched and killed, its output is lost. */
  readonly detached: boolean;
}

export interface BackgroundOptions {
  plan(sessionId: string, command: string, options: { cwd: string; env: Readonly<Record<string, string>> }): LaunchPlan;
  /** Absolute path of `processes.json`; none is kept when absent. */
  readonly checkpointPath?: string;
  /** Must not throw. */
  onNotice(notice: ProcessNotice): void;
  /** Masks secrets in commands and output that leave the registry. */
  redact(text: string): string;
  /** Between TERM and KILL, milliseconds. */
  readonly graceMs?: number;
  readonly now?: () => number;
}

/** `reference` is a process id or a unique beginning of one; an unknown one throws AppError `process-unknown`. */
export interface BackgroundProcesses {
  /** @throws AppError `too-many-processes`, or `terminal-spawn` when the system refuses */
  start(request: StartRequest): Promise<ProcessView>;
  /** Running ones first, newest first. All sessions' when `sessionId` is absent. */
  list(sessionId?: string): Promise<readonly ProcessView[]>;
  get(reference: string): ProcessView;
  /** Output since the last read, clean and masked. */
  poll(reference: string): { readonly view: ProcessView; readonly output: string };
  /** Lines of what is kept; the last `limit` ones when `offset` is absent. */
  log(reference: string, range?: { readonly offset?: number; readonly limit?: number }): ProcessLog;
  /** Resolves at the end, after `timeoutMs`, or on abort; the view tells which. */
  wait(
    reference: string,
    timeoutMs: number,
    signal: AbortSignal,
  ): Promise<{ readonly view: ProcessView; readonly output: string }>;
  /** @throws AppError `process-input-closed` */
  write(reference: string, data: string): Promise<void>;
  /** End of input. */
  closeInput(reference: string): void;
  /** The whole tree. Resolves when it is gone. */
  kill(reference: string): Promise<ProcessView>;
  killSession(sessionId: string): Promise<number>;
  /** The session goes on under another id (compression). */
  moveSession(from: string, to: string): void;
  /** Ends everything; nothing is notified any more. */
  dispose(): Promise<void>;
}

export interface ProcessLog {
  readonly view: ProcessView;
  readonly output: string;
  readonly totalLines: number;
  /** Number of the first line shown, from 1. */
  readonly firstLine: number;
}

const maxTracked = 64;
const keptMs = 1_800_000;
const noticeChars = 2000;

export function createBackgroundProcesses(options: BackgroundOptions): BackgroundProcesses {
  const now = options.now ?? Date.now;
  const graceMs = options.graceMs ?? 2000;
  const jobs = new Map<string, Job>();
  const budget = createNoticeBudget(now);
  let unhook: (() => void) | undefined;
  let recovered: Promise<void> | undefined;
  let saving: Promise<void> = Promise.resolve();
  let disposed = false;

  const save = (): Promise<void> => {
    const path = options.checkpointPath;
    if (path === undefined) return Promise.resolve();
    const entries = [...jobs.values()]
      .filter((job) => job.status === 'running' && !job.detached)
      .map((job) => ({
        session_id: job.id,
        command: options.redact(job.command),
        pid: job.pid,
        cwd: job.cwd,
        started_at: Math.round(job.startedAt / 1000),
        session_key: job.sessionId,
        host_pid: process.pid,
        pid_started: startedTicks(job.pid),
      }));
    saving = saving
      .then(async () => {
        const { saveCheckpoint } = await import('./checkpoint.ts');
        await saveCheckpoint(path, entries);
      })
      .catch(() => {}); // a home that cannot be written must not end the process it only lists
    return saving;
  };

  const recover = (): Promise<void> => {
    recovered ??= (async () => {
      if (options.checkpointPath === undefined) return;
      const { findOrphans } = await import('./checkpoint.ts');
      for (const entry of await findOrphans(options.checkpointPath))
        if (!jobs.has(entry.session_id)) jobs.set(entry.session_id, adopt(entry));
    })();
    return recovered;
  };

  const prune = (): void => {
    for (const [id, job] of jobs) if (job.endedAt !== undefined && now() - job.endedAt > keptMs) jobs.delete(id);
    const finished = [...jobs.values()].filter((job) => job.status !== 'running');
    while (jobs.size >= maxTracked) {
      const oldest = finished.shift();
      if (oldest === undefined) {
        throw new AppError('too-many-processes', `${maxTracked} background processes are running already.`, {
          hint: 'End some with process kill first.',
        });
      }
      jobs.delete(oldest.id);
    }
  };

  const find = (reference: string): Job => {
    const exact = jobs.get(reference);
    if (exact !== undefined) return exact;
    const matches =
      reference === ''
        ? []
        : [...jobs.values()].filter((job) => job.id.startsWith(reference) || job.id.startsWith(`proc_${reference}`));
    const [only, more] = matches;
    if (only === undefined || more !== undefined) {
      const what =
        more === undefined
          ? `There is no background process ${reference}.`
          : `${reference} fits more than one process.`;
      throw new AppError('process-unknown', what, { hint: 'See them with action list.' });
    }
    return only;
  };

  const shown = (job: Job, text: string): string => options.redact(job.clean(text));

  const notify = (job: Job, kind: ProcessNotice['kind'], text: string): void => {
    if (!disposed) options.onNotice({ sessionId: job.sessionId, processId: job.id, kind, text });
  };

  const onLine = (job: Job, line: string): void => {
    if (job.notify || !job.patterns.some((pattern) => line.includes(pattern))) return;
    const verdict = job.watcher.match();
    if (verdict === 'give-up') job.notify = true;
    if (verdict !== 'notify') return;
    const name = options.redact(job.command);
    notify(
      job,
      'watch',
      `[Background process ${job.id} (${name}) printed a watched line]\n${shown(job, line).slice(0, 500)}`,
    );
  };

  const onEnd = (job: Job): void => {
    void save();
    if (!job.notify || job.endRead || job.status === 'killed') return;
    job.endRead = true;
    const name = options.redact(job.command);
    const tail = shown(job, job.output.text()).slice(-noticeChars);
    notify(
      job,
      'complete',
      `[Background process ${job.id} (${name}) ended with exit code ${job.exitCode ?? 'unknown'}]\n${tail}`,
    );
  };

  const end = async (job: Job): Promise<void> => {
    if (job.refresh() !== 'running') return;
    job.killing = true;
    const strays = groupsBelow(job.pid);
    await Promise.all([job.pid, ...strays].map((group) => endGroup(group, graceMs)));
    await job.gone;
  };

  const read = (job: Job): string => {
    const output = shown(job, job.output.since(job.readTo));
    job.readTo = job.output.total;
    if (job.refresh() !== 'running') job.endRead = true;
    return output;
  };

  const hook = (): void => {
    unhook ??= onHostEnd(() => {
      for (const job of jobs.values()) {
        if (job.status !== 'running' || job.detached) continue;
        for (const group of [job.pid, ...groupsBelow(job.pid)]) signalGroup(group, 'SIGKILL');
      }
    });
  };

  return {
    start: async (request) => {
      await recover();
      prune();
      hook();
      const plan = options.plan(request.sessionId, request.command, { cwd: request.cwd, env: request.env });
      const { spawn } = process.getBuiltinModule('node:child_process');
      const child: ChildProcess = spawn(plan.file, plan.args, {
        cwd: plan.cwd,
        env: plan.env,
        stdio: ['pipe', 'pipe', 'ignore'],
        detached: true,
      });
      const id = `proc_${randomHex(12)}`;
      const job = await launch({
        id,
        child,
        plan,
        request,
        startedAt: now(),
        now,
        watcher: createWatcher(budget, now),
        onLine,
        onEnd,
      });
      jobs.set(id, job);
      await save();
      return job.view();
    },
    list: async (sessionId) => {
      await recover();
      const views = [...jobs.values()].filter(
        (job) => sessionId === undefined || job.sessionId === sessionId || job.detached,
      );
      for (const job of views) job.refresh();
      const rank = (job: Job): number => (job.status === 'running' ? 1 : 0);
      return views.sort((a, b) => rank(b) - rank(a) || b.startedAt - a.startedAt).map((job) => job.view());
    },
    get: (reference) => find(reference).view(),
    poll: (reference) => {
      const job = find(reference);
      const output = read(job);
      return { view: job.view(), output };
    },
    log: (reference, range = {}) => {
      const job = find(reference);
      read(job);
      const lines = shown(job, job.output.text()).replace(/\n$/, '').split('\n');
      const limit = range.limit ?? 200;
      const first =
        range.offset === undefined ? Math.max(0, lines.length - limit) : Math.min(range.offset, lines.length);
      const output = lines.slice(first, first + limit).join('\n');
      return { view: job.view(), output, totalLines: lines.length, firstLine: first + 1 };
    },
    wait: async (reference, timeoutMs, signal) => {
      const job = find(reference);
      job.waiting += 1;
      await job.until(timeoutMs, signal);
      job.waiting -= 1;
      const output = read(job);
      return { view: job.view(), output };
    },
    write: (reference, data) => find(reference).write(data),
    closeInput: (reference) => find(reference).closeInput(),
    kill: async (reference) => {
      const job = find(reference);
      await end(job);
      job.endRead = true;
      return job.view();
    },
    killSession: async (sessionId) => {
      const mine = [...jobs.values()].filter((job) => job.sessionId === sessionId && job.refresh() === 'running');
      await Promise.all(mine.map(end));
      return mine.length;
    },
    moveSession: (from, to) => {
      for (const job of jobs.values()) if (job.sessionId === from) job.sessionId = to;
    },
    dispose: async () => {
      disposed = true;
      const own = [...jobs.values()].filter((job) => !job.detached);
      await Promise.all(own.map(end));
      if (own.length > 0) await save();
      jobs.clear();
      unhook?.();
      unhook = undefined;
    },
  };
}
