/**
 * The layout of `state.db`, shared with the original product: column names and meanings are a wire format. A
 * column that an older file lacks is added on open, one that we do not know is left alone.
 */

export interface Column {
  readonly name: string;
  /** Type, default and reference, as they stand in DDL. */
  readonly type: string;
}

export interface Table {
  readonly name: string;
  readonly columns: readonly Column[];
  readonly constraint?: string;
}

/** `'name TYPE ...'` per line; short, because the tables are read more often than they are changed. */
function columns(text: string): Column[] {
  return text
    .trim()
    .split('\n')
    .map((line) => {
      const [name = '', ...type] = line.trim().split(' ');
      return { name, type: type.join(' ') };
    });
}

const sessions: Table = {
  name: 'sessions',
  columns: columns(`
    id TEXT PRIMARY KEY
    source TEXT NOT NULL
    user_id TEXT
    model TEXT
    model_config TEXT
    system_prompt TEXT
    parent_session_id TEXT REFERENCES sessions(id)
    started_at REAL NOT NULL
    ended_at REAL
    end_reason TEXT
    message_count INTEGER DEFAULT 0
    tool_call_count INTEGER DEFAULT 0
    input_tokens INTEGER DEFAULT 0
    output_tokens INTEGER DEFAULT 0
    cache_read_tokens INTEGER DEFAULT 0
    cache_write_tokens INTEGER DEFAULT 0
    reasoning_tokens INTEGER DEFAULT 0
    billing_provider TEXT
    billing_base_url TEXT
    billing_mode TEXT
    estimated_cost_usd REAL
    actual_cost_usd REAL
    cost_status TEXT
    cost_source TEXT
    pricing_version TEXT
    title TEXT
    api_call_count INTEGER DEFAULT 0
    title_source TEXT
    cwd TEXT
    git_branch TEXT
    git_repo_root TEXT
    git_metadata_generation INTEGER NOT NULL DEFAULT 0
    session_key TEXT
    chat_id TEXT
    chat_type TEXT
    thread_id TEXT
    display_name TEXT
    origin_json TEXT
    expiry_finalized INTEGER DEFAULT 0
    created_source TEXT
    system_prompt_hash TEXT REFERENCES system_prompts(hash)
    last_activity_at REAL
    last_activity_description TEXT
    last_activity_provenance TEXT
    handoff_state TEXT
    handoff_platform TEXT
    handoff_error TEXT
    compression_failure_cooldown_until REAL
    compression_failure_error TEXT
    compression_fallback_streak INTEGER NOT NULL DEFAULT 0
    compression_ineffective_count INTEGER NOT NULL DEFAULT 0
    compression_overload_streak INTEGER NOT NULL DEFAULT 0
    compression_recovery_deadline REAL
    last_read_at REAL
    profile_name TEXT
    transport_profile TEXT
    tool_names TEXT
    rewind_count INTEGER NOT NULL DEFAULT 0
    archived INTEGER NOT NULL DEFAULT 0
    pinned INTEGER NOT NULL DEFAULT 0
    hidden INTEGER NOT NULL DEFAULT 0`),
};

const messages: Table = {
  name: 'messages',
  columns: columns(`
    id INTEGER PRIMARY KEY AUTOINCREMENT
    session_id TEXT NOT NULL REFERENCES sessions(id)
    role TEXT NOT NULL
    content TEXT
    tool_call_id TEXT
    tool_calls TEXT
    tool_name TEXT
    timestamp REAL NOT NULL
    token_count INTEGER
    finish_reason TEXT
    reasoning TEXT
    reasoning_content TEXT
    reasoning_details TEXT
    codex_reasoning_items TEXT
    codex_message_items TEXT
    api_content TEXT
    active INTEGER NOT NULL DEFAULT 1
    compacted INTEGER NOT NULL DEFAULT 0
    _compressed_summary INTEGER NOT NULL DEFAULT 0
    observed INTEGER DEFAULT 0
    platform_message_id TEXT
    effect_disposition TEXT
    display_kind TEXT
    display_metadata TEXT
    extra_json TEXT`),
};

const counters = `
    input_tokens INTEGER NOT NULL DEFAULT 0
    output_tokens INTEGER NOT NULL DEFAULT 0
    cache_read_tokens INTEGER NOT NULL DEFAULT 0
    cache_write_tokens INTEGER NOT NULL DEFAULT 0
    reasoning_tokens INTEGER NOT NULL DEFAULT 0
    api_call_count INTEGER NOT NULL DEFAULT 0`;

const sessionModelUsage: Table = {
  name: 'session_model_usage',
  columns: columns(`
    session_id TEXT NOT NULL REFERENCES sessions(id) ON DELETE CASCADE
    model TEXT NOT NULL DEFAULT ''
    billing_provider TEXT NOT NULL DEFAULT ''
    billing_base_url TEXT NOT NULL DEFAULT ''
    billing_mode TEXT NOT NULL DEFAULT ''
    task TEXT NOT NULL DEFAULT ''${counters}
    estimated_cost_usd REAL
    actual_cost_usd REAL
    cost_status TEXT
    cost_source TEXT
    first_seen REAL
    last_seen REAL`),
  constraint: 'PRIMARY KEY (session_id, model, billing_provider, billing_base_url, billing_mode, task)',
};

export const tables: readonly Table[] = [
  { name: 'schema_version', columns: columns('version INTEGER NOT NULL') },
  { name: 'state_meta', columns: columns('key TEXT PRIMARY KEY\nvalue TEXT') },
  { name: 'system_prompts', columns: columns('hash TEXT PRIMARY KEY\nprompt TEXT NOT NULL') },
  sessions,
  messages,
  sessionModelUsage,
  {
    name: 'gateway_routing',
    columns: columns('scope TEXT NOT NULL\nsession_key TEXT NOT NULL\nentry_json TEXT NOT NULL\nupdated_at REAL'),
    constraint: 'PRIMARY KEY (scope, session_key)',
  },
  {
    name: 'compression_locks',
    columns: columns(
      'session_id TEXT PRIMARY KEY\nholder TEXT NOT NULL\nacquired_at REAL NOT NULL\nexpires_at REAL NOT NULL',
    ),
  },
  {
    name: 'session_turn_leases',
    columns: columns(
      'conversation_id TEXT PRIMARY KEY\nholder TEXT NOT NULL\nacquired_at REAL NOT NULL\nexpires_at REAL NOT NULL',
    ),
  },
];

/** Columns without which no session can be read: a file that lacks one is not ours to write to. */
export const essentialColumns: Readonly<Record<string, readonly string[]>> = {
  sessions: ['id', 'source', 'started_at'],
  messages: ['id', 'session_id', 'role', 'content', 'timestamp'],
};

/** Created after the columns are complete, because some stand on late ones. */
export const indexes: readonly string[] = [
  'idx_sessions_source ON sessions(source)',
  'idx_sessions_source_id ON sessions(source, id)',
  'idx_sessions_parent ON sessions(parent_session_id)',
  'idx_sessions_started ON sessions(started_at DESC)',
  'idx_sessions_key ON sessions(session_key, started_at DESC)',
  'idx_sessions_activity ON sessions(COALESCE(last_activity_at, started_at) DESC, started_at DESC)',
  'idx_messages_session ON messages(session_id, timestamp)',
  'idx_messages_session_id ON messages(session_id, id)',
  'idx_messages_session_active ON messages(session_id, active, timestamp)',
];

export const uniqueTitleIndex = 'idx_sessions_title_unique ON sessions(title) WHERE title IS NOT NULL';
