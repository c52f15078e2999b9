/** What each session knows of files: which state it last saw, and which calls it repeats. Kept in memory only. */
/** A state of a file. */
export interface FileStamp {
  readonly mtimeMs: number;
  readonly size: number;
  /** Of the content, where the whole of it was at hand. */
  readonly hash?: string;
}

export interface FileLedger {
  /** The session has seen, or itself written, this state. */
  note(sessionId: string, path: string, stamp: FileStamp): void;
  /** `unknown`: the session never saw the file. */
  compare(sessionId: string, path: string, now: FileStamp): 'unknown' | 'same' | 'changed';
  /**
   * How often in a row this very call was made with the same answer to give, this time included. Starts anew after
   * another call of the session.
   */
  repeats(sessionId: string, call: string, answer: string): number;
  /** True when the session has been given this answer to this call before, since the last `forget`. */
  served(sessionId: string, call: string, answer: string): boolean;
  /** Told after every call of any tool: one that is no read or search ends a row of repeats. */
  afterCall(tool: string, sessionId: string): void;
  /** How often in a row edits of this path failed; `failed` false starts anew. */
  failures(sessionId: string, path: string, failed: boolean): number;
  /** The session's context no longer holds what it was shown (compression, undo). */
  forget(sessionId: string): void;
}

interface Known {
  readonly files: Map<string, FileStamp>;
  readonly served: Map<string, string>;
  readonly failures: Map<string, number>;
  last: { key: string; times: number };
}

/** Tools that count their own repeats. */
const COUNTED = new Set(['read_file', 'search_files']);

export function hashOf(bytes: Uint8Array): string {
  // Loaded with the first file, not with every start.
  const { createHash } = process.getBuiltinModule('node:crypto');
  return createHash('sha1').update(bytes).digest('base64');
}

/** @param guard false: every file counts as never seen, so that none is refused as changed */
export function createFileLedger({ guard = true } = {}): FileLedger {
  const sessions = new Map<string, Known>();

  function of(sessionId: string): Known {
    const found = sessions.get(sessionId);
    if (found !== undefined) return found;
    const made = { files: new Map(), served: new Map(), failures: new Map(), last: { key: '', times: 0 } };
    sessions.set(sessionId, made);
    return made;
  }

  return {
    note: (sessionId, path, stamp) => void of(sessionId).files.set(path, stamp),
    compare(sessionId, path, now) {
      const seen = guard ? of(sessionId).files.get(path) : undefined;
      if (seen === undefined) return 'unknown';
      return isSame(seen, now) ? 'same' : 'changed';
    },
    repeats(sessionId, call, answer) {
      const known = of(sessionId);
      const key = `${call}\0${answer}`;
      known.last = { key, times: known.last.key === key ? known.last.times + 1 : 1 };
      return known.last.times;
    },
    served(sessionId, call, answer) {
      const { served } = of(sessionId);
      if (served.get(call) === answer) return true;
      served.set(call, answer);
      return false;
    },
    afterCall(tool, sessionId) {
      if (!COUNTED.has(tool)) of(sessionId).last = { key: '', times: 0 };
    },
    failures(sessionId, path, failed) {
      const { failures } = of(sessionId);
      const times = failed ? (failures.get(path) ?? 0) + 1 : 0;
      failures.set(path, times);
      return times;
    },
    // What was seen on disk stays known: a write after a compression is still checked against it.
    forget(sessionId) {
      of(sessionId).served.clear();
      of(sessionId).last = { key: '', times: 0 };
    },
  };
}

function isSame(a: FileStamp, b: FileStamp): boolean {
  if (a.hash !== undefined && b.hash !== undefined) return a.hash === b.hash;
  return a.mtimeMs === b.mtimeMs && a.size === b.size;
}
