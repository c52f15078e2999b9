/**
 * A home folder as the original product leaves it: configuration, secrets, memories, and a `state.db` written by
 * its own layout, so that tests can point Hermes at the home a person already has.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

/** `11`: search tables with their own text. `23`: external content, more columns, and one that nobody knows yet. */
export type OriginalLayout = 11 | 23;

export interface OriginalHome {
  readonly home: string;
  readonly stateDb: string;
  readonly sessions: typeof ORIGINAL_SESSIONS;
}

export const ORIGINAL_SESSIONS = {
  /** Ended by compression; goes on in `continued`. */
  compressed: '20260301_090000_a1b2c3',
  continued: '20260301_101500_d4e5f6',
  /** A chat in Japanese. */
  japanese: '20260305_120000_0f1e2d3c',
  /** Tool calls with results, a picture, reasoning. */
  tools: '20260306_080000_77aa88',
  subagent: '20260306_080100_99bb00',
  /** The process died while a tool was running. */
  crashed: '20260307_070000_c0ffee',
} as const;

export const ORIGINAL_PROMPT = 'You are Hermes, a helpful agent.\n\nCurrent date: 2026-03-01';

export function buildOriginalHome(home: string, layout: OriginalLayout = 11): OriginalHome {
  mkdirSync(join(home, 'memories'), { recursive: true });
  mkdirSync(join(home, 'skills'), { recursive: true });
  writeFileSync(join(home, 'config.yaml'), CONFIG);
  writeFileSync(join(home, '.env'), '# keys of the providers\nOPENROUTER_API_KEY=sk-or-test-0000\n');
  writeFileSync(
    join(home, 'memories', 'MEMORY.md'),
    'The staging server is reached through the bastion host.\n§\nTests run with `make check`.',
  );
  writeFileSync(join(home, 'memories', 'USER.md'), 'Prefers short answers.');
  const stateDb = join(home, 'state.db');
  buildOriginalDatabase(stateDb, layout);
  return { home, stateDb, sessions: ORIGINAL_SESSIONS };
}

export function buildOriginalDatabase(path: string, layout: OriginalLayout = 11): void {
  const db = new DatabaseSync(path);
  try {
    db.exec('PRAGMA journal_mode = WAL');
    db.exec(BASE_TABLES);
    if (layout === 23) db.exec(LATER_COLUMNS);
    db.exec(
      layout === 11
        ? inlineSearch('messages_fts', '') + inlineSearch('messages_fts_trigram', ", tokenize='trigram'")
        : EXTERNAL_SEARCH,
    );
    db.prepare('INSERT INTO schema_version(version) VALUES (?)').run(layout);
    fill(db);
  } finally {
    db.close();
  }
}

const CONFIG = `# written by hand, keep my comments
model:
  default: anthropic/claude-sonnet-4
  provider: openrouter
agent:
  max_turns: 60
display:
  compact: true   # small screen
my_own_note: stays
`;

const BASE_TABLES = `
CREATE TABLE schema_version (version INTEGER NOT NULL);
CREATE TABLE sessions (
  id TEXT PRIMARY KEY, source TEXT NOT NULL, user_id TEXT, model TEXT, model_config TEXT, system_prompt TEXT,
  parent_session_id TEXT, started_at REAL NOT NULL, ended_at REAL, end_reason TEXT,
  message_count INTEGER DEFAULT 0, tool_call_count INTEGER DEFAULT 0,
  input_tokens INTEGER DEFAULT 0, output_tokens INTEGER DEFAULT 0, cache_read_tokens INTEGER DEFAULT 0,
  cache_write_tokens INTEGER DEFAULT 0, reasoning_tokens INTEGER DEFAULT 0,
  billing_provider TEXT, billing_base_url TEXT, billing_mode TEXT,
  estimated_cost_usd REAL, actual_cost_usd REAL, cost_status TEXT, cost_source TEXT, pricing_version TEXT,
  title TEXT, api_call_count INTEGER DEFAULT 0,
  FOREIGN KEY (parent_session_id) REFERENCES sessions(id));
CREATE TABLE messages (
  id INTEGER PRIMARY KEY AUTOINCREMENT, session_id TEXT NOT NULL REFERENCES sessions(id), role TEXT NOT NULL,
  content TEXT, tool_call_id TEXT, tool_calls TEXT, tool_name TEXT, timestamp REAL NOT NULL, token_count INTEGER,
  finish_reason TEXT, reasoning TEXT, reasoning_content TEXT, reasoning_details TEXT,
  codex_reasoning_items TEXT, codex_message_items TEXT);
CREATE TABLE state_meta (key TEXT PRIMARY KEY, value TEXT);
CREATE INDEX idx_sessions_source ON sessions(source);
CREATE INDEX idx_sessions_parent ON sessions(parent_session_id);
CREATE INDEX idx_sessions_started ON sessions(started_at DESC);
CREATE INDEX idx_messages_session ON messages(session_id, timestamp);
CREATE UNIQUE INDEX idx_sessions_title_unique ON sessions(title) WHERE title IS NOT NULL;
`;

const LATER_COLUMNS = `
ALTER TABLE sessions ADD COLUMN title_source TEXT;
ALTER TABLE sessions ADD COLUMN cwd TEXT;
ALTER TABLE sessions ADD COLUMN archived INTEGER NOT NULL DEFAULT 0;
ALTER TABLE sessions ADD COLUMN invented_later TEXT;
ALTER TABLE messages ADD COLUMN active INTEGER NOT NULL DEFAULT 1;
ALTER TABLE messages ADD COLUMN compacted INTEGER NOT NULL DEFAULT 0;
ALTER TABLE messages ADD COLUMN observed INTEGER DEFAULT 0;
ALTER TABLE messages ADD COLUMN api_content TEXT;
ALTER TABLE messages ADD COLUMN invented_later TEXT;
CREATE TABLE invented_table (name TEXT PRIMARY KEY);
`;

function inlineSearch(table: string, tokenizer: string): string {
  const text = "COALESCE(new.content, '') || ' ' || COALESCE(new.tool_name, '') || ' ' || COALESCE(new.tool_calls, '')";
  const add = `INSERT INTO ${table}(rowid, content) VALUES (new.id, ${text});`;
  const remove = `DELETE FROM ${table} WHERE rowid = old.id;`;
  return `CREATE VIRTUAL TABLE ${table} USING fts5(content${tokenizer});
    CREATE TRIGGER ${table}_insert AFTER INSERT ON messages BEGIN ${add} END;
    CREATE TRIGGER ${table}_delete AFTER DELETE ON messages BEGIN ${remove} END;
    CREATE TRIGGER ${table}_update AFTER UPDATE ON messages BEGIN ${remove} ${add} END;\n`;
}

function externalTriggers(table: string, columns: string, guard: (row: string) => string): string {
  const values = (row: string): string =>
    columns
      .split(', ')
      .map((name) => `${row}.${name}`)
      .join(', ');
  const add = `INSERT INTO ${table}(rowid, ${columns}) VALUES (new.id, ${values('new')});`;
  const remove = `INSERT INTO ${table}(${table}, rowid, ${columns}) VALUES ('delete', old.id, ${values('old')});`;
  return `CREATE TRIGGER ${table}_insert AFTER INSERT ON messages ${guard('new')} BEGIN ${add} END;
    CREATE TRIGGER ${table}_delete AFTER DELETE ON messages ${guard('old')} BEGIN ${remove} END;
    CREATE TRIGGER ${table}_update AFTER UPDATE OF ${columns} ON messages ${guard('old')} BEGIN ${remove} ${add} END;\n`;
}

const EXTERNAL_SEARCH = `
CREATE VIRTUAL TABLE messages_fts USING fts5(content, tool_name, tool_calls, content='messages', content_rowid='id');
${externalTriggers('messages_fts', 'content, tool_name, tool_calls', () => '')}
CREATE VIEW messages_fts_trigram_src AS SELECT id, role, content, tool_name FROM messages WHERE role <> 'tool';
CREATE VIRTUAL TABLE messages_fts_trigram USING fts5(content, tool_name, content='messages_fts_trigram_src', content_rowid='id', tokenize='trigram');
${externalTriggers('messages_fts_trigram', 'content, tool_name', (row) => `WHEN ${row}.role <> 'tool'`)}
`;

type Values = Readonly<Record<string, string | number | null>>;

function insert(db: DatabaseSync, table: string, values: Values): void {
  const names = Object.keys(values);
  db.prepare(`INSERT INTO ${table} (${names.join(', ')}) VALUES (${names.map(() => '?').join(', ')})`).run(
    ...Object.values(values),
  );
}

function fill(db: DatabaseSync): void {
  const ids = ORIGINAL_SESSIONS;
  const at = (text: string): number => Date.parse(text) / 1000;
  const session = (id: string, startedAt: number, values: Values = {}): void =>
    insert(db, 'sessions', {
      id,
      source: 'cli',
      model: 'anthropic/claude-sonnet-4',
      billing_provider: 'openrouter',
      system_prompt: ORIGINAL_PROMPT,
      started_at: startedAt,
      ...values,
    });
  const message = (
    sessionId: string,
    role: string,
    content: string | null,
    timestamp: number,
    values: Values = {},
  ): void => insert(db, 'messages', { session_id: sessionId, role, content, timestamp, ...values });

  const first = at('2026-03-01T09:00:00Z');
  session(ids.compressed, first, {
    title: 'Deploy pipeline',
    ended_at: first + 4500,
    end_reason: 'compression',
    message_count: 2,
  });
  message(ids.compressed, 'user', 'Why does the deploy pipeline stop at the upload step?', first + 1);
  message(ids.compressed, 'assistant', 'The upload step waits for a token that has expired.', first + 2.25, {
    finish_reason: 'stop',
  });

  session(ids.continued, first + 4500, {
    title: 'Deploy pipeline #2',
    parent_session_id: ids.compressed,
    message_count: 3,
  });
  message(ids.continued, 'user', '[CONTEXT SUMMARY]: the upload token of the pipeline had expired.', first + 4501);
  message(ids.continued, 'user', 'Renew it every night then.', first + 4502);
  message(ids.continued, 'assistant', 'A nightly job now renews the token.', first + 4503, { finish_reason: 'stop' });

  const japanese = at('2026-03-05T12:00:00Z');
  session(ids.japanese, japanese, { source: 'telegram', user_id: '501', message_count: 2 });
  message(ids.japanese, 'user', '来週の在庫調整会議は中止です', japanese + 1);
  message(ids.japanese, 'assistant', '承知しました。この修正kintoneサーバー側です', japanese + 2);

  const tools = at('2026-03-06T08:00:00Z');
  session(ids.tools, tools, {
    message_count: 5,
    tool_call_count: 2,
    input_tokens: 1200,
    output_tokens: 80,
    estimated_cost_usd: 0.01,
    cost_status: 'estimated',
  });
  message(
    ids.tools,
    'user',
    '\0json:[{"type": "text", "text": "What is on this screenshot?"}, {"type": "image_url", "image_url": {"url": "data:image/png;base64,iVBORw0KGgo="}}]',
    tools + 1,
  );
  message(ids.tools, 'assistant', 'Let me look.', tools + 2, {
    finish_reason: 'tool_calls',
    reasoning: 'Two files may matter.',
    tool_calls: JSON.stringify([
      { id: 'call_a', type: 'function', function: { name: 'read_file', arguments: '{"path": "notes.md"}' } },
      { id: 'call_b', type: 'function', function: { name: 'terminal', arguments: '{"command": "ls"}' } },
    ]),
  });
  message(ids.tools, 'tool', '{"content": "remember the bastion"}', tools + 3, {
    tool_call_id: 'call_a',
    tool_name: 'read_file',
  });
  message(ids.tools, 'tool', '{"output": "notes.md", "exit_code": 0}', tools + 4, {
    tool_call_id: 'call_b',
    tool_name: 'terminal',
  });
  message(ids.tools, 'assistant', 'A login form; the notes mention the bastion.', tools + 5, { finish_reason: 'stop' });

  session(ids.subagent, tools + 60, {
    source: 'subagent',
    parent_session_id: ids.tools,
    message_count: 1,
    model_config: JSON.stringify({ _delegate_from: ids.tools }),
  });
  message(ids.subagent, 'user', 'Count the lines of notes.md', tools + 61);

  const crashed = at('2026-03-07T07:00:00Z');
  session(ids.crashed, crashed, { message_count: 2, tool_call_count: 1 });
  message(ids.crashed, 'user', 'Run the long migration', crashed + 1);
  message(ids.crashed, 'assistant', null, crashed + 2, {
    finish_reason: 'tool_calls',
    tool_calls:
      '[{"id": "call_z", "type": "function", "function": {"name": "terminal", "arguments": "{\\"command\\": \\"migrate\\"}"}}]',
  });
}
