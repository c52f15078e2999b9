/** `processes.json`: what still runs, so that a crash leaves no process that nobody knows of. */
import { mkdir, readFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { writeFileAtomic } from '../lib/atomic-file.ts';
import { isAlive, withFileLock } from '../lib/file-lock.ts';
import { startedTicks } from './process-tree.ts';

/** Field names of the file. */
export interface CheckpointEntry {
  /** Id of the process in the registry. */
  readonly session_id: string;
  readonly command: string;
  readonly pid: number;
  readonly cwd: string;
  /** Epoch seconds. */
  readonly started_at: number;
  /** The conversation that started it. */
  readonly session_key: string;
  /** The program that holds its output. */
  readonly host_pid: number;
  readonly pid_started?: number | undefined;
}

/** Replaces this program's entries; those of other running programs stay. */
export async function saveCheckpoint(path: string, own: readonly CheckpointEntry[]): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  await withFileLock(path, async () => {
    const others = (await readEntries(path)).filter((entry) => entry.host_pid !== process.pid && isRunning(entry));
    await writeFileAtomic(path, `${JSON.stringify([...others, ...own], null, 2)}\n`);
  });
}

/** Processes that still run although the program that started them is gone. */
export async function findOrphans(path: string): Promise<CheckpointEntry[]> {
  const entries = await readEntries(path);
  return entries.filter((entry) => entry.host_pid !== process.pid && !isAlive(entry.host_pid) && isRunning(entry));
}

/** Without a start time to compare, an id may by now belong to someone else: such a process is not ours. */
function isRunning(entry: Pick<CheckpointEntry, 'pid' | 'pid_started'>): boolean {
  return entry.pid_started !== undefined && startedTicks(entry.pid) === entry.pid_started;
}

async function readEntries(path: string): Promise<CheckpointEntry[]> {
  try {
    const value: unknown = JSON.parse(await readFile(path, 'utf8'));
    return Array.isArray(value) ? value.filter(isEntry) : [];
  } catch {
    return []; // none yet, or unreadable: nothing in it may be trusted
  }
}

function isEntry(value: unknown): value is CheckpointEntry {
  if (typeof value !== 'object' || value === null) return false;
  const entry = value as Partial<Record<keyof CheckpointEntry, unknown>>; // checked on the next line
  return (
    typeof entry.session_id === 'string' &&
    typeof entry.pid === 'number' &&
    typeof entry.command === 'string' &&
    typeof entry.host_pid === 'number'
  );
}
