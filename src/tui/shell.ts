/** `!command`: a shell command of the person, past the model. */
import { spawn } from 'node:child_process';

const DRAIN_MS = 250;

export interface ShellOptions {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly signal: AbortSignal;
  onOutput(text: string): void;
}

/**
 * @returns the exit code; 130 after an abort, when the whole process group is gone too
 * Resolves when the shell exits, although a background child may hold its output open.
 */
export function runShell(command: string, { cwd, env, signal, onOutput }: ShellOptions): Promise<number> {
  const windows = process.platform === 'win32';
  const { promise, resolve, reject } = Promise.withResolvers<number>();
  const child = spawn(command, {
    cwd,
    env: { ...env, PAGER: 'cat', GIT_PAGER: 'cat' },
    shell: windows ? true : (env.SHELL ?? '/bin/sh'),
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: !windows,
  });
  const stop = () => {
    try {
      if (windows || child.pid === undefined) child.kill();
      else process.kill(-child.pid, 'SIGKILL');
    } catch {
      // it has ended by itself meanwhile
    }
  };
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8');
    stream.on('data', onOutput);
  }
  signal.addEventListener('abort', stop, { once: true });
  child.once('error', reject);
  child.once('exit', (code, killedBy) => {
    signal.removeEventListener('abort', stop);
    const end = () => {
      clearTimeout(late);
      child.stdout.destroy();
      child.stderr.destroy();
      resolve(signal.aborted ? 130 : (code ?? (killedBy === null ? 0 : 128)));
    };
    // The pipe may still hold the last words, or be held by a background child for ever.
    const late = setTimeout(end, DRAIN_MS);
    child.once('close', end);
  });
  if (signal.aborted) stop();
  return promise;
}
