/** The four ways to look into earlier sessions. Nothing is written, no model is asked. */
import type { SessionRef } from '../../contracts/turn.ts';
import { AppError, errorCode } from '../../lib/errors.ts';
import type { SessionRow, SessionStore } from '../../state/session-store.ts';
import type { SessionSearchDeps } from '../session-search.ts';
import { failure, jsonOutcome, type ToolOutcome } from '../tool.ts';
import { discover } from './discover.ts';
import { lineageOf } from './lineage.ts';
import { BOOKEND_CHARS, linkTo, shownMessage, WINDOW_CHARS, whenText } from './present.ts';

export interface RecallRequest {
  readonly query: string;
  readonly limit: number;
  readonly sort: 'newest' | 'oldest' | undefined;
  /** Every hit with its messages, not only the best. */
  readonly full: boolean;
  readonly sessionId: string | undefined;
  readonly messageId: number | undefined;
  readonly window: number;
  readonly roles: readonly ('user' | 'assistant' | 'tool')[];
}

const WHOLE_MESSAGES = 30;
const FIRST_MESSAGES = 20;
const LAST_MESSAGES = 10;

export async function recall(
  deps: SessionSearchDeps,
  session: SessionRef,
  request: RecallRequest,
): Promise<ToolOutcome> {
  try {
    if (request.sessionId !== undefined) {
      const id = await sessionNamed(deps.store, request.sessionId);
      return request.messageId === undefined
        ? await readSession(deps, id)
        : await scroll(deps, session, { id, messageId: request.messageId, window: request.window });
    }
    return request.query === '' ? await browse(deps, session, request.limit) : await discover(deps, session, request);
  } catch (error) {
    if (errorCode(error) !== 'session-not-found' && errorCode(error) !== 'session-ambiguous') throw error;
    const message = error instanceof AppError ? error.message : 'There is no such session.';
    return failure('session-not-found', message, {
      success: false,
      hint: 'session_search without arguments lists them.',
    });
  }
}

/** Also `@session:<profile>/<id>`, as links are written. */
function sessionNamed(store: SessionStore, given: string): Promise<string> {
  return store.resolve(given.replace(/^@session:/, '').replace(/^[^/]*\//, ''));
}

async function scroll(
  deps: SessionSearchDeps,
  session: SessionRef,
  { id, messageId, window }: { id: string; messageId: number; window: number },
): Promise<ToolOutcome> {
  const found = await windowInLineage(deps.store, id, messageId, window);
  if (found === undefined) {
    return failure('message-not-found', `Message ${messageId} is not in session ${id}.`, { success: false });
  }
  if (found.id === session.id && !(await wasCompressed(deps.store, session.id, messageId))) {
    return failure('in-context', `Message ${messageId} is part of this conversation and already before you.`, {
      success: false,
    });
  }
  const row = await deps.store.get(found.id);
  const { messages, before, after } = found.view;
  return jsonOutcome({
    success: true,
    mode: 'scroll',
    session_id: found.id,
    around_message_id: messageId,
    session_meta: meta(row, deps.timeZone),
    window,
    messages: messages.map((one) => shownMessage(one, WINDOW_CHARS, one.rowId === messageId)),
    messages_before: before,
    messages_after: after,
    ...(found.id !== id && { warning: `The message belongs to ${found.id}, of the same conversation.` }),
  });
}

async function wasCompressed(store: SessionStore, sessionId: string, rowId: number): Promise<boolean> {
  const { messages } = await store.load(sessionId, { readOnly: true });
  return !messages.some((one) => one.rowId === rowId);
}

/** The anchor in the named session, or in another of its lineage. */
async function windowInLineage(store: SessionStore, id: string, messageId: number, window: number) {
  for (const candidate of await lineageOf(store, id)) {
    try {
      return { id: candidate, view: await store.around(candidate, messageId, window) };
    } catch (error) {
      if (errorCode(error) !== 'message-not-found') throw error;
    }
  }
  return undefined;
}

async function readSession(deps: SessionSearchDeps, id: string): Promise<ToolOutcome> {
  const row = await deps.store.get(id);
  const whole = await deps.store.ends(id, WHOLE_MESSAGES, 0);
  const truncated = whole.total > WHOLE_MESSAGES;
  const { first, last } = truncated ? await deps.store.ends(id, FIRST_MESSAGES, LAST_MESSAGES) : whole;
  return jsonOutcome({
    success: true,
    mode: 'read',
    session_id: id,
    session_meta: meta(row, deps.timeZone),
    message_count: whole.total,
    messages: [...first, ...last].map((one) => shownMessage(one, truncated ? BOOKEND_CHARS : WINDOW_CHARS)),
    truncated,
    ...(truncated && {
      hint: `${whole.total - FIRST_MESSAGES - LAST_MESSAGES} messages between are left out; scroll to them with around_message_id.`,
    }),
  });
}

async function browse(deps: SessionSearchDeps, session: SessionRef, limit: number): Promise<ToolOutcome> {
  const rows = await deps.store.list({ limit: limit + 1 });
  const own = await deps.store.root(session.id);
  const others: SessionRow[] = [];
  for (const row of rows) if ((await deps.store.root(row.id)) !== own) others.push(row);
  const results = others.slice(0, limit).map((row) => ({
    session_id: row.id,
    link: linkTo(row),
    title: row.title ?? null,
    source: row.source,
    started_at: whenText(row.startedAt, deps.timeZone),
    last_active: whenText(row.lastActiveAt, deps.timeZone),
    message_count: row.messageCount,
    preview: row.preview,
  }));
  return jsonOutcome({ success: true, mode: 'browse', results, count: results.length });
}

function meta(row: SessionRow | undefined, timeZone: string | undefined): Record<string, unknown> {
  if (row === undefined) return {};
  return { when: whenText(row.startedAt, timeZone), source: row.source, model: row.model, title: row.title ?? null };
}
