/**
 * Earlier input, in the file format that the original's line editor writes: a blank line, `# <time>`, then every
 * line of the entry behind a `+`.
 */
import { appendFile, open } from 'node:fs/promises';

const MAX_BYTES = 256 * 1024;

/** Oldest first. */
export function parseHistory(text: string): readonly string[] {
  const entries: string[] = [];
  let lines: string[] = [];
  const flush = () => {
    if (lines.length > 0) entries.push(lines.join('\n'));
    lines = [];
  };
  for (const line of text.split('\n')) {
    if (line.startsWith('+')) lines.push(line.slice(1));
    else flush();
  }
  flush();
  return entries;
}

export function formatEntry(text: string, at: Date): string {
  const stamp = at.toISOString().replace('T', ' ').replace('Z', '000');
  return `\n# ${stamp}\n${text
    .split('\n')
    .map((line) => `+${line}\n`)
    .join('')}`;
}

/** The newest entries of the file, oldest first; none when there is no file. */
export async function readHistory(file: string): Promise<readonly string[]> {
  const handle = await open(file, 'r').catch(() => undefined);
  if (handle === undefined) return []; // a first run has no history, and an unreadable one is no reason to stop
  try {
    const { size } = await handle.stat();
    const start = Math.max(0, size - MAX_BYTES);
    const buffer = Buffer.alloc(size - start);
    await handle.read(buffer, 0, buffer.length, start);
    const text = buffer.toString('utf8');
    return parseHistory(start === 0 ? text : text.slice(text.indexOf('\n\n') + 1));
  } finally {
    await handle.close();
  }
}

/** One write, so that two terminals do not mix their lines. */
export async function appendHistory(file: string, text: string, at: Date): Promise<void> {
  await appendFile(file, formatEntry(text, at), { mode: 0o600 });
}
