/** Paths as models write them. */
import { readdir } from 'node:fs/promises';
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from 'node:path';
import { similarity } from '../names.ts';

/** Absolute and normal. `~` is the user's home; what is relative starts in `cwd`. */
export function resolvePath(given: string, cwd: string, userHome: string): string {
  const path = given.trim().replace(/^file:\/\/(?=\/)/, '');
  if (path === '~') return userHome;
  if (path.startsWith('~/')) return join(userHome, path.slice(2));
  return isAbsolute(path) ? resolve(path) : resolve(cwd, path);
}

/** The short form for a person or a result: relative inside `cwd`, absolute elsewhere. */
export function shortPath(path: string, cwd: string): string {
  return isInside(path, cwd) ? relative(cwd, path) || '.' : path;
}

/** True for the folder itself too. */
export function isInside(path: string, folder: string): boolean {
  return path === folder || path.startsWith(folder.endsWith(sep) ? folder : folder + sep);
}

/** Files beside a missing one that it may have meant, best first. */
export async function similarPaths(path: string): Promise<readonly string[]> {
  const wanted = basename(path).toLowerCase();
  const names = await readdir(dirname(path)).catch(() => []); // no such folder: nothing to suggest
  return names
    .map((name) => ({ name, score: likeness(wanted, name.toLowerCase()) }))
    .filter(({ score }) => score >= 0.6)
    .sort((a, b) => b.score - a.score || (a.name < b.name ? -1 : 1))
    .slice(0, 5)
    .map(({ name }) => join(dirname(path), name));
}

function likeness(wanted: string, name: string): number {
  const stem = (text: string) => text.replace(/(.)\.[^.]*$/, '$1');
  if (stem(wanted) === stem(name)) return 0.95;
  return name.includes(stem(wanted)) ? 0.8 : similarity(wanted, name);
}
