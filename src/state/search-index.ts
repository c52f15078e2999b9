/**
 * The two full-text tables over `messages` and the triggers that keep them in step. Ours store their own text
 * (layout 11); a file whose newer original keeps them as external content keeps that layout, because its own
 * triggers go on working.
 */
import type { DatabaseSync } from 'node:sqlite';
import { isSqliteError } from './sqlite-errors.ts';

/** Longest part of a tool result that is indexed; the rest is still found by a search in tool output. */
const TOOL_INDEX_CHARS = 8192;

const INDEXES = [
  { name: 'messages_fts', tokenizer: '' },
  { name: 'messages_fts_trigram', tokenizer: ", tokenize='trigram'" },
] as const;

/** On which every index hangs, whatever its layout. */
const EVENTS = [/\bAFTER\s+INSERT\s+ON\b/i, /\b(?:AFTER|BEFORE)\s+UPDATE\b/i, /\b(?:AFTER|BEFORE)\s+DELETE\s+ON\b/i];

const SHADOWS = ['data', 'idx', 'content', 'docsize', 'config'] as const;

function indexedText(row: string): string {
  return (
    `CASE ${row}.role WHEN 'tool' THEN substr(COALESCE(${row}.content, ''), 1, ${TOOL_INDEX_CHARS}) ` +
    `ELSE COALESCE(${row}.content, '') END || ' ' || COALESCE(${row}.tool_name, '') || ' ' || COALESCE(${row}.tool_calls, '')`
  );
}

function triggerSql(name: string): string {
  const add = `INSERT INTO ${name}(rowid, content) VALUES (new.id, ${indexedText('new')});`;
  const remove = `DELETE FROM ${name} WHERE rowid = old.id;`;
  return `
    CREATE TRIGGER ${name}_insert AFTER INSERT ON messages BEGIN ${add} END;
    CREATE TRIGGER ${name}_delete AFTER DELETE ON messages BEGIN ${remove} END;
    CREATE TRIGGER ${name}_update AFTER UPDATE OF content, tool_name, tool_calls, role ON messages BEGIN ${remove} ${add} END;`;
}

interface SchemaObject {
  readonly type: string;
  readonly name: string;
  readonly tbl_name: string;
  readonly sql: string;
}

function schemaObjects(db: DatabaseSync): SchemaObject[] {
  return db.prepare("SELECT type, name, tbl_name, COALESCE(sql, '') AS sql FROM sqlite_master").all() as never;
}

/**
 * Leaves both indexes complete, or absent when this SQLite cannot keep them (search then reads the messages).
 * Runs inside the caller's transaction.
 * @param rebuild index all messages anew, for files older than layout 11
 */
export function ensureSearchIndexes(db: DatabaseSync, rebuild: boolean): void {
  detachUnusable(db);
  for (const { name, tokenizer } of INDEXES) {
    if (!rebuild && isComplete(db, name)) continue;
    removeIndex(db, name);
    try {
      db.exec(`CREATE VIRTUAL TABLE ${name} USING fts5(content${tokenizer})`);
    } catch (error) {
      if (!isSqliteError(error)) throw error;
      continue; // built without FTS5 or the trigram tokenizer
    }
    db.exec(triggerSql(name));
    db.exec(`INSERT INTO ${name}(rowid, content) SELECT m.id, ${indexedText('m')} FROM messages m`);
  }
  db.exec("DELETE FROM state_meta WHERE key = 'fts_stale'");
}

/** Which indexes can be searched now. */
export function usableIndexes(db: DatabaseSync): { readonly words: boolean; readonly trigrams: boolean } {
  return { words: isComplete(db, 'messages_fts'), trigrams: isComplete(db, 'messages_fts_trigram') };
}

/** After damage was found in the middle of work: stop feeding the indexes, so that messages can be stored. */
export function detachSearchIndexes(db: DatabaseSync): void {
  for (const { name } of INDEXES) dropTriggers(db, name);
  db.exec("INSERT OR REPLACE INTO state_meta(key, value) VALUES ('fts_stale', '1')");
}

function isComplete(db: DatabaseSync, name: string): boolean {
  const objects = schemaObjects(db);
  const table = objects.find((object) => object.type === 'table' && object.name === name);
  if (table === undefined) return false;
  const triggers = objects.filter((object) => object.type === 'trigger' && mentions(object.sql, name));
  return EVENTS.every((event) => triggers.some((trigger) => event.test(trigger.sql))) && isReadable(db, name);
}

function isReadable(db: DatabaseSync, name: string): boolean {
  try {
    db.prepare(`SELECT rowid FROM ${name} WHERE ${name} MATCH 'probe' LIMIT 1`).all();
    return true;
  } catch (error) {
    if (!isSqliteError(error)) throw error;
    return false;
  }
}

function removeIndex(db: DatabaseSync, name: string): void {
  dropTriggers(db, name);
  db.exec(`DROP TABLE IF EXISTS ${name}`);
  for (const shadow of SHADOWS) db.exec(`DROP TABLE IF EXISTS ${name}_${shadow}`);
}

function dropTriggers(db: DatabaseSync, index: string): void {
  for (const object of schemaObjects(db)) {
    if (object.type === 'trigger' && mentions(object.sql, index)) db.exec(`DROP TRIGGER "${object.name}"`);
  }
}

function mentions(sql: string, table: string): boolean {
  return new RegExp(`\\b${table}\\b`).test(sql);
}

/**
 * The original may have added indexes with a tokenizer of its own: every insert would fail here. Their triggers
 * go, and its marker tells it to rebuild them.
 */
function detachUnusable(db: DatabaseSync): void {
  const foreign = schemaObjects(db).filter(
    (object) =>
      object.type === 'table' &&
      /^CREATE VIRTUAL TABLE/i.test(object.sql) &&
      !INDEXES.some((index) => index.name === object.name),
  );
  for (const { name } of foreign) {
    if (isReadable(db, name)) continue;
    dropTriggers(db, name);
    if (name === 'messages_fts_cjk')
      db.exec("INSERT OR REPLACE INTO state_meta(key, value) VALUES ('fts_cjk_stale', '1')");
  }
}
