/** The notes as they stand in the system prompt. */
import { countCharacters, formatUsage, group, joinEntries, usageOf } from './entries.ts';
import type { MemoryTarget } from './prompt-memory.ts';

export type Scan = (text: string) => readonly string[];

const RULE = '═'.repeat(46);
const MAX_SCANNED_CHARS = 65_536;
const TITLES: Readonly<Record<MemoryTarget, string>> = {
  memory: 'MEMORY (your personal notes)',
  user: 'USER PROFILE (who the user is)',
};

/** '' for no entries. The usage shown is that of the file, also where an entry is withheld. */
export function snapshotBlock(
  target: MemoryTarget,
  entries: readonly string[],
  options: { readonly limit: number; readonly file: string; readonly scan: Scan; readonly warning?: string },
): string {
  if (entries.length === 0) return '';
  const usage = usageOf(entries, options.limit);
  const over = usage.used > usage.limit ? ' OVER LIMIT: consolidate' : '';
  const body = shorten(joinEntries(screenEntries(entries, options.file, options.scan)), options.limit);
  const head = `${TITLES[target]} [${formatUsage(usage)}]${over}`;
  return [RULE, head, RULE, ...(options.warning === undefined ? [] : [options.warning]), body].join('\n');
}

/** Entries as they may be shown to a model: one that reads like an attack is replaced, and stays in the file. */
export function screenEntries(entries: readonly string[], file: string, scan: Scan): readonly string[] {
  return entries.map((entry) => {
    if (entry.length > MAX_SCANNED_CHARS) return `[BLOCKED: ${file} entry is too long to be checked]`;
    const found = scan(entry);
    if (found.length === 0) return entry;
    return `[BLOCKED: ${file} entry contained threat pattern(s): ${found.join(', ')}. It is still in the file; remove it there if it is not yours.]`;
  });
}

/** A file far over its limit must not crowd the prompt: head and tail stay. */
function shorten(text: string, limit: number): string {
  const most = Math.max(2 * limit, 4_000);
  const characters = [...text];
  if (characters.length <= most) return text;
  const head = characters.slice(0, Math.floor(most * 0.7)).join('');
  const tail = characters.slice(-Math.floor(most * 0.2)).join('');
  const omitted = characters.length - countCharacters(head) - countCharacters(tail);
  return `${head}\n[... ${group(omitted)} characters omitted: the file is far over its limit ...]\n${tail}`;
}
