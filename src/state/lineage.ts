/** How sessions descend from each other, and what a person calls them by. */
import { AppError } from '../lib/errors.ts';
import type { StateDatabase } from './database.ts';

/** Seconds by which a child may seem to start before its parent ended, when the two were written apart. */
const CLOCK_SLACK = 5;

/** Ends after which the next session of the same chat is a new conversation. */
const BOUNDARIES =
  "('new_session','session_reset','session_switch','idle','daily','suspended','resume_pending_expired')";

const MAX_DEPTH = 1000;

function marker(session: string, name: string): string {
  return `COALESCE(CASE WHEN json_valid(${session}.model_config) THEN json_extract(${session}.model_config, '$.${name}') END, '')`;
}

/** SQL: `child` goes on where compressed `parent` stopped. A marker counts only when it names the direct parent. */
export function isContinuation(child: string, parent: string): string {
  return `(${child}.parent_session_id = ${parent}.id AND ${parent}.end_reason = 'compression'
    AND ${child}.started_at >= COALESCE(${parent}.ended_at, 0) - ${CLOCK_SLACK}
    AND ${child}.source <> 'subagent'
    AND ${marker(child, '_branched_from')} <> ${parent}.id AND ${marker(child, '_reset_from')} <> ${parent}.id
    AND ${marker(child, '_delegate_from')} <> ${parent}.id)`;
}

/** SQL: `child` is a conversation of its own although it has `parent`. */
export function isSeparate(child: string, parent: string): string {
  return `(${marker(child, '_delegate_from')} <> ${parent}.id AND (
    ${marker(child, '_branched_from')} = ${parent}.id OR ${marker(child, '_reset_from')} = ${parent}.id
    OR (${parent}.end_reason = 'branched' AND ${child}.started_at >= COALESCE(${parent}.ended_at, 0) - ${CLOCK_SLACK})
    OR (COALESCE(${child}.session_key, '') <> '' AND ${child}.session_key = ${parent}.session_key AND ${parent}.end_reason IN ${BOUNDARIES})))`;
}

/** Sessions deleted together with their parent. */
export function delegateChildren(db: StateDatabase, sessionId: string): string[] {
  const rows = db
    .sql(
      `SELECT c.id FROM sessions c WHERE c.parent_session_id = ? AND (c.source = 'subagent' OR ${marker('c', '_delegate_from')} = c.parent_session_id)`,
    )
    .all(sessionId);
  return rows.map((row) => String(row.id));
}

/** A parent marked as compressed whose child was never written is its own live end. */
export function findTip(db: StateDatabase, sessionId: string): string {
  const next = db.sql(`SELECT c.id FROM sessions p JOIN sessions c ON ${isContinuation('c', 'p')}
    WHERE p.id = ? ORDER BY c.started_at DESC, c.id DESC LIMIT 1`);
  return follow(sessionId, (id) => next.get(id)?.id);
}

export function findRoot(db: StateDatabase, sessionId: string): string {
  const parent = db.sql(`SELECT p.id FROM sessions c JOIN sessions p ON p.id = c.parent_session_id WHERE c.id = ?`);
  return follow(sessionId, (id) => parent.get(id)?.id);
}

/** @returns the last of the chain; a cycle ends it */
function follow(start: string, next: (id: string) => unknown): string {
  const seen = new Set([start]);
  let current = start;
  while (seen.size < MAX_DEPTH) {
    const id = next(current);
    if (typeof id !== 'string' || seen.has(id)) break;
    seen.add(id);
    current = id;
  }
  return current;
}

/** id → unique prefix → title → newest of `title` and its `title #N`. */
export function resolveReference(db: StateDatabase, reference: string): string {
  const wanted = reference.trim();
  if (wanted === '') throw sessionNotFound(reference);
  if (db.sql('SELECT 1 FROM sessions WHERE id = ?').get(wanted)) return wanted;
  const byPrefix = db
    .sql('SELECT id FROM sessions WHERE id >= ? AND id < ? ORDER BY started_at DESC LIMIT 6')
    .all(wanted, `${wanted}\u{10ffff}`)
    .map((row) => String(row.id));
  if (byPrefix.length === 1 && byPrefix[0] !== undefined) return byPrefix[0];
  const byTitle = newestTitled(db, wanted);
  if (byTitle !== undefined) return byTitle;
  if (byPrefix.length === 0) throw sessionNotFound(reference);
  throw new AppError('session-ambiguous', `More than one session starts with "${wanted}".`, {
    hint: `Give more of the id: ${byPrefix.slice(0, 5).join(', ')}${byPrefix.length > 5 ? ', ...' : ''}.`,
  });
}

function newestTitled(db: StateDatabase, title: string): string | undefined {
  const rows = db
    .sql(
      String.raw`SELECT id, title FROM sessions WHERE title = ?1 COLLATE NOCASE OR title LIKE ?2 ESCAPE '\' ORDER BY started_at DESC, id DESC`,
    )
    .all(title, `${escapeLike(title)} #%`);
  const family = rows.find((row) => /^( #\d+)?$/.test(String(row.title).slice(title.length)));
  return family === undefined ? undefined : String(family.id);
}

export function escapeLike(text: string): string {
  return text.replace(/[\\%_]/g, '\\$&');
}

export function sessionNotFound(reference: string): AppError {
  return new AppError('session-not-found', `There is no session "${reference}".`, {
    hint: 'Run `hermes sessions list` to see them.',
  });
}
