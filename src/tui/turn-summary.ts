/** The dim line after a turn, from what really happened. */
import { duration, plural } from '../commands/format.ts';
import type { Receipt } from '../contracts/turn.ts';

const READS = new Set(['read_file', 'search_files', 'web_extract', 'session_search', 'skill_view']);
const RUNS = new Set(['terminal', 'execute_code', 'process']);
const EDITS = new Set(['write_file', 'patch', 'skill_manage']);

export interface Changes {
  readonly added: number;
  readonly removed: number;
}

/** A short answer that did nothing else needs no summary. */
const WORTH_SAYING_MS = 2000;

/** '' when there is nothing to say. Failed calls do not count. */
export function turnSummary(receipts: readonly Receipt[], changes: Changes, elapsedMs: number): string {
  const good = receipts.filter((receipt) => receipt.ok);
  const edited = new Set(good.filter(({ tool }) => EDITS.has(tool)).flatMap(({ filesChanged }) => filesChanged ?? []));
  const read = good.filter(({ tool }) => READS.has(tool)).length;
  const ran = good.filter(({ tool }) => RUNS.has(tool)).length;
  const segments = [duration(elapsedMs)];
  if (edited.size > 0) segments.push(`edited ${plural(edited.size, 'file')} +${changes.added} -${changes.removed}`);
  if (read > 0) segments.push(`read ${read}`);
  if (ran > 0) segments.push(`ran ${plural(ran, 'command')}`);
  return segments.length === 1 && elapsedMs < WORTH_SAYING_MS ? '' : segments.join(' · ');
}

/** Files that an edit failed on and no later edit of the turn changed. */
export function failedEdits(
  calls: readonly { readonly tool: string; readonly summary: string; readonly ok: boolean }[],
) {
  const failed = new Set<string>();
  for (const call of calls) {
    if (!EDITS.has(call.tool)) continue;
    if (call.ok) failed.delete(call.summary);
    else failed.add(call.summary);
  }
  return [...failed];
}
