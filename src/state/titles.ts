/** Session titles: clean, unique, and a made one never over a person's. */
import { AppError } from '../lib/errors.ts';
import type { StateDatabase } from './database.ts';
import { escapeLike, sessionNotFound } from './lineage.ts';
import type { Writer } from './write.ts';

export type TitleSource = 'derived' | 'llm' | 'user';

const MAX_CHARS = 100;
const RANK: Readonly<Record<string, number>> = { derived: 1, branch_fallback: 1, branch: 1, llm: 2, user: 3 };

/** Controls, zero-width and direction marks out, white space collapsed, cut at 100 characters. */
export function sanitizeTitle(title: string): string {
  const line = title
    .toWellFormed()
    .replace(/[\s\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ')
    .replace(/\p{Cf}/gu, '')
    .replace(/ +/g, ' ')
    .trim();
  return [...line].slice(0, MAX_CHARS).join('').trim();
}

export function setTitle(
  db: StateDatabase,
  writer: Writer,
  sessionId: string,
  title: string,
  source: TitleSource,
): Promise<string> {
  return writer.run(() => {
    const row = db.sql('SELECT title, title_source FROM sessions WHERE id = ?').get(sessionId);
    if (row === undefined) throw sessionNotFound(sessionId);
    const current = typeof row.title === 'string' ? row.title : '';
    // A title without a source comes from an older version; it may be the user's.
    if (current !== '' && rank(source) < rank(row.title_source ?? 'user')) return current;
    return claimTitle(db, sessionId, title, source);
  });
}

/** Inside the caller's transaction. @throws AppError `title-taken` */
export function claimTitle(db: StateDatabase, sessionId: string, title: string, source: TitleSource): string {
  const wanted = sanitizeTitle(title);
  const final = source !== 'user' && isTaken(db, wanted, sessionId) ? numbered(db, wanted) : wanted;
  if (final !== '' && isTaken(db, final, sessionId)) {
    throw new AppError('title-taken', `Another session is already called "${final}".`, {
      hint: 'Choose another title.',
    });
  }
  db.sql('UPDATE sessions SET title = ?, title_source = ? WHERE id = ?').run(
    final === '' ? null : final,
    final === '' ? null : source,
    sessionId,
  );
  return final;
}

/** The next free `base #N` of the session's title. */
export function nextTitle(db: StateDatabase, sessionId: string): string | undefined {
  const title = db.sql('SELECT title FROM sessions WHERE id = ?').get(sessionId)?.title;
  return typeof title === 'string' && title !== '' ? numbered(db, title) : undefined;
}

function numbered(db: StateDatabase, title: string): string {
  const base = title.replace(/ #\d+$/, '');
  const numbers = db
    .sql(String.raw`SELECT title FROM sessions WHERE title LIKE ? ESCAPE '\'`)
    .all(`${escapeLike(base)} #%`)
    .flatMap((row) => /^ #(\d+)$/.exec(String(row.title).slice(base.length))?.[1] ?? []);
  const suffix = ` #${Math.max(1, ...numbers.map(Number)) + 1}`;
  return [...base].slice(0, MAX_CHARS - suffix.length).join('') + suffix;
}

function isTaken(db: StateDatabase, title: string, sessionId: string): boolean {
  return db.sql('SELECT 1 FROM sessions WHERE title = ? AND id <> ?').get(title, sessionId) !== undefined;
}

function rank(source: unknown): number {
  return RANK[String(source)] ?? RANK.user ?? 0;
}
