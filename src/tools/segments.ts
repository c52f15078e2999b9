/** Which calls of one reply may run at the same time. */
import { realpathSync } from 'node:fs';
import { basename, dirname, join, sep } from 'node:path';
import type { Concurrency } from './tool.ts';

/**
 * Splits the calls, in order, into segments: those of one segment run together, a segment starts when the one
 * before has ended. A call never crosses a barrier, nor another call whose paths overlap with what it writes.
 * @returns indexes into `calls`, ascending, each exactly once
 */
export function splitIntoSegments(
  calls: readonly Concurrency[],
  canonical: (path: string) => string = canonicalPath,
): readonly (readonly number[])[] {
  const segments: number[][] = [];
  let current: number[] = [];
  let held: Paths[] = [];
  const close = () => {
    if (current.length > 0) segments.push(current);
    current = [];
    held = [];
  };
  calls.forEach((concurrency, index) => {
    if (concurrency === 'barrier') {
      close();
      segments.push([index]);
      return;
    }
    const paths = pathsOf(concurrency, canonical);
    if (held.some((other) => conflict(other, paths))) close();
    current.push(index);
    held.push(paths);
  });
  close();
  return segments;
}

interface Paths {
  readonly reads: readonly string[];
  readonly writes: readonly string[];
}

function pathsOf(concurrency: Exclude<Concurrency, 'barrier'>, canonical: (path: string) => string): Paths {
  if (concurrency === 'parallel') return { reads: [], writes: [] };
  return { reads: concurrency.reads.map(canonical), writes: concurrency.writes.map(canonical) };
}

function conflict(a: Paths, b: Paths): boolean {
  return (
    a.writes.some((path) => [...b.writes, ...b.reads].some((other) => overlap(path, other))) ||
    b.writes.some((path) => a.reads.some((other) => overlap(path, other)))
  );
}

/** The same place, or one inside the other. */
function overlap(a: string, b: string): boolean {
  return a === b || inside(a, b) || inside(b, a);
}

function inside(path: string, folder: string): boolean {
  return path.startsWith(folder.endsWith(sep) ? folder : folder + sep);
}

/** Absolute path with links resolved as far as it exists, folded where the file system ignores case. */
export function canonicalPath(path: string): string {
  const real = resolveExisting(path);
  return process.platform === 'darwin' || process.platform === 'win32' ? real.toLowerCase() : real;
}

function resolveExisting(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    const parent = dirname(path); // not there yet: its folder may be a link
    return parent === path ? path : join(resolveExisting(parent), basename(path));
  }
}
