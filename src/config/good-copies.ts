/** Copies of the settings file in `backups/config/`: the last good ones, to fall back on when it breaks. */
import { mkdir, readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { writeFileAtomic } from '../lib/atomic-file.ts';
import type { Home } from './home.ts';

export type CopyReason = 'good' | 'migrate' | 'edit' | 'broken';

const KEEP = 5;

/** Keeps five per reason; a copy equal to the newest is not made. @returns its path */
export async function keepCopy(home: Home, text: string, reason: CopyReason, now = new Date()): Promise<string> {
  const folder = home.path('backups', 'config');
  const copies = await listCopies(home, reason);
  const newest = copies.at(-1);
  if (newest && (await readFile(newest, 'utf8')) === text) return newest;
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const stamp = now
    .toISOString()
    .replace(/[-:]/g, '')
    .replace(/\.(\d+)Z$/, '$1Z');
  const path = join(folder, `config.yaml.${reason}.${stamp}`);
  await writeFileAtomic(path, text, { mode: 0o600 });
  for (const old of copies.slice(0, Math.max(0, copies.length + 1 - KEEP))) await rm(old, { force: true });
  return path;
}

/** Paths, oldest first. */
export async function listCopies(home: Home, reason: CopyReason): Promise<string[]> {
  const folder = home.path('backups', 'config');
  try {
    const names = await readdir(folder);
    return names
      .filter((name) => name.startsWith(`config.yaml.${reason}.`))
      .sort()
      .map((name) => join(folder, name));
  } catch {
    return []; // no copy was made yet
  }
}
