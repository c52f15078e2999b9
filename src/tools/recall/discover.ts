/** Search over all sessions: one result per conversation, the best place of each with what stands around it. */
import type { SessionRef } from '../../contracts/turn.ts';
import type { LoadedMessage, SearchHit, SessionRow, SessionStore } from '../../state/session-store.ts';
import type { SessionSearchDeps } from '../session-search.ts';
import { jsonOutcome, type ToolOutcome } from '../tool.ts';
import { isOutOfSight } from './lineage.ts';
import { BOOKEND_CHARS, contentText, linkTo, shownMessage, WINDOW_CHARS, whenText } from './present.ts';
import type { RecallRequest } from './recall.ts';

const RAW_HITS = 300;
const TITLED_SESSIONS = 500;
const EXCLUDED_SOURCES = ['kanban', 'subagent', 'tool'];
const AROUND = 5;
const BOOKENDS = 3;

interface Found {
  readonly row: SessionRow;
  readonly rootId: string;
  /** Absent for a session found by its title. */
  readonly hit: SearchHit | undefined;
}

export async function discover(
  deps: SessionSearchDeps,
  session: SessionRef,
  request: RecallRequest,
): Promise<ToolOutcome> {
  const { store } = deps;
  const titled = await byTitle(store, request.query);
  const hits = await store.search(request.query, {
    roles: request.roles,
    excludeSources: EXCLUDED_SOURCES,
    limit: RAW_HITS,
    ...(request.sort !== undefined && { sort: request.sort }),
  });
  // Scheduled runs repeat themselves; what was said to a person comes first.
  const ordered = [
    ...hits.filter(({ source }) => source !== 'cron'),
    ...hits.filter(({ source }) => source === 'cron'),
  ];
  const found = await oncePerConversation(store, session, titled, ordered, request.limit);
  const results = await Promise.all(found.map((one, index) => present(deps, one, request.full || index === 0)));
  return jsonOutcome({
    success: true,
    mode: 'discover',
    query: request.query,
    detail: request.full ? 'full' : 'adaptive',
    results,
    count: results.length,
    sessions_searched: new Set(hits.map(({ sessionId }) => sessionId)).size,
  });
}

async function byTitle(store: SessionStore, query: string): Promise<SessionRow | undefined> {
  const wanted = query
    .replace(/^["'`]+|["'`]+$/g, '')
    .trim()
    .toLowerCase();
  if (wanted === '') return undefined;
  const rows = await store.list({ limit: TITLED_SESSIONS, excludeSources: EXCLUDED_SOURCES });
  const title = (row: SessionRow) => row.title?.toLowerCase() ?? '';
  return (
    rows.find((row) => title(row) === wanted) ?? rows.find((row) => wanted.length >= 4 && title(row).includes(wanted))
  );
}

async function oncePerConversation(
  store: SessionStore,
  session: SessionRef,
  titled: SessionRow | undefined,
  hits: readonly SearchHit[],
  limit: number,
): Promise<readonly Found[]> {
  const currentRoot = await store.root(session.id);
  const rows = new Map<string, Promise<{ row: SessionRow | undefined; rootId: string }>>();
  const look = (id: string) => {
    const known =
      rows.get(id) ?? Promise.all([store.get(id), store.root(id)]).then(([row, rootId]) => ({ row, rootId }));
    rows.set(id, known);
    return known;
  };
  const found = new Map<string, Found>();
  for (const candidate of [...(titled === undefined ? [] : [{ sessionId: titled.id }]), ...hits]) {
    const { row, rootId } = await look(candidate.sessionId);
    if (row === undefined || found.has(rootId)) continue;
    const inContext = rootId === currentRoot && (row.id === session.id || !isOutOfSight(row.endReason));
    if (inContext) continue;
    found.set(rootId, { row, rootId, hit: 'rowId' in candidate ? candidate : undefined });
    if (found.size >= limit) break;
  }
  return [...found.values()];
}

async function present({ store, timeZone }: SessionSearchDeps, { row, rootId, hit }: Found, whole: boolean) {
  const ends = await store.ends(row.id, BOOKENDS, BOOKENDS);
  const view = hit === undefined ? undefined : await store.around(row.id, hit.rowId, AROUND);
  const inside = new Set(view?.messages.map(({ rowId }) => rowId));
  const bookend = (messages: readonly LoadedMessage[]) =>
    messages
      .filter((one) => !inside.has(one.rowId) && one.isSummary !== true && (contentText(one) ?? '').trim() !== '')
      .map((one) => shownMessage(one, BOOKEND_CHARS));
  const anchor = view?.messages.filter(({ rowId }) => whole || rowId === hit?.rowId) ?? [];
  return {
    session_id: row.id,
    when: whenText(row.startedAt, timeZone),
    source: row.source,
    model: row.model,
    title: row.title ?? null,
    matched_role: hit?.role ?? 'session_title',
    match_message_id: hit?.rowId ?? null,
    snippet: hit?.snippet ?? `Session title: ${row.title ?? ''}`,
    bookend_start: whole ? bookend(ends.first) : [],
    messages: anchor.map((one) => shownMessage(one, WINDOW_CHARS, one.rowId === hit?.rowId)),
    bookend_end: whole ? bookend(ends.last) : [],
    messages_before: view?.before ?? 0,
    messages_after: view?.after ?? 0,
    detail: whole ? 'full' : 'match',
    link: linkTo(row),
    ...(rootId !== row.id && { parent_session_id: rootId }),
  };
}
