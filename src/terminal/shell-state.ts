/** What a session's shell carries from one command to the next, kept in one private folder of this process. */
import { appendFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { AppError, errorText } from '../lib/errors.ts';

type Env = Readonly<Record<string, string>>;

interface Carried {
  /** File to source; undefined before the first command has ended well. */
  file: string | undefined;
  env: Env;
}

export interface StateCall {
  readonly commandFile: string;
  readonly stateIn: string;
  readonly stateOut: string;
  /** What the shell is started with: little, once the carried state holds the rest. */
  readonly env: Env;
  /** Adopts the state that the command left, if it is complete. @returns the folder it ended in */
  commit(): string | undefined;
  /** Removes the call's own files. */
  release(): void;
}

export interface ShellStates {
  /** @param keep false for a command whose end nobody waits for: it reads the state and leaves none */
  begin(sessionId: string, command: string, env: Env, keep: boolean): StateCall;
  move(from: string, to: string): void;
  forget(sessionId: string): void;
  dispose(): void;
}

/** @param initFiles sourced, quietly, by a session that carries nothing yet */
export function createShellStates(parentDir: string = tmpdir(), initFiles: readonly string[] = []): ShellStates {
  const carried = new Map<string, Carried>();
  let folder: string | undefined;
  let calls = 0;

  const begin = (sessionId: string, command: string, env: Env, keep: boolean): StateCall => {
    folder ??= privateFolder(parentDir);
    const base = join(folder, String(++calls));
    const commandFile = `${base}.cmd`;
    writeFileSync(commandFile, command.replaceAll('\0', ''), { mode: 0o600 });
    const before = carried.get(sessionId);
    if (before?.file !== undefined) bringUpToDate(before, env);
    const initFile = before?.file === undefined && initFiles.length > 0 ? `${base}.init` : '';
    if (initFile !== '') writeFileSync(initFile, sourceAll(initFiles), { mode: 0o600 });
    const stateOut = keep ? `${base}.state` : '';
    return {
      commandFile,
      stateIn: before?.file ?? initFile,
      stateOut,
      env: before?.file === undefined ? env : unnameable(env),
      commit: () => {
        const cwd = stateOut === '' ? undefined : readFolder(`${stateOut}.cwd`);
        if (cwd === undefined) return undefined;
        const old = carried.get(sessionId)?.file;
        carried.set(sessionId, { file: stateOut, env });
        if (old !== undefined) removeState(old);
        return cwd;
      },
      release: () => {
        rmSync(commandFile, { force: true });
        if (initFile !== '') rmSync(initFile, { force: true });
        if (stateOut !== '' && carried.get(sessionId)?.file !== stateOut) removeState(stateOut);
      },
    };
  };

  return {
    begin,
    move: (from, to) => {
      const state = carried.get(from);
      if (state === undefined) return;
      carried.delete(from);
      carried.set(to, state);
    },
    forget: (sessionId) => {
      const file = carried.get(sessionId)?.file;
      carried.delete(sessionId);
      if (file !== undefined) removeState(file);
    },
    dispose: () => {
      carried.clear();
      if (folder !== undefined) rmSync(folder, { recursive: true, force: true });
      folder = undefined;
    },
  };
}

/** @throws AppError `terminal-temp-dir` */
function privateFolder(parent: string): string {
  try {
    mkdirSync(parent, { recursive: true, mode: 0o700 });
    return mkdtempSync(join(parent, 'hsh-'));
  } catch (error) {
    throw new AppError('terminal-temp-dir', `No temporary files can be made in ${parent}: ${errorText(error)}.`, {
      hint: 'Free space there, or choose another folder: hermes config set terminal.temp_dir PATH',
      cause: error,
    });
  }
}

function sourceAll(files: readonly string[]): string {
  return files.map((file) => `if [ -r ${quote(file)} ]; then . ${quote(file)} >/dev/null; fi\n`).join('');
}

function readFolder(file: string): string | undefined {
  try {
    const text = readFileSync(file, 'utf8');
    return text.startsWith('/') && text.endsWith('\n') ? text.slice(0, -1) : undefined;
  } catch {
    return undefined; // the shell was killed or replaced by `exec`: the older state stays
  }
}

function removeState(file: string): void {
  rmSync(file, { force: true });
  rmSync(`${file}.cwd`, { force: true });
}

const nameable = /^[A-Za-z_][A-Za-z0-9_]*$/;

/** Variables that a shell passes on but cannot list, so no state holds them. */
function unnameable(env: Env): Env {
  const rest: Record<string, string> = {};
  for (const name in env) if (!nameable.test(name)) rest[name] = env[name] ?? '';
  return rest;
}

/** What the caller's environment gained or lost since the last command wins over the carried state. */
function bringUpToDate(state: Carried, env: Env): void {
  if (state.env === env || state.file === undefined) return;
  let changes = '';
  for (const name in env) {
    if (nameable.test(name) && env[name] !== state.env[name]) changes += `export ${name}=${quote(env[name] ?? '')}\n`;
  }
  for (const name in state.env) if (nameable.test(name) && !(name in env)) changes += `unset ${name}\n`;
  if (changes !== '') appendFileSync(state.file, changes);
  state.env = env;
}

function quote(value: string): string {
  return `'${value.replaceAll("'", `'\\''`)}'`;
}
