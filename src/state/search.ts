/** Message search: by words, by parts of words, or by reading, whichever finds what the query means. */
import { contentText } from './content-column.ts';
import type { StateDatabase } from './database.ts';
import { anyTerm, booleanTerms, type Condition, likeSnippet } from './like-search.ts';
import { fitsTrigrams, hasCjk, isIndexable, parseQuery, type QueryToken, toMatchExpression } from './query.ts';
import { usableIndexes } from './search-index.ts';
import { VISIBLE } from './session-row.ts';
import type { SearchFilter, SearchHit } from './session-store.ts';
import { isSqliteError, isStatementError } from './sqlite-errors.ts';

const DEFAULT_LIMIT = 20;
/** Of a word that stands in very many messages, only the newest are ranked. */
const MAX_RANKED = 2000;
const WORD_SNIPPET_TOKENS = 40;
const TRIGRAM_SNIPPET_TOKENS = 64;
/** Rows that newer originals leave out of their trigram index. */
const UNINDEXED_SOURCES = ['cron', 'subagent'];

type IndexName = 'messages_fts' | 'messages_fts_trigram';

interface Match {
  readonly rowId: number;
  readonly snippet?: string;
}

export function searchMessages(db: StateDatabase, query: string, filter: SearchFilter = {}): SearchHit[] {
  const tokens = parseQuery(query);
  if (tokens.length === 0) return [];
  return route(db, tokens, filter).map((match) => describe(db, match, tokens));
}

function route(db: StateDatabase, tokens: readonly QueryToken[], filter: SearchFilter): readonly Match[] {
  const { words, trigrams } = usableIndexes(db.handle);
  if (filter.roles?.includes('tool')) return byReading(db, booleanTerms(tokens), filter);
  const substrings = (): readonly Match[] | undefined =>
    trigrams && fitsTrigrams(tokens) && !filter.sources?.some((source) => UNINDEXED_SOURCES.includes(source))
      ? byIndex(db, 'messages_fts_trigram', toMatchExpression(tokens, true), filter)
      : undefined;
  if (tokens.some((token) => hasCjk(token.text))) return substrings() ?? byReading(db, anyTerm(tokens), filter);
  if (!words || !isIndexable(tokens)) return byReading(db, booleanTerms(tokens), filter);
  const expression = toMatchExpression(tokens);
  const found = byIndex(db, 'messages_fts', expression, filter);
  if (found === undefined) return byReading(db, booleanTerms(tokens), filter);
  const isEmpty =
    found.length === 0 &&
    (!filter.offset || byIndex(db, 'messages_fts', expression, { ...filter, offset: 0, limit: 1 })?.length === 0);
  // Latin letters between CJK characters are one word with them, so only their parts can be found.
  return isEmpty && fitsTrigrams(tokens) ? (substrings() ?? byReading(db, booleanTerms(tokens), filter)) : found;
}

/** @returns undefined when the index turns out to be damaged */
function byIndex(db: StateDatabase, index: IndexName, expression: string, filter: SearchFilter): Match[] | undefined {
  const limits = conditions(filter);
  const from = `FROM ${index} CROSS JOIN messages m ON m.id = ${index}.rowid CROSS JOIN sessions s ON s.id = m.session_id
    WHERE ${index} MATCH ? AND ${limits.sql}`;
  const oldest = filter.sort === 'oldest';
  const time = `m.timestamp ${oldest ? 'ASC' : 'DESC'}`;
  const order = filter.sort === undefined ? `bm25(${index}), ${time}` : `${time}, bm25(${index})`;
  try {
    const edge = db
      .sql(`SELECT m.id ${from} ORDER BY ${index}.rowid ${oldest ? 'ASC' : 'DESC'} LIMIT 1 OFFSET ${MAX_RANKED - 1}`)
      .get(expression, ...limits.values)?.id;
    const bound = edge === undefined ? '' : `AND ${index}.rowid ${oldest ? '<=' : '>='} ${Number(edge)}`;
    const ranked = db.handle
      .prepare(`SELECT m.id ${from} ${bound} ORDER BY ${order} LIMIT ? OFFSET ?`)
      .all(expression, ...limits.values, ...page(filter));
    return ranked.map((row) => ({ rowId: Number(row.id), snippet: snippet(db, index, expression, Number(row.id)) }));
  } catch (error) {
    if (!isSqliteError(error)) throw error;
    return isStatementError(error) ? [] : undefined;
  }
}

/** Only for the rows shown: making one costs more than ranking a row. The cast: FTS5 ignores a row id bound as a real. */
function snippet(db: StateDatabase, index: IndexName, expression: string, rowId: number): string {
  const size = index === 'messages_fts' ? WORD_SNIPPET_TOKENS : TRIGRAM_SNIPPET_TOKENS;
  const row = db
    .sql(
      `SELECT snippet(${index}, -1, '>>>', '<<<', '...', ${size}) AS text FROM ${index} WHERE ${index} MATCH ? AND rowid = CAST(? AS INTEGER)`,
    )
    .get(expression, rowId);
  return String(row?.text ?? '')
    .replace('\0json:', '')
    .trim();
}

function byReading(db: StateDatabase, wanted: Condition, filter: SearchFilter): Match[] {
  const limits = conditions(filter);
  const direction = filter.sort === 'oldest' ? 'ASC' : 'DESC';
  const rows = db.handle
    .prepare(`SELECT m.id FROM messages m JOIN sessions s ON s.id = m.session_id WHERE ${limits.sql} AND ${wanted.sql}
      ORDER BY m.timestamp ${direction}, m.id ${direction} LIMIT ? OFFSET ?`)
    .all(...limits.values, ...wanted.values, ...page(filter));
  return rows.map((row) => ({ rowId: Number(row.id) }));
}

function conditions(filter: SearchFilter): Condition {
  const roles = filter.roles ?? ['user', 'assistant', 'tool'];
  const parts = [VISIBLE, 'm.role IN (SELECT value FROM json_each(?))'];
  const values = [JSON.stringify(roles)];
  if (filter.sources !== undefined) {
    parts.push('s.source IN (SELECT value FROM json_each(?))');
    values.push(JSON.stringify(filter.sources));
  }
  if (filter.excludeSources !== undefined) {
    parts.push('s.source NOT IN (SELECT value FROM json_each(?))');
    values.push(JSON.stringify(filter.excludeSources));
  }
  return { sql: parts.join(' AND '), values };
}

function page(filter: SearchFilter): [number, number] {
  return [filter.limit ?? DEFAULT_LIMIT, filter.offset ?? 0];
}

function describe(db: StateDatabase, match: Match, tokens: readonly QueryToken[]): SearchHit {
  const row = db
    .sql(`SELECT m.session_id, m.role, m.content, m.tool_name, m.tool_calls, m.timestamp, s.source, s.model, s.title
      FROM messages m JOIN sessions s ON s.id = m.session_id WHERE m.id = ?`)
    .get(match.rowId) as Record<string, string | number | null>;
  const fields = [contentText(row.content as string | null), String(row.tool_name ?? ''), String(row.tool_calls ?? '')];
  return {
    rowId: match.rowId,
    sessionId: String(row.session_id),
    role: row.role as SearchHit['role'],
    snippet: match.snippet ?? likeSnippet(fields, tokens),
    at: Math.round(Number(row.timestamp) * 1000),
    source: String(row.source),
    model: String(row.model ?? ''),
    ...(row.title !== null && { title: String(row.title) }),
    ...(row.tool_name !== null && { toolName: String(row.tool_name) }),
  };
}
