/** The session store over one `state.db`. */
import { type OpenOptions, openDatabase, type StateDatabase } from './database.ts';
import { findRoot, findTip, resolveReference, sessionNotFound } from './lineage.ts';
import { findTitled, latestSession, listSessions } from './listing.ts';
import { appendMessages, loadHistory, readAround, readEnds, readTranscript, rewindMessages } from './messages.ts';
import { searchMessages } from './search.ts';
import type { SessionStore } from './session-store.ts';
import { createSession, deleteSession, endSession, getSession, reopenSession, setSessionModel } from './sessions.ts';
import { toStateError } from './sqlite-errors.ts';
import { nextTitle, setTitle } from './titles.ts';
import { addUsage } from './usage.ts';
import { createWriter, type Writer } from './write.ts';

export interface SqliteSessionStore extends SessionStore {
  readonly path: string;
  /** Sentences for a person about what was found and done while opening. */
  readonly warnings: readonly string[];
}

const DEFAULT_TITLED = 20;

/** @throws AppError `database-*` or `disk-full`, in one sentence that names the file */
export async function openSessionStore(options: OpenOptions): Promise<SqliteSessionStore> {
  const db = await openDatabase(options);
  const writer = createWriter(db);
  return { path: db.path, warnings: db.warnings, ...reading(db), ...writing(db, writer) };
}

type ReadingMethods =
  | 'get'
  | 'tip'
  | 'resolve'
  | 'latest'
  | 'search'
  | 'around'
  | 'transcript'
  | 'ends'
  | 'list'
  | 'root'
  | 'findTitled'
  | 'nextTitle';

function reading(db: StateDatabase): Pick<SessionStore, ReadingMethods> {
  const read = async <T>(work: () => T): Promise<T> => {
    try {
      return work();
    } catch (error) {
      throw toStateError(error, db.path);
    }
  };
  return {
    get: (id) => read(() => getSession(db, id)),
    tip: (id) => read(() => findTip(db, id)),
    resolve: (reference) => read(() => resolveReference(db, reference)),
    latest: (filter) => read(() => latestSession(db, filter)),
    search: (query, filter) => read(() => searchMessages(db, query, filter)),
    around: (id, rowId, window) => read(() => readAround(db, id, rowId, window)),
    transcript: (id) => read(() => readTranscript(db, id)),
    ends: (id, first, last) => read(() => readEnds(db, id, first, last)),
    list: (filter) => read(() => listSessions(db, filter)),
    root: (id) => read(() => findRoot(db, id)),
    findTitled: (text, limit = DEFAULT_TITLED) => read(() => findTitled(db, text, limit)),
    nextTitle: (id) => read(() => nextTitle(db, id)),
  };
}

function writing(db: StateDatabase, writer: Writer): Omit<SessionStore, ReadingMethods> {
  let closing: Promise<void> | undefined;
  return {
    create: (session, messages = [], options = {}) => createSession(db, writer, session, messages, options),
    append: (id, messages, usage) => appendMessages(db, writer, id, messages, usage),
    async load(id, options = {}) {
      try {
        const messages = await loadHistory(db, writer, id, options.readOnly ?? false);
        const row = getSession(db, id);
        if (row === undefined) throw sessionNotFound(id);
        return { row, messages };
      } catch (error) {
        throw toStateError(error, db.path);
      }
    },
    end: (id, reason) => endSession(db, writer, id, reason),
    reopen: (id) => reopenSession(db, writer, id),
    setTitle: (id, title, source) => setTitle(db, writer, id, title, source),
    setModel: (id, model, provider, baseUrl) => setSessionModel(db, writer, id, { model, provider, baseUrl }),
    rewind: (id, rowId) => rewindMessages(db, writer, id, rowId),
    addUsage: (id, usage) => addUsage(db, writer, id, usage),
    delete: (id) => deleteSession(db, writer, id),
    close() {
      closing ??= writer.finish().finally(() => db.close());
      return closing;
    },
  };
}
