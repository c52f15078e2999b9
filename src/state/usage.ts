/** Tokens and cost, added up per session and per model. Unknown cost stays unknown. */
import type { StateDatabase } from './database.ts';
import { costStatus } from './session-row.ts';
import type { SessionUsage, UsageDelta } from './session-store.ts';
import type { Writer } from './write.ts';

type CostStatus = SessionUsage['costStatus'];

const COUNTERS = `input_tokens = COALESCE(input_tokens, 0) + ?, output_tokens = COALESCE(output_tokens, 0) + ?,
  cache_read_tokens = COALESCE(cache_read_tokens, 0) + ?, cache_write_tokens = COALESCE(cache_write_tokens, 0) + ?,
  reasoning_tokens = COALESCE(reasoning_tokens, 0) + ?, api_call_count = COALESCE(api_call_count, 0) + ?,
  estimated_cost_usd = CASE WHEN ?7 IS NULL THEN estimated_cost_usd ELSE COALESCE(estimated_cost_usd, actual_cost_usd, 0) + ?7 END,
  actual_cost_usd = CASE WHEN ?8 IS NULL THEN actual_cost_usd ELSE COALESCE(actual_cost_usd, 0) + ?8 END,
  cost_status = ?9`;

export function addUsage(db: StateDatabase, writer: Writer, sessionId: string, usage: UsageDelta): Promise<void> {
  return writer.run(() => recordUsage(db, sessionId, usage));
}

/** Inside the caller's transaction. */
export function recordUsage(db: StateDatabase, sessionId: string, usage: UsageDelta): void {
  const session = db.sql('SELECT cost_status FROM sessions WHERE id = ?').get(sessionId);
  if (session === undefined) return; // deleted meanwhile: nothing to account to
  db.sql(`UPDATE sessions SET ${COUNTERS}, billing_provider = COALESCE(billing_provider, ?10),
    billing_base_url = COALESCE(billing_base_url, ?11), model = COALESCE(model, ?12) WHERE id = ?13`).run(
    ...amounts(usage, session.cost_status),
    usage.provider,
    usage.baseUrl ?? null,
    usage.model,
    sessionId,
  );
  addModelUsage(db, sessionId, usage);
}

function addModelUsage(db: StateDatabase, sessionId: string, usage: UsageDelta): void {
  const key = [sessionId, usage.model, usage.provider, usage.baseUrl ?? '', usage.task ?? ''] as const;
  const matches = `session_id = ? AND model = ? AND billing_provider = ? AND billing_base_url = ? AND billing_mode = '' AND task = ?`;
  const now = Date.now() / 1000;
  const known = db.sql(`SELECT cost_status FROM session_model_usage WHERE ${matches}`).get(...key);
  if (known === undefined) {
    db.sql(`INSERT INTO session_model_usage (session_id, model, billing_provider, billing_base_url, task, first_seen)
      VALUES (?, ?, ?, ?, ?, ?)`).run(...key, now);
  }
  db.sql(`UPDATE session_model_usage SET ${COUNTERS}, last_seen = ?10 WHERE ${matches}`).run(
    ...amounts(usage, known?.cost_status),
    now,
    ...key,
  );
}

function amounts(usage: UsageDelta, stored: unknown): (number | string | null)[] {
  const status = statusOf(usage);
  const before = typeof stored === 'string' && stored !== '' ? costStatus(stored) : undefined;
  return [
    usage.inputTokens,
    usage.outputTokens,
    usage.cacheReadTokens,
    usage.cacheWriteTokens,
    usage.reasoningTokens,
    usage.apiCalls,
    usage.costUsd ?? null, // best known sum: real cost is as good an estimate as any
    status === 'actual' ? (usage.costUsd ?? null) : null,
    mergeStatus(before, status),
  ];
}

function statusOf(usage: UsageDelta): CostStatus {
  return usage.costStatus ?? (usage.costUsd === undefined ? 'unknown' : 'estimated');
}

/** A sum is no more certain than its least certain part. */
function mergeStatus(before: CostStatus | undefined, added: CostStatus): CostStatus {
  if (before === undefined || before === added) return added;
  if (before === 'unknown' || added === 'unknown') return 'unknown';
  if (before === 'included') return added;
  return added === 'included' ? before : 'estimated';
}
