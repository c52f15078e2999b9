/** Files under a folder, each once, links to folders not followed, in a fixed order. */
import type { Dirent } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type IgnoreFile, isSkippedFolder, parseIgnore } from './ignore.ts';

export interface WalkedFile {
  /** Absolute. */
  readonly path: string;
  /** Relative to the start, with `/`. */
  readonly relative: string;
}

export interface WalkOptions {
  readonly signal: AbortSignal;
  /** Nothing is left out: hidden folders, dependencies, ignored files. */
  readonly everything: boolean;
}

interface Scope {
  readonly folder: string;
  readonly rules: IgnoreFile;
}

/** @throws the system's error when the start cannot be read; folders below that cannot are passed over */
export async function* walkFiles(start: string, options: WalkOptions): AsyncGenerator<WalkedFile> {
  yield* walkFolder(start, '', [], options, true);
}

async function* walkFolder(
  start: string,
  folder: string,
  outer: readonly Scope[],
  options: WalkOptions,
  isStart: boolean,
): AsyncGenerator<WalkedFile> {
  if (options.signal.aborted) return;
  const entries = await list(join(start, folder), isStart);
  const scopes = options.everything ? outer : await withRules(start, folder, entries, outer);
  const folders: string[] = [];
  for (const entry of entries) {
    const relative = folder === '' ? entry.name : `${folder}/${entry.name}`;
    const isFolder = entry.isDirectory();
    if (isFolder && !options.everything && isSkippedFolder(entry.name)) continue;
    if (isIgnored(relative, isFolder, scopes)) continue;
    if (isFolder) folders.push(relative);
    // A link may lead to a folder above or to the same file again: what it points at is found at its own place.
    else if (entry.isFile()) yield { path: join(start, relative), relative };
  }
  for (const inner of folders) yield* walkFolder(start, inner, scopes, options, false);
}

async function list(folder: string, mustExist: boolean): Promise<readonly Dirent[]> {
  try {
    const entries = await readdir(folder, { withFileTypes: true });
    return entries.sort((a, b) => (a.name < b.name ? -1 : 1));
  } catch (error) {
    if (mustExist) throw error;
    return []; // no right to look into it, or gone meanwhile
  }
}

async function withRules(
  start: string,
  folder: string,
  entries: readonly Dirent[],
  outer: readonly Scope[],
): Promise<readonly Scope[]> {
  if (!entries.some(({ name }) => name === '.gitignore')) return outer;
  const text = await readFile(join(start, folder, '.gitignore'), 'utf8').catch(() => ''); // unreadable: no rules
  return [...outer, { folder, rules: parseIgnore(text) }];
}

function isIgnored(relative: string, isFolder: boolean, scopes: readonly Scope[]): boolean {
  for (const { folder, rules } of scopes.toReversed()) {
    const verdict = rules.test(folder === '' ? relative : relative.slice(folder.length + 1), isFolder);
    if (verdict !== undefined) return verdict === 'ignored';
  }
  return false;
}
