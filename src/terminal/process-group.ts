/** Signals to whole process groups: a shell, and everything it started that did not leave the group. */
import { groupLives } from './process-tree.ts';

/** @returns false when nothing of the group is left */
export function signalGroup(groupId: number, signal: NodeJS.Signals | 0): boolean {
  try {
    process.kill(-groupId, signal);
    return true;
  } catch (error) {
    // EPERM: alive, but of another user (sudo)
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}

/**
 * Asks the group to end, and after `graceMs` makes it. Resolves when it is gone, or one second after the kill
 * when the system does not let it go.
 */
export async function endGroup(groupId: number, graceMs: number): Promise<void> {
  if (!signalGroup(groupId, 'SIGTERM')) return;
  signalGroup(groupId, 'SIGCONT'); // a stopped process acts on nothing but KILL
  if (await groupGone(groupId, graceMs)) return;
  signalGroup(groupId, 'SIGKILL');
  await groupGone(groupId, 1000);
}

async function groupGone(groupId: number, withinMs: number): Promise<boolean> {
  const deadline = performance.now() + withinMs;
  for (let waitMs = 2; ; waitMs = Math.min(waitMs * 2, 50)) {
    if (!signalGroup(groupId, 0)) return true;
    if (waitMs >= 16 && !groupLives(groupId)) return true;
    if (performance.now() >= deadline) return false;
    await new Promise((resolve) => setTimeout(resolve, waitMs));
  }
}

const endings = new Set<() => void>();
const signals = ['SIGTERM', 'SIGHUP', 'SIGINT'] as const;

/**
 * Runs `end` (synchronous, quick) when this process exits, crashes or is ended by a signal. Signals that the
 * program handles itself stay its own affair: it exits later, and then `end` runs.
 * @returns takes `end` back
 */
export function onHostEnd(end: () => void): () => void {
  if (endings.size === 0) {
    process.on('exit', runEndings);
    for (const signal of signals) process.on(signal, onSignal);
  }
  endings.add(end);
  return () => {
    if (!endings.delete(end) || endings.size > 0) return;
    process.off('exit', runEndings);
    for (const signal of signals) process.off(signal, onSignal);
  };
}

function runEndings(): void {
  for (const end of endings) end();
}

function onSignal(signal: NodeJS.Signals): void {
  if (process.listenerCount(signal) > 1) return;
  runEndings();
  for (const name of signals) process.off(name, onSignal);
  process.kill(process.pid, signal); // nobody else listens: end as if we had not listened either
}
