/** One holder at a time across processes, by a lock file beside the file it protects. */
import { open, readFile, stat, unlink, utimes } from 'node:fs/promises';
import { hostname } from 'node:os';
import { basename } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { AppError, errorCode } from './errors.ts';
import { randomHex } from './random-hex.ts';

export interface FileLockOptions {
  /** Longest wait for the lock. Default 10,000. */
  readonly timeoutMs?: number;
  /** On abort rejects with its reason while waiting; the work itself is not stopped. */
  readonly signal?: AbortSignal;
}

interface Owner {
  readonly pid: number;
  readonly host: string;
  readonly token: string;
}

const DEFAULT_TIMEOUT_MS = 10_000;
/** A living holder touches its lock more often than this. */
const STALE_MS = 30_000;
const HEARTBEAT_MS = 5_000;
/** How long a lock file may be unreadable: its maker writes it at once after making it. */
const UNREADABLE_MS = 2_000;

/** Tokens that this process holds: a lock with our pid and another token is left from a former process. */
const held = new Set<string>();

/**
 * Runs `work` while holding `<path>.lock`, whose folder must exist, and releases it whatever happens.
 * A lock whose owner is gone is taken over. Not re-entrant: `work` must not lock the same path.
 * @throws AppError `lock-timeout` naming the holder
 */
export async function withFileLock<T>(
  path: string,
  work: () => Promise<T> | T,
  options: FileLockOptions = {},
): Promise<T> {
  const lock = `${path}.lock`;
  const token = await acquire(lock, options);
  const heartbeat = setInterval(() => {
    const now = new Date();
    utimes(lock, now, now).catch(() => {}); // a missed beat is made up by the next
  }, HEARTBEAT_MS);
  heartbeat.unref();
  try {
    return await work();
  } finally {
    clearInterval(heartbeat);
    await release(lock, token);
  }
}

async function acquire(lock: string, { timeoutMs = DEFAULT_TIMEOUT_MS, signal }: FileLockOptions): Promise<string> {
  const owner: Owner = { pid: process.pid, host: hostname(), token: randomHex(16) };
  const deadline = performance.now() + timeoutMs;
  for (let tries = 0; ; tries++) {
    signal?.throwIfAborted();
    held.add(owner.token);
    if (await create(lock, JSON.stringify(owner))) return owner.token;
    held.delete(owner.token);
    if (await removeStale(lock)) continue;
    if (performance.now() >= deadline) throw await timeoutError(lock);
    const base = Math.min(200, 10 * 1.5 ** Math.min(tries, 10));
    await sleep(base * (0.5 + Math.random()), undefined, { signal });
  }
}

async function create(lock: string, content: string): Promise<boolean> {
  try {
    const file = await open(lock, 'wx', 0o600);
    await file.writeFile(content).finally(() => file.close());
    return true;
  } catch (error) {
    if (errorCode(error) === 'EEXIST') return false;
    // Windows answers so for a moment while another process deletes the file.
    if (process.platform === 'win32' && errorCode(error) === 'EPERM') return false;
    throw error;
  }
}

async function release(lock: string, token: string): Promise<void> {
  held.delete(token);
  const current = await readOwner(lock);
  if (current?.token === token) await unlink(lock).catch(() => {}); // gone already means released
}

/** True when the way may be free now. */
async function removeStale(lock: string): Promise<boolean> {
  if (!(await isStale(lock))) return false;
  // Only one process may judge and remove at a time, or a second would remove the lock of the first's successor.
  const reaper = `${lock}.reap`;
  if (!(await create(reaper, ''))) {
    if ((await ageMs(reaper)) > STALE_MS) await unlink(reaper).catch(() => {}); // another remover was faster
    return false;
  }
  try {
    if (await isStale(lock)) await unlink(lock).catch(() => {}); // its owner came back and released it
    return true;
  } finally {
    await unlink(reaper).catch(() => {}); // removed as stale by a very slow machine's neighbour
  }
}

async function isStale(lock: string): Promise<boolean> {
  const owner = await readOwner(lock);
  const age = await ageMs(lock);
  if (age < 0) return false;
  if (!owner) return age > UNREADABLE_MS;
  if (owner.host !== hostname()) return age > STALE_MS;
  if (owner.pid === process.pid) return !held.has(owner.token);
  return !isAlive(owner.pid) || age > STALE_MS;
}

async function readOwner(lock: string): Promise<Owner | undefined> {
  try {
    const value: unknown = JSON.parse(await readFile(lock, 'utf8'));
    if (typeof value !== 'object' || value === null) return undefined;
    const { pid, host, token } = value as Partial<Owner>;
    if (typeof pid !== 'number' || typeof host !== 'string' || typeof token !== 'string') return undefined;
    return { pid, host, token };
  } catch {
    return undefined; // missing, or its maker is just about to write it
  }
}

/** Milliseconds since the lock was last touched; negative when it is not there. */
async function ageMs(path: string): Promise<number> {
  try {
    return Math.max(0, Date.now() - (await stat(path)).mtimeMs);
  } catch {
    return -1; // released meanwhile
  }
}

/** False when no process has this id. One of another user counts as alive. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return errorCode(error) === 'EPERM';
  }
}

async function timeoutError(lock: string): Promise<AppError> {
  const owner = await readOwner(lock);
  const who = owner ? `process ${owner.pid} on ${owner.host}` : 'another process';
  return new AppError('lock-timeout', `${basename(lock, '.lock')} is being written by ${who} and did not get free.`, {
    hint: `Try again; if that process is not Hermes, remove ${lock}.`,
  });
}
