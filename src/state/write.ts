/** The one way to change the database. */
import type { StateDatabase } from './database.ts';
import { detachSearchIndexes } from './search-index.ts';
import { isContention, isIndexDamage, isSqliteError, toStateError } from './sqlite-errors.ts';

const RETRY_MIN_MS = 20;
const RETRY_MAX_MS = 150;
/** How long SQLite itself may block the event loop for the lock, before we wait without blocking. */
const BLOCKING_WAIT_MS = 50;
const READ_WAIT_MS = 1000;
const PATIENCE_MS = { routine: 20_000, transcript: 60_000 } as const;
const CHECKPOINT_EVERY = 50;
/** Pages of 4 KiB: a write-ahead file longer than this is cut back when nobody reads from it. */
const LONG_LOG_PAGES = 1000;

export interface Writer {
  /**
   * Runs `work` in one transaction; it may run again when the lock was lost, so it must touch nothing but the
   * database. Calls are served in order. `transcript` waits longer for the lock: what was said must not be lost.
   * @throws what `work` throws (rolled back), or AppError `database-locked` and its kin
   */
  run<T>(work: () => T, patience?: keyof typeof PATIENCE_MS): Promise<T>;
  /** Waits for what is queued, folds the write-ahead file into the database. */
  finish(): Promise<void>;
}

const pause = (): Promise<void> =>
  new Promise((done) => setTimeout(done, RETRY_MIN_MS + Math.random() * (RETRY_MAX_MS - RETRY_MIN_MS)));

export function createWriter(database: StateDatabase): Writer {
  const db = database.handle;
  let tail: Promise<unknown> = Promise.resolve();
  let writes = 0;

  function transact<T>(work: () => T): T {
    db.exec(`PRAGMA busy_timeout = ${BLOCKING_WAIT_MS}`);
    try {
      db.exec('BEGIN IMMEDIATE');
      const result = work();
      db.exec('COMMIT');
      return result;
    } catch (error) {
      if (db.isTransaction) db.exec('ROLLBACK');
      throw error;
    } finally {
      db.exec(`PRAGMA busy_timeout = ${READ_WAIT_MS}`);
    }
  }

  /** False when the lock could not be had: the write is then tried again as it was. */
  function detach(): boolean {
    try {
      transact(() => detachSearchIndexes(db));
      return true;
    } catch (error) {
      if (isContention(error)) return false;
      throw toStateError(error, database.path);
    }
  }

  async function persist<T>(work: () => T, patienceMs: number): Promise<T> {
    const deadline = Date.now() + patienceMs;
    let detached = false;
    for (;;) {
      try {
        const result = transact(work);
        writes += 1;
        if (writes % CHECKPOINT_EVERY === 0) checkpoint(database);
        return result;
      } catch (error) {
        const damaged = isIndexDamage(error) && !detached;
        if (!(damaged || isContention(error)) || Date.now() > deadline) throw toStateError(error, database.path);
        if (damaged) detached = detach();
        if (!(damaged && detached)) await pause();
      }
    }
  }

  return {
    run(work, patience = 'routine') {
      const result = tail.then(() => persist(work, PATIENCE_MS[patience]));
      tail = result.catch(() => {}); // its own caller hears of it
      return result;
    },
    async finish() {
      await tail;
      if (db.isOpen && !database.readOnly) checkpoint(database);
    },
  };
}

/** Best effort: what cannot be folded in now will be at the next one. */
function checkpoint(database: StateDatabase): void {
  const db = database.handle;
  try {
    const state = db.prepare('PRAGMA wal_checkpoint(PASSIVE)').get();
    const pages = Number(state?.log ?? 0);
    if (pages <= LONG_LOG_PAGES || Number(state?.checkpointed) < pages) return;
    db.exec('PRAGMA busy_timeout = 0; PRAGMA wal_checkpoint(TRUNCATE)');
  } catch (error) {
    if (!isSqliteError(error)) throw error;
  } finally {
    db.exec(`PRAGMA busy_timeout = ${READ_WAIT_MS}`);
  }
}
