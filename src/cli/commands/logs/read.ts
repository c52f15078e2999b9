/** Reading a log from its end, and going on while it grows, is emptied or is replaced. */
import { closeSync, openSync, readdirSync, readSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { table } from '../../print/table.ts';

const BLOCK = 64 * 1024;
const POLL_MS = 250;

/** The last `count` lines that match, in order, and where the file ended. An absent file is an empty one. */
export function tail(
  path: string,
  count: number,
  matches: (line: string) => boolean,
): { lines: string[]; position: number } {
  const bytes = readFrom(path, 0);
  const lines = bytes.toString('utf8').split('\n');
  if (lines.at(-1) === '') lines.pop();
  const wanted = lines.filter(matches).map((line) => `${line}\n`);
  return { lines: count === 0 ? [] : wanted.slice(-count), position: bytes.length };
}

/** New lines until the signal aborts. */
export async function* follow(
  path: string,
  position: number,
  matches: (line: string) => boolean,
  signal: AbortSignal,
): AsyncGenerator<string> {
  let at = position;
  let inode = statSync(path, { throwIfNoEntry: false })?.ino;
  let rest = Buffer.alloc(0);
  while (!signal.aborted) {
    const stat = statSync(path, { throwIfNoEntry: false });
    if (stat !== undefined && (stat.ino !== inode || stat.size < at)) {
      at = 0;
      rest = Buffer.alloc(0);
      inode = stat.ino;
    }
    const bytes = readFrom(path, at);
    at += bytes.length;
    rest = Buffer.concat([rest, bytes]);
    const end = rest.lastIndexOf(10);
    const complete = rest.subarray(0, end + 1).toString('utf8');
    rest = rest.subarray(end + 1);
    for (const line of complete.split('\n').slice(0, -1)) if (matches(line)) yield `${line}\n`;
    await sleep(POLL_MS, undefined, { signal }).catch(() => undefined); // aborted: the loop's condition ends it
  }
}

export function listLogs(folder: string): string {
  let names: string[] = [];
  try {
    names = readdirSync(folder).filter((name) => /\.log(\.\d+)?$/.test(name));
  } catch {
    // no folder yet, so no logs
  }
  if (names.length === 0) return 'There are no logs yet.\n';
  return table(
    names.sort().map((name) => {
      const { size, mtime } = statSync(join(folder, name));
      return [name, `${Math.ceil(size / 1024)} KB`, mtime.toISOString()];
    }),
  );
}

function readFrom(path: string, position: number): Buffer {
  let descriptor: number;
  try {
    descriptor = openSync(path, 'r');
  } catch {
    return Buffer.alloc(0); // not there, or just being rotated
  }
  try {
    const blocks: Buffer[] = [];
    for (let at = position; ; ) {
      const block = Buffer.alloc(BLOCK);
      const read = readSync(descriptor, block, 0, BLOCK, at);
      if (read === 0) return Buffer.concat(blocks);
      blocks.push(block.subarray(0, read));
      at += read;
    }
  } finally {
    closeSync(descriptor);
  }
}
