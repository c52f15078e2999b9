import { mkdirSync, mkdtempSync, realpathSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { canonicalPath, splitIntoSegments } from './segments.ts';
import type { Concurrency } from './tool.ts';

const read = (...reads: string[]): Concurrency => ({ reads, writes: [] });
const write = (...writes: string[]): Concurrency => ({ reads: [], writes });
const same = (path: string) => path;

describe('splitIntoSegments', () => {
  it('runs readers of one path together and a writer of it after them', () => {
    expect(splitIntoSegments([read('/a'), read('/a'), write('/a'), read('/b')], same)).toEqual([
      [0, 1],
      [2, 3],
    ]);
  });

  it('keeps a barrier alone and in its place', () => {
    expect(splitIntoSegments(['parallel', 'barrier', 'parallel', 'parallel'], same)).toEqual([[0], [1], [2, 3]]);
  });

  it('sees a folder that is searched and a file written inside it', () => {
    expect(splitIntoSegments([read('/w'), write('/w/x')], same)).toEqual([[0], [1]]);
    expect(splitIntoSegments([read('/w'), write('/wx')], same)).toEqual([[0, 1]]);
  });

  it('sees through links, also for files that are not there yet', () => {
    const dir = realpathSync(mkdtempSync(join(tmpdir(), 'segments-')));
    mkdirSync(join(dir, 'real'));
    symlinkSync(join(dir, 'real'), join(dir, 'link'));
    expect(canonicalPath(join(dir, 'link', 'new.txt'))).toBe(canonicalPath(join(dir, 'real', 'new.txt')));
    expect(splitIntoSegments([write(join(dir, 'link/n')), write(join(dir, 'real/n'))])).toEqual([[0], [1]]);
  });

  it('keeps order, loses nothing, and lets no two conflicting calls share a segment', () => {
    const path = fc.constantFrom<string[]>('/a', '/a/b', '/a/b/c', '/ab', '/d');
    const call = fc.oneof(
      fc.constantFrom<Concurrency>('barrier', 'parallel'),
      fc.record({ reads: fc.array(path, { maxLength: 2 }), writes: fc.array(path, { maxLength: 2 }) }),
    );
    fc.assert(
      fc.property(fc.array(call, { maxLength: 12 }), (calls) => {
        const segments = splitIntoSegments(calls, same);
        expect(segments.flat()).toEqual(calls.map((_, index) => index));
        for (const segment of segments) {
          const members = segment.map((index) => calls[index]);
          if (members.includes('barrier')) expect(members).toHaveLength(1);
          const paths = members.filter((member) => typeof member === 'object');
          paths.forEach((one, index) => {
            for (const other of paths.slice(index + 1)) {
              const clash = one.writes.some((w) => [...other.reads, ...other.writes].includes(w));
              expect(clash || other.writes.some((w) => one.reads.includes(w))).toBe(false);
            }
          });
        }
      }),
    );
  });
});
