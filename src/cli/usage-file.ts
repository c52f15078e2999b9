/** The report of `--usage-file`: what a run cost and how it ended, for scripts. Written on failure too. */

import type { TurnResult } from '../contracts/turn.ts';
import { writeFileAtomic } from '../lib/atomic-file.ts';
import { AppError, errorCode, errorText } from '../lib/errors.ts';

export interface UsageReport {
  readonly sessionId: string | undefined;
  readonly model: string | undefined;
  readonly provider: string | undefined;
  readonly result: TurnResult | undefined;
  /** What was thrown when no result came about. */
  readonly failure: unknown;
}

/** @throws AppError `usage-file` when it cannot be written */
export async function writeUsageFile(path: string, report: UsageReport): Promise<void> {
  try {
    await writeFileAtomic(path, `${JSON.stringify(usageJson(report), null, 2)}\n`);
  } catch (error) {
    throw new AppError(
      'usage-file',
      `The usage file ${path} cannot be written (${errorCode(error) ?? errorText(error)}).`,
    );
  }
}

function usageJson({ sessionId, model, provider, result, failure }: UsageReport): Record<string, unknown> {
  const usage = result?.usage;
  const cost = usage?.cost.total;
  return {
    session_id: sessionId ?? null,
    model: model ?? null,
    provider: provider ?? null,
    service_tier: null,
    api_calls: result?.iterations ?? 0,
    input_tokens: usage?.input ?? 0,
    output_tokens: usage?.output ?? 0,
    cache_read_tokens: usage?.cacheRead ?? 0,
    cache_write_tokens: usage?.cacheWrite ?? 0,
    reasoning_tokens: usage?.reasoning ?? 0,
    total_tokens: usage?.totalTokens ?? 0,
    // A price that is not known is not zero.
    estimated_cost_usd: cost === undefined || cost === 0 ? null : cost,
    completed: result?.stop === 'done',
    partial: result !== undefined && result.stop !== 'done' && result.text.trim() !== '',
    interrupted: result?.stop === 'interrupted',
    failed: result === undefined || result.stop === 'error',
    turn_exit_reason: result?.stop ?? 'error',
    failure: failureOf(result, failure),
    auxiliary: { by_task: {} },
    total_including_auxiliary: { total_tokens: usage?.totalTokens ?? 0, estimated_cost_usd: cost || null },
  };
}

function failureOf(result: TurnResult | undefined, thrown: unknown): { code: string; message: string } | null {
  if (result?.error !== undefined) return { code: result.error.code, message: result.error.message };
  if (thrown === undefined) return null;
  return { code: errorCode(thrown) ?? 'internal', message: errorText(thrown) };
}
