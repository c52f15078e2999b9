/** The life of a session row: created, ended, reopened, deleted. */

import { wellFormed } from '../lib/well-formed.ts';
import type { StateDatabase } from './database.ts';
import { delegateChildren, sessionNotFound } from './lineage.ts';
import { insertMessages } from './messages.ts';
import { decodeSession, SELECT_SESSION, type SessionRecord } from './session-row.ts';
import type { CreateOptions, EndReason, NewSession, SessionRow, StoredMessage } from './session-store.ts';
import { claimTitle } from './titles.ts';
import type { Writer } from './write.ts';

/** Who a conversation belongs to; a child keeps it, so that listing and resuming from the same chat go on working. */
const INHERITED = [
  'user_id',
  'session_key',
  'chat_id',
  'chat_type',
  'thread_id',
  'display_name',
  'origin_json',
  'transport_profile',
  'git_branch',
  'git_repo_root',
] as const;

export function getSession(db: StateDatabase, sessionId: string): SessionRow | undefined {
  const record = db.sql(`${SELECT_SESSION} WHERE s.id = ?`).get(sessionId);
  return record === undefined ? undefined : decodeSession(record as SessionRecord);
}

export function createSession(
  db: StateDatabase,
  writer: Writer,
  session: NewSession,
  messages: readonly StoredMessage[],
  options: CreateOptions,
): Promise<readonly number[]> {
  const clean = wellFormed(session);
  return writer.run(() => {
    const now = Date.now() / 1000;
    const parent = clean.parentId;
    const isNew = insertSession(db, clean, now);
    if (parent !== undefined && options.endParent !== undefined) endRow(db, parent, options.endParent, now);
    if (!isNew) return [];
    if (parent !== undefined && !isDelegate(clean)) inherit(db, clean.id, parent);
    if (clean.title !== undefined)
      claimTitle(db, clean.id, clean.title, clean.titleSource === 'derived' ? 'derived' : 'user');
    return insertMessages(db, clean.id, messages);
  }, 'transcript');
}

function insertSession(db: StateDatabase, session: NewSession, now: number): boolean {
  const result = db
    .sql(`INSERT INTO sessions (id, source, created_source, user_id, model, model_config, system_prompt, parent_session_id,
        started_at, last_activity_at, billing_provider, billing_base_url, cwd, profile_name, tool_names)
      VALUES (?1, ?2, ?2, ?3, ?4, ?5, ?6, (SELECT id FROM sessions WHERE id = ?7), ?8, ?8, ?9, ?10, ?11, ?12, ?13)
      ON CONFLICT(id) DO NOTHING`)
    .run(
      session.id,
      session.source,
      session.userId ?? null,
      session.model,
      session.modelConfig === undefined ? null : JSON.stringify(session.modelConfig),
      session.systemPrompt,
      session.parentId ?? null,
      now,
      session.provider,
      session.baseUrl ?? null,
      session.cwd,
      session.profile,
      JSON.stringify(session.toolNames),
    );
  return Number(result.changes) > 0;
}

function isDelegate(session: NewSession): boolean {
  return session.source === 'subagent' || session.modelConfig?._delegate_from === session.parentId;
}

function inherit(db: StateDatabase, sessionId: string, parentId: string): void {
  const assignments = INHERITED.map((name) => `${name} = COALESCE(sessions.${name}, parent.${name})`).join(', ');
  db.sql(`UPDATE sessions SET ${assignments} FROM sessions parent WHERE sessions.id = ? AND parent.id = ?`).run(
    sessionId,
    parentId,
  );
}

/** The first end reason stays. */
export function endSession(db: StateDatabase, writer: Writer, sessionId: string, reason: EndReason): Promise<void> {
  return writer.run(() => endRow(db, sessionId, reason, Date.now() / 1000));
}

function endRow(db: StateDatabase, sessionId: string, reason: EndReason, now: number): void {
  db.sql('UPDATE sessions SET ended_at = ?, end_reason = ? WHERE id = ? AND ended_at IS NULL').run(
    now,
    reason,
    sessionId,
  );
}

export function reopenSession(db: StateDatabase, writer: Writer, sessionId: string): Promise<void> {
  return writer.run(() => {
    db.sql('UPDATE sessions SET ended_at = NULL, end_reason = NULL WHERE id = ?').run(sessionId);
  });
}

export function setSessionModel(
  db: StateDatabase,
  writer: Writer,
  sessionId: string,
  choice: { readonly model: string; readonly provider: string; readonly baseUrl: string | undefined },
): Promise<void> {
  return writer.run(() => {
    const { changes } = db
      .sql('UPDATE sessions SET model = ?, billing_provider = ?, billing_base_url = ? WHERE id = ?')
      .run(choice.model, choice.provider, choice.baseUrl ?? null, sessionId);
    if (Number(changes) === 0) throw sessionNotFound(sessionId);
  });
}

/** Subagents go with their parent; other children stay and lose it. */
export function deleteSession(db: StateDatabase, writer: Writer, sessionId: string): Promise<void> {
  return writer.run(() => deleteRow(db, sessionId, new Set()));
}

function deleteRow(db: StateDatabase, sessionId: string, seen: Set<string>): void {
  if (seen.has(sessionId)) return;
  seen.add(sessionId);
  for (const child of delegateChildren(db, sessionId)) deleteRow(db, child, seen);
  db.sql('UPDATE sessions SET parent_session_id = NULL WHERE parent_session_id = ?').run(sessionId);
  for (const table of ['messages', 'session_model_usage', 'compression_locks']) {
    db.sql(`DELETE FROM ${table} WHERE session_id = ?`).run(sessionId);
  }
  db.sql('DELETE FROM sessions WHERE id = ?').run(sessionId);
}
