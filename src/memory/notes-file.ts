/** One notes file on disk: what is in it, whether the store could write it back unharmed, and copies before harm. */
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { writeFileAtomic } from '../lib/atomic-file.ts';
import { errorCode } from '../lib/errors.ts';
import { countCharacters, joinEntries, parseEntries } from './entries.ts';

export interface Notes {
  readonly entries: readonly string[];
  /** The file as it is. */
  readonly text: string;
  /** The bytes were not UTF-8; `text` is their Latin-1 reading. */
  readonly foreign: boolean;
}

/** A missing file is an empty one. @throws the system's error when it cannot be read */
export async function readNotes(path: string): Promise<Notes> {
  const bytes = await readFile(path).catch((error: unknown) => {
    if (errorCode(error) === 'ENOENT') return Buffer.alloc(0);
    throw error;
  });
  try {
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
    return { entries: parseEntries(text), text, foreign: false };
  } catch {
    const text = bytes.toString('latin1'); // an older editor: every byte is some character
    return { entries: parseEntries(text), text, foreign: true };
  }
}

export async function writeNotes(path: string, entries: readonly string[]): Promise<void> {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  await writeFileAtomic(path, joinEntries(entries), { mode: 0o600 });
}

/**
 * True when writing the entries back would change what stands in the file beyond its outer white space, or when an
 * entry is longer than the whole store may be: somebody edited it in a way this format does not hold.
 */
export function hasDrifted(notes: Notes, limit: number): boolean {
  return (
    normal(notes.text) !== joinEntries(notes.entries) || notes.entries.some((entry) => countCharacters(entry) > limit)
  );
}

function normal(text: string): string {
  return text
    .replace(/^\ufeff/, '')
    .replace(/\r\n?/g, '\n')
    .trim();
}

/** Copies the file's bytes to `<file>.bak.<unix seconds>`, never over an earlier copy, and returns that path. */
export async function backUp(path: string, nowMs: number): Promise<string> {
  const bytes = await readFile(path);
  const base = `${path}.bak.${Math.floor(nowMs / 1000)}`;
  for (let tries = 0; ; tries++) {
    const target = tries === 0 ? base : `${base}.${tries}`;
    try {
      await writeFile(target, bytes, { flag: 'wx', mode: 0o600 });
      return target;
    } catch (error) {
      if (errorCode(error) !== 'EEXIST') throw error;
      if (bytes.equals(await readFile(target))) return target;
    }
  }
}
