/** The text of a notes file as entries, and back. Limits count characters with the delimiters between entries. */
import type { MemoryUsage } from './prompt-memory.ts';

const DELIMITER = '\n§\n';

/** A line of its own with nothing but the sign; a person may have put blank lines around it. */
const SEPARATOR = /(?:^|\n)§(?=\n|$)/;

/** Trimmed, without empty ones, exact duplicates only once. */
export function parseEntries(text: string): readonly string[] {
  const plain = text.replace(/^\ufeff/, '').replace(/\r\n?/g, '\n');
  return [...new Set(plain.split(SEPARATOR).map((entry) => entry.trim()))].filter((entry) => entry !== '');
}

export function joinEntries(entries: readonly string[]): string {
  return entries.join(DELIMITER);
}

/** True when the text cannot be one entry: it would come back as several, or as none. */
export function breaksFormat(content: string): boolean {
  const plain = content.trim().replace(/\r\n?/g, '\n');
  const [only, ...more] = parseEntries(plain);
  return more.length > 0 || only !== plain;
}

export function usageOf(entries: readonly string[], limit: number): MemoryUsage {
  return { used: countCharacters(joinEntries(entries)), limit };
}

/** Characters as a person counts code points, not UTF-16 units. */
export function countCharacters(text: string): number {
  let count = 0;
  for (const _ of text) count++;
  return count;
}

/** `67% — 1,474/2,200 chars` */
export function formatUsage({ used, limit }: MemoryUsage): string {
  const percent = limit > 0 ? Math.min(100, Math.floor((used * 100) / limit)) : 100;
  return `${percent}% — ${group(used)}/${group(limit)} chars`;
}

export function group(count: number): string {
  return count.toLocaleString('en-US');
}
