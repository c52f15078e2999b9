/** What `hermes doctor --fix` does with a damaged database: keeps it, and carries what can be read into a new one. */
import { copyFileSync, renameSync, rmSync, statSync } from 'node:fs';
import type { DatabaseSync, SQLInputValue } from 'node:sqlite';
import { openDatabase, openRaw, type StateDatabase, stamp } from './database.ts';
import { isSqliteError } from './sqlite-errors.ts';

export interface Repair {
  /** Where the damaged file is kept, untouched. */
  readonly aside: string;
  readonly sessions: number;
  readonly messages: number;
}

/** Unreadable rows in a row after which the rest of a table is given up. */
const MAX_GAP = 5000;
const SIDE_FILES = ['-wal', '-shm'] as const;

/** Run it when no other process uses the database. @throws AppError when the folder cannot be written */
export async function repairDatabase(path: string): Promise<Repair> {
  const aside = `${path}.damaged-${stamp()}`;
  const work = `${path}.salvage`;
  for (const suffix of ['', ...SIDE_FILES]) move(`${path}${suffix}`, `${aside}${suffix}`);
  const target = await openDatabase({ path });
  try {
    for (const suffix of ['', '-wal'])
      if (exists(`${aside}${suffix}`)) copyFileSync(`${aside}${suffix}`, `${work}${suffix}`);
    return { aside, ...salvage(work, target) };
  } finally {
    target.close();
    for (const suffix of ['', ...SIDE_FILES]) rmSync(`${work}${suffix}`, { force: true });
  }
}

function salvage(work: string, target: StateDatabase): { sessions: number; messages: number } {
  const source = openRaw(work);
  try {
    target.handle.exec('PRAGMA foreign_keys = OFF; BEGIN IMMEDIATE');
    const sessions = copyTable(source, target.handle, 'sessions', 'rowid');
    const messages = copyTable(source, target.handle, 'messages', 'id');
    adoptOrphans(target.handle);
    target.handle.exec('COMMIT');
    return { sessions, messages };
  } finally {
    source.close();
  }
}

/** Row by row, stepping over what cannot be read. */
function copyTable(source: DatabaseSync, target: DatabaseSync, table: string, key: string): number {
  const shared = sharedColumns(source, target, table);
  if (shared.length === 0) return 0;
  const next = source.prepare(
    `SELECT ${key} AS salvage_key, ${shared.join(', ')} FROM ${table} WHERE ${key} >= ? ORDER BY ${key} LIMIT 1`,
  );
  const insert = target.prepare(
    `INSERT OR IGNORE INTO ${table} (${shared.join(', ')}) VALUES (${shared.map(() => '?').join(', ')})`,
  );
  let copied = 0;
  let position = 0;
  for (let gap = 0; gap < MAX_GAP; ) {
    const row = attempt(() => next.get(position));
    if (row === 'unreadable') {
      gap += 1;
      position += 1;
      continue;
    }
    if (row === undefined) break;
    if (attempt(() => insert.run(...shared.map((name) => row[name] as SQLInputValue))) !== 'unreadable') copied += 1;
    position = Number(row.salvage_key) + 1;
    gap = 0;
  }
  return copied;
}

function sharedColumns(source: DatabaseSync, target: DatabaseSync, table: string): string[] {
  const names = (db: DatabaseSync): string[] => {
    const rows = attempt(() => db.prepare(`PRAGMA table_info(${table})`).all());
    return rows === 'unreadable' ? [] : rows.map((row) => String(row.name));
  };
  const wanted = new Set(names(target));
  return names(source).filter((name) => wanted.has(name));
}

/** Messages whose session was lost get an empty one, so that they can be read and found. */
function adoptOrphans(target: DatabaseSync): void {
  target.exec(`
    INSERT INTO sessions (id, source, started_at, message_count)
      SELECT session_id, 'cli', MIN(timestamp), COUNT(*) FROM messages
      WHERE session_id NOT IN (SELECT id FROM sessions) GROUP BY session_id;
    UPDATE sessions SET parent_session_id = NULL WHERE parent_session_id NOT IN (SELECT id FROM sessions);
    UPDATE sessions SET system_prompt_hash = NULL WHERE system_prompt_hash NOT IN (SELECT hash FROM system_prompts)`);
}

function attempt<T>(work: () => T): T | 'unreadable' {
  try {
    return work();
  } catch (error) {
    if (!isSqliteError(error)) throw error;
    return 'unreadable';
  }
}

function move(from: string, to: string): void {
  if (exists(from)) renameSync(from, to);
}

function exists(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false }) !== undefined;
}
