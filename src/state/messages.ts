/** Messages of a session: stored, loaded ready to send, read around a place, undone. */
import { AppError } from '../lib/errors.ts';
import type { StateDatabase } from './database.ts';
import { interruptedResult, pairToolResults } from './history.ts';
import { sessionNotFound } from './lineage.ts';
import { decodeRow, type MessageRow, type RowOrigin } from './message-decode.ts';
import { encodeMessage, type MessageColumns, toolCallCount } from './message-row.ts';
import { VISIBLE } from './session-row.ts';
import type { LoadedMessage, MessageWindow, SessionEnds, StoredMessage, UsageDelta } from './session-store.ts';
import { isForeignKeyViolation } from './sqlite-errors.ts';
import { recordUsage } from './usage.ts';
import type { Writer } from './write.ts';

const COLUMNS = [
  'role',
  'content',
  'tool_call_id',
  'tool_calls',
  'tool_name',
  'timestamp',
  'finish_reason',
  'reasoning',
  'reasoning_content',
  'reasoning_details',
  'codex_reasoning_items',
  'codex_message_items',
  'api_content',
  '_compressed_summary',
  'effect_disposition',
  'display_kind',
  'display_metadata',
  'extra_json',
] as const satisfies readonly (keyof MessageColumns)[];

const INSERT = `INSERT INTO messages (session_id, ${COLUMNS.join(', ')}) VALUES (?, ${COLUMNS.map(() => '?').join(', ')})`;
const SELECT = `SELECT m.id, ${COLUMNS.map((name) => `m.${name}`).join(', ')} FROM messages m`;
const SPOKEN = `m.role IN ('user', 'assistant', 'tool') AND ${VISIBLE}`;

/** Inside the caller's transaction. */
export function insertMessages(db: StateDatabase, sessionId: string, messages: readonly StoredMessage[]): number[] {
  if (messages.length === 0) return [];
  const insert = db.sql(INSERT);
  const ids = messages.map((stored) => {
    const columns = encodeMessage(stored);
    return Number(insert.run(sessionId, ...COLUMNS.map((name) => columns[name])).lastInsertRowid);
  });
  const calls = messages.reduce((sum, stored) => sum + toolCallCount(stored.message), 0);
  db.sql(`UPDATE sessions SET message_count = COALESCE(message_count, 0) + ?, tool_call_count = COALESCE(tool_call_count, 0) + ?,
    last_activity_at = ? WHERE id = ?`).run(messages.length, calls, Date.now() / 1000, sessionId);
  return ids;
}

export async function appendMessages(
  db: StateDatabase,
  writer: Writer,
  sessionId: string,
  messages: readonly StoredMessage[],
  usage: readonly UsageDelta[] = [],
): Promise<readonly number[]> {
  if (messages.length === 0 && usage.length === 0) return [];
  return writer.run(() => {
    try {
      const ids = insertMessages(db, sessionId, messages);
      for (const delta of usage) recordUsage(db, sessionId, delta);
      return ids;
    } catch (error) {
      throw isForeignKeyViolation(error) ? sessionNotFound(sessionId) : error;
    }
  }, 'transcript');
}

export async function loadHistory(
  db: StateDatabase,
  writer: Writer,
  sessionId: string,
  readOnly: boolean,
): Promise<readonly LoadedMessage[]> {
  const paired = pairToolResults(liveRows(db, sessionId));
  if (paired.open.length === 0) return paired.messages;
  if (readOnly || db.readOnly) return completed(liveRows(db, sessionId));
  return writer.run(() => {
    // Read anew under the lock: another process may just have written the same results.
    const { open } = pairToolResults(liveRows(db, sessionId));
    const now = Date.now();
    insertMessages(
      db,
      sessionId,
      open.map((call) => ({ message: interruptedResult(call, now) })),
    );
    return pairToolResults(liveRows(db, sessionId)).messages;
  }, 'transcript');
}

function liveRows(db: StateDatabase, sessionId: string): LoadedMessage[] {
  return read(db, sessionId, `${SELECT} WHERE m.session_id = ? AND m.active = 1 ORDER BY m.id`, sessionId);
}

/** The same history with the missing results shown, not stored; they carry row id 0. */
function completed(rows: readonly LoadedMessage[]): readonly LoadedMessage[] {
  const shown = pairToolResults(rows).open.map((call) => ({ rowId: 0, message: interruptedResult(call, Date.now()) }));
  return pairToolResults([...rows, ...shown]).messages;
}

export function readTranscript(db: StateDatabase, sessionId: string): readonly LoadedMessage[] {
  return read(db, sessionId, `${SELECT} WHERE m.session_id = ? AND ${SPOKEN} ORDER BY m.id`, sessionId);
}

export function readAround(db: StateDatabase, sessionId: string, rowId: number, window: number): MessageWindow {
  const [anchor] = read(db, sessionId, `${SELECT} WHERE m.session_id = ? AND m.id = ? AND ${SPOKEN}`, sessionId, rowId);
  if (anchor === undefined) {
    throw new AppError('message-not-found', `Session ${sessionId} has no message ${rowId}.`, {
      hint: 'Search again for the id of a message in it.',
    });
  }
  const size = Math.max(0, Math.trunc(window));
  const before = read(
    db,
    sessionId,
    `${SELECT} WHERE m.session_id = ? AND m.id < ? AND ${SPOKEN} ORDER BY m.id DESC LIMIT ?`,
    sessionId,
    rowId,
    size,
  ).reverse();
  const after = read(
    db,
    sessionId,
    `${SELECT} WHERE m.session_id = ? AND m.id > ? AND ${SPOKEN} ORDER BY m.id LIMIT ?`,
    sessionId,
    rowId,
    size,
  );
  return { messages: [...before, anchor, ...after], before: before.length, after: after.length };
}

export function readEnds(db: StateDatabase, sessionId: string, first: number, last: number): SessionEnds {
  const texts = `m.session_id = ? AND m.role IN ('user', 'assistant') AND ${VISIBLE} AND COALESCE(m.content, '') <> ''`;
  const total = Number(db.sql(`SELECT COUNT(*) AS total FROM messages m WHERE ${texts}`).get(sessionId)?.total);
  const head = Math.min(first, total);
  const tail = Math.min(last, total - head);
  return {
    first: read(db, sessionId, `${SELECT} WHERE ${texts} ORDER BY m.id LIMIT ?`, sessionId, head),
    last: read(db, sessionId, `${SELECT} WHERE ${texts} ORDER BY m.id DESC LIMIT ?`, sessionId, tail).reverse(),
    total,
  };
}

export function rewindMessages(db: StateDatabase, writer: Writer, sessionId: string, rowId: number): Promise<void> {
  return writer.run(() => {
    const { changes } = db
      .sql('UPDATE messages SET active = 0, compacted = 0 WHERE session_id = ? AND id >= ? AND active = 1')
      .run(sessionId, rowId);
    if (Number(changes) === 0) return;
    db.sql(`UPDATE sessions SET rewind_count = rewind_count + 1,
        message_count = (SELECT COUNT(*) FROM messages m WHERE m.session_id = sessions.id AND (m.active = 1 OR m.compacted = 1)),
        tool_call_count = (SELECT COALESCE(SUM(json_array_length(m.tool_calls)), 0) FROM messages m
          WHERE m.session_id = sessions.id AND (m.active = 1 OR m.compacted = 1) AND json_valid(m.tool_calls))
      WHERE id = ?`).run(sessionId);
  });
}

function read(db: StateDatabase, sessionId: string, sql: string, ...values: (string | number)[]): LoadedMessage[] {
  const origin = originOf(db, sessionId);
  const statement = db.sql(sql);
  // Rows as arrays, turned into objects of one shape: half the time of the driver's own objects.
  statement.setReturnArrays(true);
  const messages: LoadedMessage[] = [];
  for (const row of statement.all(...values) as unknown as RowValue[][]) {
    const message = decodeRow(rowOf(row), origin);
    if (message !== undefined) messages.push(message);
  }
  return messages;
}

type RowValue = string | number | null;

function rowOf(values: readonly RowValue[]): MessageRow {
  const row: Record<string, RowValue> = { id: values[0] ?? 0 };
  for (let index = 0; index < COLUMNS.length; index += 1) row[COLUMNS[index] as string] = values[index + 1] ?? null;
  return row as unknown as MessageRow;
}

function originOf(db: StateDatabase, sessionId: string): RowOrigin {
  const row = db.sql('SELECT model, billing_provider FROM sessions WHERE id = ?').get(sessionId);
  return { model: String(row?.model ?? 'unknown'), provider: String(row?.billing_provider ?? 'unknown') };
}
