/** The `sessions` table's row as the house sees it, with preview and last activity. */
import { contentText } from './content-column.ts';
import { parseJsonArray, parseJsonObject } from './json.ts';
import type { SessionRow, SessionUsage } from './session-store.ts';

const PREVIEW_CHARS = 60;
const PREVIEW_READ_CHARS = 400;

/** SQL: freshest of heartbeat, newest message and start, in seconds. */
export const LAST_ACTIVE = `MAX(s.started_at, COALESCE(s.last_activity_at, 0),
  COALESCE((SELECT MAX(t.timestamp) FROM messages t WHERE t.session_id = s.id), 0))`;

/** SQL: rows that were not undone and are no scaffolding. */
export const VISIBLE = `(m.active = 1 OR m.compacted = 1) AND COALESCE(m.display_kind, '') <> 'hidden'`;

const COLUMNS = `s.id, s.source, s.user_id, s.model, s.model_config,
  COALESCE(s.system_prompt, (SELECT p.prompt FROM system_prompts p WHERE p.hash = s.system_prompt_hash)) AS system_prompt,
  s.parent_session_id, s.started_at, s.ended_at, s.end_reason, s.message_count, s.tool_call_count, s.api_call_count,
  s.input_tokens, s.output_tokens, s.cache_read_tokens, s.cache_write_tokens, s.reasoning_tokens,
  s.estimated_cost_usd, s.actual_cost_usd, s.cost_status, s.billing_provider, s.billing_base_url,
  s.title, s.title_source, s.cwd, s.profile_name, s.tool_names,
  ${LAST_ACTIVE} AS last_active,
  (SELECT CASE WHEN m.display_metadata IS NOT NULL AND json_valid(m.display_metadata) AND json_extract(m.display_metadata, '$.text') IS NOT NULL
      THEN json_extract(m.display_metadata, '$.text')
      WHEN m.content < char(1) THEN m.content ELSE substr(m.content, 1, ${PREVIEW_READ_CHARS}) END
    FROM messages m WHERE m.session_id = s.id AND m.role = 'user' AND m._compressed_summary = 0 AND ${VISIBLE}
    ORDER BY m.id LIMIT 1) AS preview`;

export const SELECT_SESSION = `SELECT ${COLUMNS} FROM sessions s`;

export type SessionRecord = Readonly<Record<string, string | number | null>>;

export function decodeSession(record: SessionRecord): SessionRow {
  const text = (name: string): string => String(record[name] ?? '');
  const count = (name: string): number => Number(record[name] ?? 0);
  return {
    id: text('id'),
    source: text('source'),
    model: text('model'),
    provider: text('billing_provider'),
    systemPrompt: text('system_prompt'),
    toolNames: parseJsonArray(text('tool_names')).filter((name) => typeof name === 'string'),
    cwd: text('cwd'),
    profile: text('profile_name') || 'default',
    startedAt: millis(count('started_at')),
    messageCount: count('message_count'),
    toolCallCount: count('tool_call_count'),
    lastActiveAt: millis(count('last_active')),
    preview: previewText(text('preview')),
    usage: decodeUsage(record),
    ...optional('baseUrl', text('billing_base_url')),
    ...optional('parentId', text('parent_session_id')),
    ...optional('title', text('title')),
    ...optional('titleSource', text('title_source')),
    ...optional('userId', text('user_id')),
    ...optional('endReason', text('end_reason')),
    ...optional('modelConfig', parseJsonObject(text('model_config'))),
    ...(record.ended_at != null && { endedAt: millis(count('ended_at')) }),
  };
}

function decodeUsage(record: SessionRecord): SessionUsage {
  const count = (name: string): number => Number(record[name] ?? 0);
  const costUsd =
    record.cost_status === 'actual'
      ? (record.actual_cost_usd ?? record.estimated_cost_usd)
      : (record.estimated_cost_usd ?? record.actual_cost_usd);
  return {
    inputTokens: count('input_tokens'),
    outputTokens: count('output_tokens'),
    cacheReadTokens: count('cache_read_tokens'),
    cacheWriteTokens: count('cache_write_tokens'),
    reasoningTokens: count('reasoning_tokens'),
    apiCalls: count('api_call_count'),
    costStatus: costStatus(record.cost_status),
    ...(typeof costUsd === 'number' && { costUsd }),
  };
}

export function costStatus(stored: unknown): SessionUsage['costStatus'] {
  return stored === 'actual' || stored === 'estimated' || stored === 'included' ? stored : 'unknown';
}

/** One line of at most 60 characters and `...`. */
function previewText(content: string): string {
  const line = skillInvocation(contentText(content)).replace(/\s+/g, ' ').trim();
  const chars = [...line];
  return chars.length <= PREVIEW_CHARS ? line : `${chars.slice(0, PREVIEW_CHARS).join('')}...`;
}

/** The original stores an invoked skill's whole text as the user's message, headed by this sentence. */
function skillInvocation(text: string): string {
  const match = /^\[(?:IMPORTANT|SYSTEM): The user has invoked the "([^"]+)" skill/.exec(text);
  return match ? `/${match[1]}` : text;
}

function millis(seconds: number): number {
  return Math.round(seconds * 1000);
}

function optional<K extends string, V>(key: K, value: V | undefined): { [P in K]?: V } {
  return (value === undefined || value === '' ? {} : { [key]: value }) as { [P in K]?: V };
}
