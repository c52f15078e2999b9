/** Which sessions a person is shown, newest activity first. */
import type { StateDatabase } from './database.ts';
import { escapeLike, isContinuation, isSeparate } from './lineage.ts';
import { decodeSession, LAST_ACTIVE, SELECT_SESSION, type SessionRecord } from './session-row.ts';
import type { ListFilter, SessionRow } from './session-store.ts';

const DEFAULT_LIMIT = 20;
/** Made by the program for itself. */
const INTERNAL_SOURCES = ['subagent', 'tool', 'kanban'];
/** Conversations that nobody sits in front of. */
const UNATTENDED_SOURCES = ['cron', 'batch'];

export function listSessions(db: StateDatabase, filter: ListFilter = {}): SessionRow[] {
  const { where, values } = conditions(filter);
  const page = `SELECT s.id AS page_id, ${LAST_ACTIVE} AS page_active, s.started_at AS page_start FROM sessions s
    LEFT JOIN sessions p ON p.id = s.parent_session_id WHERE ${where.join(' AND ')}
    ORDER BY page_active DESC, page_start DESC, s.rowid DESC LIMIT ? OFFSET ?`;
  const rows = db.sql(`WITH page AS MATERIALIZED (${page}) ${SELECT_SESSION} JOIN page ON page.page_id = s.id
    ORDER BY page.page_active DESC, page.page_start DESC, s.rowid DESC`);
  const records = rows.all(...values, filter.limit ?? DEFAULT_LIMIT, filter.offset ?? 0);
  return records.map((record) => decodeSession(record as SessionRecord));
}

/** Newest by activity that can be continued: it holds something, and a person took part. */
export function latestSession(db: StateDatabase, filter: ListFilter): SessionRow | undefined {
  const unattended = filter.sources === undefined ? UNATTENDED_SOURCES : [];
  const wanted = { ...filter, excludeSources: [...(filter.excludeSources ?? []), ...unattended] };
  const size = 10;
  for (let offset = 0; ; offset += size) {
    const page = listSessions(db, { ...wanted, limit: size, offset });
    const found = page.find((row) => row.messageCount > 0);
    if (found !== undefined || page.length < size) return found;
  }
}

export function findTitled(db: StateDatabase, text: string, limit: number): SessionRow[] {
  if (text.trim() === '') return [];
  const rows = db.sql(String.raw`${SELECT_SESSION} WHERE s.title LIKE ?1 ESCAPE '\' AND s.hidden = 0
    ORDER BY s.title = ?2 COLLATE NOCASE DESC, last_active DESC LIMIT ?3`);
  return rows
    .all(`%${escapeLike(text.trim())}%`, text.trim(), limit)
    .map((record) => decodeSession(record as SessionRecord));
}

function conditions(filter: ListFilter): { where: string[]; values: (string | number)[] } {
  const where = ['1'];
  const values: (string | number)[] = [];
  const among = (test: 'IN' | 'NOT IN', sources: readonly string[]): void => {
    where.push(`s.source ${test} (SELECT value FROM json_each(?))`);
    values.push(JSON.stringify(sources));
  };
  if (filter.sources !== undefined) among('IN', filter.sources);
  const hidden = filter.all || filter.sources !== undefined ? [] : INTERNAL_SOURCES;
  const excluded = [...(filter.excludeSources ?? []), ...hidden];
  if (excluded.length > 0) among('NOT IN', excluded);
  if (filter.cwd !== undefined) {
    where.push('s.cwd = ?');
    values.push(filter.cwd);
  }
  if (!filter.all) {
    where.push(
      's.archived = 0 AND s.hidden = 0',
      `(p.id IS NULL OR ${isContinuation('s', 'p')} OR ${isSeparate('s', 'p')})`,
      `NOT EXISTS (SELECT 1 FROM sessions c WHERE ${isContinuation('c', 's')})`,
    );
  }
  return { where, values };
}
