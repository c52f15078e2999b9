/**
 * Sessions and their messages. All methods are async, although SQLite is not, so that a second implementation
 * (PostgreSQL, for gateways that outgrow one machine) fits behind it.
 */
import type { ChatMessage } from '../contracts/message.ts';

/** `new_session`, `user_exit`, `compression`, `branched`, ... ; the first one set wins. */
export type EndReason = string;

export interface NewSession {
  readonly id: string;
  readonly source: string;
  readonly model: string;
  readonly provider: string;
  readonly baseUrl?: string;
  readonly systemPrompt: string;
  /** Names of the tools whose schemas the session's prefix holds, in order. */
  readonly toolNames: readonly string[];
  readonly cwd: string;
  readonly profile: string;
  readonly parentId?: string;
  /** JSON run settings and lineage markers (`_branched_from`, `_reset_from`, `_delegate_from`). */
  readonly modelConfig?: Readonly<Record<string, unknown>>;
  readonly title?: string;
  /** Default `user`. A derived title steps aside when it is taken. */
  readonly titleSource?: string;
  readonly userId?: string;
}

export interface SessionRow extends NewSession {
  /** Epoch milliseconds. */
  readonly startedAt: number;
  readonly endedAt?: number;
  readonly endReason?: EndReason;
  readonly messageCount: number;
  readonly toolCallCount: number;
  readonly lastActiveAt: number;
  /** First real user message, one line, at most 60 characters and `...`. */
  readonly preview: string;
  readonly usage: SessionUsage;
}

export interface SessionUsage {
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly cacheReadTokens: number;
  readonly cacheWriteTokens: number;
  readonly reasoningTokens: number;
  readonly apiCalls: number;
  /** Undefined: not known, which is never shown as zero. */
  readonly costUsd?: number;
  readonly costStatus: 'actual' | 'estimated' | 'included' | 'unknown';
}

export interface StoredMessage {
  readonly message: ChatMessage;
  /** The exact text sent when it differed from the message (recalled memory); replayed verbatim. */
  readonly apiContent?: string;
  /** `hidden`: scaffolding for the model only, left out of search and previews. `steering`: said to a running turn. */
  readonly displayKind?: string;
  /** What a person typed, when the message was composed from it (a skill's body ...): shown in previews instead. */
  readonly displayText?: string;
  /** A generated summary of older messages. */
  readonly isSummary?: boolean;
}

export interface LoadedMessage extends StoredMessage {
  /** Global, ascending. */
  readonly rowId: number;
}

export interface LoadedSession {
  readonly row: SessionRow;
  /**
   * Live history in order, ready to send: every tool call has exactly one result directly after its reply (a
   * result that says so was written for a call that a crash had left open), and no orphan result is left.
   */
  readonly messages: readonly LoadedMessage[];
}

export interface SearchFilter {
  readonly roles?: readonly ('user' | 'assistant' | 'tool')[];
  readonly sources?: readonly string[];
  readonly excludeSources?: readonly string[];
  readonly limit?: number;
  readonly offset?: number;
  /** Relevance when absent. */
  readonly sort?: 'newest' | 'oldest';
}

export interface SearchHit {
  readonly rowId: number;
  readonly sessionId: string;
  readonly role: 'user' | 'assistant' | 'tool';
  /** Matches between `>>>` and `<<<`. */
  readonly snippet: string;
  /** Epoch milliseconds. */
  readonly at: number;
  readonly source: string;
  readonly model: string;
  readonly title?: string;
  readonly toolName?: string;
}

export interface ListFilter {
  readonly sources?: readonly string[];
  readonly excludeSources?: readonly string[];
  readonly cwd?: string;
  readonly limit?: number;
  readonly offset?: number;
  /** Also subagents, tools and ancestors of compressed sessions. */
  readonly all?: boolean;
}

export interface MessageWindow {
  /** In order, the anchor among them. */
  readonly messages: readonly LoadedMessage[];
  /** How many of them stand before the anchor, and after: fewer than asked for means that end is reached. */
  readonly before: number;
  readonly after: number;
}

export interface SessionEnds {
  /** Ascending; `last` never repeats what `first` holds. */
  readonly first: readonly LoadedMessage[];
  readonly last: readonly LoadedMessage[];
  /** All such messages of the session. */
  readonly total: number;
}

/** Added to what is stored; absent fields leave it alone. */
export interface UsageDelta {
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly cacheReadTokens: number;
  readonly cacheWriteTokens: number;
  readonly reasoningTokens: number;
  readonly apiCalls: number;
  readonly costUsd?: number;
  readonly costStatus?: SessionUsage['costStatus'];
  readonly model: string;
  readonly provider: string;
  readonly baseUrl?: string;
  /** `''` for the turn itself, else the auxiliary task. */
  readonly task?: string;
}

export interface CreateOptions {
  /** Ends the parent in the same transaction, so that no crash can come between (`compression`, `branched`). */
  readonly endParent?: EndReason;
}

export interface SessionStore {
  /**
   * Insert or ignore by id; a session that exists already gets no messages. `messages` go in with it, in one
   * transaction. A child that is no subagent inherits from its parent who it belongs to (user, chat, thread).
   * Returns the row ids.
   */
  create(session: NewSession, messages?: readonly StoredMessage[], options?: CreateOptions): Promise<readonly number[]>;
  /**
   * Durable when it resolves: survives `kill -9`. One transaction. Returns the row ids in order.
   * @throws AppError `session-not-found`
   */
  append(
    sessionId: string,
    messages: readonly StoredMessage[],
    /** What they cost, in the same transaction. */
    usage?: readonly UsageDelta[],
  ): Promise<readonly number[]>;
  /**
   * Writes the missing results of interrupted calls, unless `readOnly`, which only shows them.
   * @throws AppError `session-not-found`
   */
  load(sessionId: string, options?: { readonly readOnly?: boolean }): Promise<LoadedSession>;
  get(sessionId: string): Promise<SessionRow | undefined>;
  /** Follows compression children to the live end. */
  tip(sessionId: string): Promise<string>;
  /** id → unique prefix → title → newest `title #N`. @throws AppError `session-not-found`, `session-ambiguous` */
  resolve(reference: string): Promise<string>;
  /** Newest by activity that may be continued. */
  latest(filter: ListFilter): Promise<SessionRow | undefined>;
  /** Any string is a valid query; one that holds nothing to search gives no hits. */
  search(query: string, filter?: SearchFilter): Promise<readonly SearchHit[]>;
  /** User, assistant and tool rows around a row of that session. @throws AppError `message-not-found` */
  around(sessionId: string, rowId: number, window: number): Promise<MessageWindow>;
  /** The session's first and last shown user and assistant messages that hold text; writes nothing, unlike `load`. */
  ends(sessionId: string, first: number, last: number): Promise<SessionEnds>;
  /** Everything said that was not undone, compressed-away messages too, as stored: for export and reading. */
  transcript(sessionId: string): Promise<readonly LoadedMessage[]>;
  /** Newest activity first. */
  list(filter?: ListFilter): Promise<readonly SessionRow[]>;
  /** Root of the lineage, following parents, cycle-safe. */
  root(sessionId: string): Promise<string>;
  /** No-op when already ended. */
  end(sessionId: string, reason: EndReason): Promise<void>;
  reopen(sessionId: string): Promise<void>;
  /**
   * Sanitised, at most 100 characters, unique; '' clears. A made title never replaces a better one (derived < llm <
   * user) and steps aside to `title #N` when taken. Returns the title in force.
   * @throws AppError `title-taken` for a user's title, `session-not-found`
   */
  setTitle(sessionId: string, title: string, source: 'derived' | 'llm' | 'user'): Promise<string>;
  /** Sessions whose title holds the text, exact matches first, then newest. */
  findTitled(text: string, limit?: number): Promise<readonly SessionRow[]>;
  /** `base #N`, free, for a continuation or branch of a titled session; undefined when it has no title. */
  nextTitle(sessionId: string): Promise<string | undefined>;
  setModel(sessionId: string, model: string, provider: string, baseUrl?: string): Promise<void>;
  /** Hides the live messages from `rowId` on, for good (undo). */
  rewind(sessionId: string, rowId: number): Promise<void>;
  addUsage(sessionId: string, usage: UsageDelta): Promise<void>;
  delete(sessionId: string): Promise<void>;
  close(): Promise<void>;
}
