/** Commands on this machine: one shell per command, plain pipes, its own process group, no terminal. */
import type { ChildProcess } from 'node:child_process';
import { existsSync, statSync } from 'node:fs';
import { constants } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { StringDecoder } from 'node:string_decoder';
import { AppError, errorText } from '../lib/errors.ts';
import type { ExecOptions, ExecResult, ExecutionBackend } from './backend.ts';
import { drained } from './drain.ts';
import { endGroup, onHostEnd, signalGroup } from './process-group.ts';
import { type ShellKind, shellArguments } from './shell-script.ts';
import { createShellStates } from './shell-state.ts';

export interface LocalBackendOptions {
  /** Absolute paths tried in order; default: bash, then sh. */
  readonly shells?: readonly string[];
  /** Parent of the private folder for carried state; default the system's. */
  readonly tmpDir?: string;
  /** Absolute paths of files that a session's shell sources before its first command; what is missing is skipped. */
  readonly initFiles?: readonly string[];
  /** Between TERM and KILL, milliseconds. */
  readonly graceMs?: number;
}

/** How to start a process that nobody waits for. */
export interface LaunchPlan {
  readonly file: string;
  readonly args: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  /** Call once the process has ended. */
  release(): void;
}

export interface LocalBackend extends ExecutionBackend {
  /** A background command sees what the session carries, and changes nothing of it. */
  plan(
    sessionId: string,
    command: string,
    options: { readonly cwd: string; readonly env: Readonly<Record<string, string>> },
  ): LaunchPlan;
  /** The session goes on under another id (compression). */
  moveSession(from: string, to: string): void;
  forgetSession(sessionId: string): void;
}

export function createLocalBackend(options: LocalBackendOptions = {}): LocalBackend {
  const graceMs = options.graceMs ?? 1000;
  const states = createShellStates(options.tmpDir, options.initFiles);
  /** Groups that may still hold processes: running ones, and those whose output is still held open. */
  const groups = new Set<number>();
  let shell: Shell | undefined;
  let warned = false;
  let unhook: (() => void) | undefined;

  const hook = (): void => {
    unhook ??= onHostEnd(() => {
      for (const group of groups) signalGroup(group, 'SIGKILL');
      states.dispose();
    });
  };

  const exec = async (sessionId: string, command: string, run: ExecOptions): Promise<ExecResult> => {
    if (run.signal.aborted) return { exitCode: 130, timedOut: false, aborted: true, cwd: run.cwd };
    shell ??= findShell(options.shells, run.env.PATH);
    if (shell.kind === 'sh' && !warned) run.onOutput(withoutBash);
    warned = true;
    const cwd = existingFolder(run.cwd);
    if (cwd !== run.cwd) run.onOutput(`[${run.cwd} no longer exists; the command ran in ${cwd}]\n`);
    hook();
    const call = states.begin(sessionId, command, run.env, true);
    try {
      const { spawn } = process.getBuiltinModule('node:child_process');
      const child = spawn(shell.path, shellArguments(shell.kind, { ...call, cwd }), {
        cwd,
        env: call.env,
        stdio: ['ignore', 'pipe', 'ignore'],
        detached: true,
      });
      const end = await watch(child, run, groups, graceMs);
      return { ...end, cwd: call.commit() ?? cwd };
    } finally {
      call.release();
    }
  };

  return {
    id: 'local',
    exec,
    plan: (sessionId, command, { cwd, env }) => {
      shell ??= findShell(options.shells, env.PATH);
      const call = states.begin(sessionId, command, env, false);
      hook();
      const folder = existingFolder(cwd);
      const args = shellArguments(shell.kind, { ...call, cwd: folder });
      return { file: shell.path, args, cwd: folder, env: call.env, release: call.release };
    },
    moveSession: states.move,
    forgetSession: states.forget,
    dispose: async () => {
      await Promise.all([...groups].map((group) => endGroup(group, graceMs)));
      groups.clear();
      states.dispose();
      unhook?.();
      unhook = undefined;
    },
  };
}

interface Shell {
  readonly path: string;
  readonly kind: ShellKind;
}

const usualShells = ['/bin/bash', '/usr/bin/bash', '/usr/local/bin/bash', '/opt/homebrew/bin/bash', '/bin/sh'];

const withoutBash =
  '[bash is not installed, so commands run in sh: functions and aliases do not carry over. Install bash to mend it.]\n';

function findShell(shells: readonly string[] | undefined, path = ''): Shell {
  const onPath = path.split(delimiter).map((folder) => join(folder, 'bash'));
  const candidates = shells ?? [...usualShells.slice(0, 2), ...onPath, ...usualShells.slice(2)];
  const found = candidates.find((file) => file.startsWith('/') && existsSync(file));
  if (found === undefined) {
    throw new AppError('terminal-no-shell', 'No shell was found: neither bash nor sh.', { hint: 'Install bash.' });
  }
  return { path: found, kind: found.endsWith('bash') ? 'bash' : 'sh' };
}

/** The folder itself, or the nearest one above it that exists. */
function existingFolder(path: string): string {
  for (let folder = path; ; folder = dirname(folder)) {
    if (statSync(folder, { throwIfNoEntry: false })?.isDirectory() || folder === dirname(folder)) return folder;
  }
}

type End = Omit<ExecResult, 'cwd'>;

/** Settles at the exit of the process, with all it wrote before, whoever still holds its output. */
function watch(child: ChildProcess, run: ExecOptions, groups: Set<number>, graceMs: number): Promise<End> {
  const { pid, stdout } = child;
  return new Promise((resolve, reject) => {
    if (pid !== undefined) groups.add(pid);
    const decoder = new StringDecoder('utf8');
    const pipe = { bytes: 0, ended: false };
    let stop: 'timedOut' | 'aborted' | undefined;
    let groupEnd: Promise<void> | undefined;
    let settled = false;

    const end = (why: 'timedOut' | 'aborted'): void => {
      if (stop !== undefined || pid === undefined) return;
      stop = why;
      groupEnd = endGroup(pid, graceMs);
    };
    const timer = setTimeout(() => end('timedOut'), run.timeoutMs);
    const onAbort = (): void => end('aborted');
    run.signal.addEventListener('abort', onAbort, { once: true });
    const close = (): void => {
      settled = true;
      clearTimeout(timer);
      run.signal.removeEventListener('abort', onAbort);
    };

    stdout?.on('data', (chunk: Buffer) => {
      if (settled) return; // a background child writes on: read, so that it does not block or break, and drop
      pipe.bytes += chunk.length;
      const text = decoder.write(chunk);
      if (text !== '') run.onOutput(text);
    });
    stdout?.on('end', () => {
      pipe.ended = true;
      if (pid !== undefined && settled) groups.delete(pid);
    });
    stdout?.on('error', () => {
      pipe.ended = true; // nothing more can be read; the exit still comes
    });
    child.on('error', (error) => {
      if (pid !== undefined) return; // a signal that could not be sent
      close();
      reject(new AppError('terminal-spawn', `The shell could not be started: ${errorText(error)}.`, { cause: error }));
    });
    child.on('exit', async (code, signal) => {
      clearTimeout(timer); // a command that ended in time did not time out
      await drained(pipe);
      await groupEnd;
      const rest = decoder.end();
      if (rest !== '') run.onOutput(rest);
      close();
      if (pipe.ended && pid !== undefined) groups.delete(pid);
      else if (stdout && 'unref' in stdout && typeof stdout.unref === 'function') stdout.unref();
      const exitCode = stop === 'timedOut' ? 124 : stop === 'aborted' ? 130 : (code ?? 128 + signalNumber(signal));
      resolve({ exitCode, timedOut: stop === 'timedOut', aborted: stop === 'aborted' });
    });
  });
}

export function signalNumber(signal: NodeJS.Signals | null): number {
  return signal === null ? 0 : constants.signals[signal];
}
