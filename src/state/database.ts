/** Opening `state.db`: the file and its mode, journal, pragmas, layout. */
import { chmodSync, linkSync, mkdirSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { userInfo } from 'node:os';
import { dirname, join, resolve, sep } from 'node:path';
import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { AppError, errorCode } from '../lib/errors.ts';
import { ensureSchema } from './schema.ts';
import { isContention, toStateError } from './sqlite-errors.ts';

const BUSY_TIMEOUT_MS = 1000;
const READ_ONLY_BUSY_TIMEOUT_MS = 5000;
const OPEN_PATIENCE_MS = 10_000;
/** What the write-ahead file is cut back to once its content is in the database. */
const JOURNAL_LIMIT_BYTES = 1_048_576;

export interface OpenOptions {
  /** Absolute path of `state.db`; its folder is made when missing. */
  readonly path: string;
  /** For another profile's file: never created, never changed. */
  readonly readOnly?: boolean;
  /** Configuration key `database.journal_mode`, default `wal`; a file that already uses WAL keeps it. */
  readonly journalMode?: JournalMode;
}

type JournalMode = 'wal' | 'delete' | 'truncate' | 'persist';

export interface StateDatabase {
  readonly path: string;
  readonly handle: DatabaseSync;
  readonly readOnly: boolean;
  /** Sentences for a person about what was found and done while opening. */
  readonly warnings: readonly string[];
  /** A prepared statement, kept for the life of the connection. */
  sql(text: string): StatementSync;
  /** Safe to call twice. */
  close(): void;
}

/** @throws AppError `database-*` or `disk-full`, in one sentence that names the file */
export async function openDatabase(options: OpenOptions): Promise<StateDatabase> {
  refuseRealHomeUnderTest(options.path);
  const warnings: string[] = [];
  const deadline = Date.now() + OPEN_PATIENCE_MS;
  for (;;) {
    try {
      const handle = connect(options, warnings);
      return wrap(handle, options, warnings);
    } catch (error) {
      if (!isContention(error) || Date.now() > deadline) throw toStateError(error, options.path);
      await new Promise((done) => setTimeout(done, 20 + Math.random() * 130));
    }
  }
}

function connect(options: OpenOptions, warnings: string[]): DatabaseSync {
  if (options.readOnly) return openFile(options.path, true);
  prepareFile(options, warnings);
  const handle = openFile(options.path, false);
  try {
    configure(handle, options, warnings);
    ensureSchema(handle, options.path);
    return handle;
  } catch (error) {
    handle.close();
    throw error;
  }
}

function openFile(path: string, readOnly: boolean): DatabaseSync {
  const { DatabaseSync } = sqliteModule();
  return new DatabaseSync(path, { readOnly, timeout: readOnly ? READ_ONLY_BUSY_TIMEOUT_MS : BUSY_TIMEOUT_MS });
}

/** Without looking at or changing what is in it: for salvage. */
export function openRaw(path: string): DatabaseSync {
  return openFile(path, false);
}

/** Loaded on first use; early 24.x releases print a warning that means nothing to a user. */
function sqliteModule(): typeof import('node:sqlite') {
  const emitWarning = process.emitWarning;
  process.emitWarning = () => {};
  try {
    return process.getBuiltinModule('node:sqlite');
  } finally {
    process.emitWarning = emitWarning;
  }
}

function configure(db: DatabaseSync, options: OpenOptions, warnings: string[]): void {
  const wanted = options.journalMode ?? 'wal';
  const mode = chooseJournal(db, wanted);
  // With WAL, NORMAL keeps every committed transaction through the death of the process without an fsync each.
  db.exec(
    `PRAGMA synchronous = ${mode === 'wal' ? 'NORMAL' : 'FULL'}; PRAGMA journal_size_limit = ${JOURNAL_LIMIT_BYTES}`,
  );
  if (mode !== 'wal' && wanted === 'wal') {
    addOnce(
      warnings,
      `The file system of ${options.path} does not support write-ahead logging; a slower journal is used.`,
    );
  }
}

function chooseJournal(db: DatabaseSync, wanted: JournalMode): string {
  const current = String(db.prepare('PRAGMA journal_mode').get()?.journal_mode);
  if (current === 'wal' || current === wanted) return current;
  try {
    return String(db.prepare(`PRAGMA journal_mode = ${wanted}`).get()?.journal_mode);
  } catch (error) {
    if (isContention(error)) throw error;
    return current; // network and FUSE mounts without shared memory
  }
}

/**
 * Sees to it that a file is there, private, and free of a stranger's leftovers. Never opens the database file
 * itself: closing any descriptor of it would drop the locks of other connections in this process.
 */
function prepareFile(options: OpenOptions, warnings: string[]): void {
  const { path } = options;
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  const strayLog = sizeOf(`${path}-wal`) !== undefined;
  const file = statOf(path);
  if (file === undefined) {
    if (strayLog) keepStrayLog(path, warnings);
    createFile(options);
    return;
  }
  if (file.size === 0) noteEmptyFile(path, warnings);
  if (process.platform !== 'win32' && (file.mode & 0o077) !== 0) chmodQuietly(path);
}

/**
 * A new file appears complete or not at all, so that no other process ever meets it half made and an empty one
 * is always a sign of damage.
 */
function createFile(options: OpenOptions): void {
  const { path } = options;
  const draft = `${path}.${process.pid}-${Math.random().toString(36).slice(2)}.new`;
  writeFileSync(draft, '', { mode: 0o600, flag: 'wx' });
  try {
    const handle = openFile(draft, false);
    try {
      handle.exec('PRAGMA synchronous = OFF; PRAGMA journal_mode = MEMORY');
      ensureSchema(handle, path);
      handle.exec('PRAGMA synchronous = NORMAL');
      if (options.journalMode !== 'delete') chooseJournal(handle, 'wal');
    } finally {
      handle.close();
    }
    publish(draft, path);
  } finally {
    for (const suffix of ['', '-wal', '-shm', '-journal']) rmSync(`${draft}${suffix}`, { force: true });
  }
}

function publish(draft: string, path: string): void {
  try {
    linkSync(draft, path);
  } catch (error) {
    if (errorCode(error) === 'EEXIST') return; // another process was first; its file is as good
    if (statOf(path) === undefined) renameSync(draft, path); // file systems without hard links
  }
}

function keepStrayLog(path: string, warnings: string[]): void {
  const aside = `${path}-wal.orphan-${stamp()}`;
  renameSync(`${path}-wal`, aside);
  rmSync(`${path}-shm`, { force: true });
  addOnce(
    warnings,
    `${path} was missing although its write-ahead file was there; that was kept as ${aside} and a new database started.`,
  );
}

function noteEmptyFile(path: string, warnings: string[]): void {
  const aside = `${path}.empty-${stamp()}`;
  writeFileSync(aside, '', { mode: 0o600 });
  addOnce(
    warnings,
    `The session database ${path} was empty (0 bytes) and a new one was started in it; ${aside} marks the time. If you have a backup, put it back in its place.`,
  );
}

function chmodQuietly(path: string): void {
  try {
    chmodSync(path, 0o600);
  } catch {
    // someone else's file that we may use: its mode is theirs to decide
  }
}

function wrap(handle: DatabaseSync, options: OpenOptions, warnings: readonly string[]): StateDatabase {
  const statements = new Map<string, StatementSync>();
  return {
    path: options.path,
    handle,
    readOnly: options.readOnly ?? false,
    warnings,
    sql(text) {
      let statement = statements.get(text);
      if (statement === undefined) {
        statement = handle.prepare(text);
        statements.set(text, statement);
      }
      return statement;
    },
    close() {
      statements.clear();
      if (handle.isOpen) handle.close();
    },
  };
}

/** A test that forgot to set its home must not write into the life of the person who runs it. */
function refuseRealHomeUnderTest(path: string): void {
  if (process.env.VITEST === undefined) return;
  const realHome = join(userInfo().homedir, '.hermes');
  const target = resolve(path);
  if (target !== realHome && !target.startsWith(realHome + sep)) return;
  throw new AppError('database-real-home', `A test tried to open ${target}, which belongs to the person running it.`, {
    hint: 'Give the test a home of its own.',
  });
}

function statOf(path: string): { size: number; mode: number } | undefined {
  return statSync(path, { throwIfNoEntry: false });
}

function sizeOf(path: string): number | undefined {
  return statOf(path)?.size;
}

function addOnce(warnings: string[], text: string): void {
  if (!warnings.includes(text)) warnings.push(text);
}

/** For names of files kept aside: `20260301-091500`, UTC. */
export function stamp(): string {
  return new Date().toISOString().replace(/[-:]/g, '').replace('T', '-').slice(0, 15);
}
