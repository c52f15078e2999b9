/** Brings a database file to the layout this version works with, and knows cheaply when it already is. */
import type { DatabaseSync } from 'node:sqlite';
import { AppError } from '../lib/errors.ts';
import { ensureSearchIndexes } from './search-index.ts';
import { isStatementError } from './sqlite-errors.ts';
import { essentialColumns, indexes, type Table, tables, uniqueTitleIndex } from './tables.ts';

/** Layout number of the original that our columns and search tables correspond to. */
const BASE_VERSION = 11;

/**
 * Our own layout, counted apart from the original's `schema_version` so that neither skips a step of the other.
 * Raise it with every change to the tables, indexes, triggers or steps.
 */
const LAYOUT = 1;

const LAYOUT_KEY = 'hermes_layout';

/** Everything is as this version left it. */
function isCurrent(db: DatabaseSync): boolean {
  try {
    const row = db.prepare('SELECT value FROM state_meta WHERE key = ?').get(LAYOUT_KEY);
    return row?.value === fingerprint(db);
  } catch (error) {
    // A lock or damage must surface; only a missing table means "not yet laid out".
    if (isStatementError(error)) return false;
    throw error;
  }
}

/**
 * Adds what is missing, in one transaction. Newer files of the original are kept as they are, as long as their
 * sessions and messages can be read and written.
 * @throws AppError `database-too-new` when they cannot
 */
export function ensureSchema(db: DatabaseSync, path: string): void {
  if (isCurrent(db)) return;
  db.exec('BEGIN IMMEDIATE');
  try {
    if (!isCurrent(db)) layOut(db, path);
    db.exec('COMMIT');
  } catch (error) {
    if (db.isTransaction) db.exec('ROLLBACK');
    throw error;
  }
}

function layOut(db: DatabaseSync, path: string): void {
  const version = storedVersion(db);
  for (const table of tables) {
    if (columnsOf(db, table.name).length === 0) db.exec(createTableSql(table));
    else addMissingColumns(db, table, version, path);
  }
  for (const index of indexes) db.exec(`CREATE INDEX IF NOT EXISTS ${index}`);
  ensureUniqueTitles(db);
  ensureSearchIndexes(db, version !== undefined && version < BASE_VERSION);
  if (version === undefined) db.prepare('INSERT INTO schema_version(version) VALUES (?)').run(BASE_VERSION);
  else if (version < BASE_VERSION) db.prepare('UPDATE schema_version SET version = ?').run(BASE_VERSION);
  db.prepare('INSERT OR REPLACE INTO state_meta(key, value) VALUES (?, ?)').run(LAYOUT_KEY, fingerprint(db));
}

/** SQLite's schema cookie moves with every change made by statements; the count finds what was cut out otherwise. */
function fingerprint(db: DatabaseSync): string {
  const cookie = db.prepare('PRAGMA schema_version').get()?.schema_version;
  const objects = db.prepare('SELECT COUNT(*) AS count FROM sqlite_master').get()?.count;
  return `${LAYOUT}:${cookie}:${objects}`;
}

function storedVersion(db: DatabaseSync): number | undefined {
  if (columnsOf(db, 'schema_version').length === 0) return undefined;
  const version = db.prepare('SELECT MAX(version) AS version FROM schema_version').get()?.version;
  return typeof version === 'number' ? version : undefined;
}

interface LiveColumn {
  readonly name: string;
  readonly notnull: number;
  readonly dflt_value: unknown;
  readonly pk: number;
}

function columnsOf(db: DatabaseSync, table: string): LiveColumn[] {
  return db.prepare(`PRAGMA table_info(${table})`).all() as never;
}

function createTableSql(table: Table): string {
  const parts = table.columns.map((column) => `${column.name} ${column.type}`);
  if (table.constraint !== undefined) parts.push(table.constraint);
  return `CREATE TABLE ${table.name} (${parts.join(', ')})`;
}

function addMissingColumns(db: DatabaseSync, table: Table, version: number | undefined, path: string): void {
  const live = columnsOf(db, table.name);
  const have = new Set(live.map((column) => column.name));
  const lacking = (essentialColumns[table.name] ?? []).filter((name) => !have.has(name));
  const known = new Set(table.columns.map((column) => column.name));
  const demanded = live.filter(
    (column) => column.notnull && column.dflt_value === null && !column.pk && !known.has(column.name),
  );
  const strange = [...lacking, ...demanded.map((column) => column.name)];
  if (table.name in essentialColumns && strange.length > 0) {
    throw new AppError(
      'database-too-new',
      `The session database ${path} has layout ${version ?? 'unknown'}, which this version of Hermes cannot use (${table.name}: ${strange.join(', ')}).`,
      { hint: 'Update Hermes, or point HERMES_HOME at another folder.' },
    );
  }
  for (const column of table.columns) {
    if (!have.has(column.name)) db.exec(`ALTER TABLE ${table.name} ADD COLUMN ${column.name} ${column.type}`);
  }
}

/** Very old files have no unique index, and may hold a title twice: the newest keeps it. */
function ensureUniqueTitles(db: DatabaseSync): void {
  const name = uniqueTitleIndex.split(' ')[0] ?? '';
  const present = db
    .prepare("SELECT 1 FROM sqlite_master WHERE type = 'index' AND name IN (?, 'idx_sessions_title')")
    .get(name);
  if (present) return;
  db.exec(`UPDATE sessions SET title = NULL WHERE title IS NOT NULL AND EXISTS (
    SELECT 1 FROM sessions newer WHERE newer.title = sessions.title
      AND (newer.started_at, newer.id) > (sessions.started_at, sessions.id))`);
  db.exec(`CREATE UNIQUE INDEX IF NOT EXISTS ${uniqueTitleIndex}`);
}
