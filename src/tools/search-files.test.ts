import { linkSync, symlinkSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { globMatcher, parseIgnore } from './search/ignore.ts';
import { compilePattern } from './search/search.ts';
import { fileTools } from './testing/file-tools.ts';

describe('search_files', () => {
  it('shows matches by file with line numbers and context', async () => {
    const { call, put } = fileTools();
    put('src/a.ts', 'one\ntwo\nneedle\nfour\n');
    put('b.txt', 'needle\r\n');
    const { json } = await call('search_files', { pattern: 'need.e', context: 1 });
    expect(json).toEqual({
      total_count: 2,
      files_matched: 2,
      matches: 'b.txt\n1:needle\n\nsrc/a.ts\n2-two\n3:needle\n4-four',
      truncated: false,
    });
    expect(
      (await call('search_files', { pattern: 'needle', file_glob: '*.ts', output_mode: 'files_only' })).json.files,
    ).toEqual(['src/a.ts']);
    expect((await call('search_files', { pattern: 'o', output_mode: 'count' })).json.counts).toEqual({ 'src/a.ts': 3 });
  });

  it('KF-158: passes over dependencies and ignored files unless asked into them', async () => {
    const { call, put, cwd } = fileTools();
    put('node_modules/p/index.js', 'word\n');
    put('.gitignore', 'build/\n*.log\n!keep.log\n');
    put('build/out.txt', 'word\n');
    put('x.log', 'word\n');
    put('keep.log', 'word\n');
    put('sub/.gitignore', '/local.txt\n');
    put('sub/local.txt', 'word\n');
    put('sub/deep/local.txt', 'word\n');
    const files = async (args: object) =>
      (await call('search_files', { pattern: 'word', output_mode: 'files_only', ...args })).json.files;
    expect(await files({})).toEqual(['keep.log', 'sub/deep/local.txt']);
    expect(await files({ path: 'node_modules' })).toEqual(['node_modules/p/index.js']);
    expect(await files({ path: join(cwd, 'build') })).toEqual(['build/out.txt']);
  });

  it('KF-158: says when the time was up before all was searched', async () => {
    const { call, put } = fileTools({ searchTimeLimitMs: 0 });
    for (let index = 0; index < 200; index++) put(`d${index}/a.txt`, 'word\n');
    const { json } = await call('search_files', { pattern: 'word' });
    expect(json).toMatchObject({ partial: true, _note: expect.stringContaining('time limit') });
  });

  it('KF-159: ends at a link to the parent, reports a file once, and finds hidden ones', async () => {
    const { call, put, cwd } = fileTools();
    put('.env.example', 'word\n');
    put('inner/a.txt', 'word\n');
    symlinkSync(cwd, join(cwd, 'inner', 'self'));
    expect((await call('search_files', { pattern: 'word', output_mode: 'files_only' })).json.files).toEqual([
      '.env.example',
      'inner/a.txt',
    ]);
  });

  it('KF-160: shows as many as asked in a fixed order, with the true number and the next offset', async () => {
    const { call, put } = fileTools();
    for (let index = 0; index < 900; index++) put(`f${String(index).padStart(3, '0')}.txt`, 'word\n');
    const first = (await call('search_files', { pattern: 'word', output_mode: 'files_only', limit: 10 })).json;
    expect(first).toMatchObject({ files_matched: 900, truncated: true, hint: expect.stringContaining('offset=10') });
    expect(first.files).toEqual(Array.from({ length: 10 }, (_, index) => `f00${index}.txt`));
    const second = (await call('search_files', { pattern: 'word', output_mode: 'files_only', limit: 10, offset: 10 }))
      .json;
    expect(second.files).toEqual(Array.from({ length: 10 }, (_, index) => `f01${index}.txt`));
    const names = (await call('search_files', { pattern: '*.txt', target: 'files', limit: 5 })).json;
    expect(names).toMatchObject({ total_count: 900, truncated: true });
  });

  it('finds names newest first, by glob or by a part of the name', async () => {
    const { call, put } = fileTools();
    for (const [index, name] of ['old.ts', 'sub/new.ts', 'other.md'].entries())
      utimesSync(put(name, 'x'), index * 10, index * 10);
    expect((await call('search_files', { pattern: '*.ts', target: 'find' })).json.files).toEqual([
      'sub/new.ts',
      'old.ts',
    ]);
    expect((await call('search_files', { pattern: 'OTHER', target: 'files' })).json.files).toEqual(['other.md']);
  });

  it('leaves out files with credentials and says so', async () => {
    const { call, put, cwd } = fileTools();
    put('.env', 'word\n');
    put('a.txt', 'word\n');
    linkSync(join(cwd, 'a.txt'), join(cwd, 'b.txt'));
    expect((await call('search_files', { pattern: 'word' })).json).toMatchObject({
      files_matched: 2,
      _omitted: expect.stringContaining('1 file'),
    });
  });

  it('pages through the matches of one file', async () => {
    const { call, put } = fileTools();
    put('a.txt', Array.from({ length: 30 }, (_, index) => `word ${index}\n`).join(''));
    const { json } = await call('search_files', { pattern: 'word', limit: 2, offset: 10 });
    expect(json).toMatchObject({ total_count: 30, matches: 'a.txt\n11:word 10\n12:word 11' });
  });

  it('warns at the third equal search, blocks the fourth, and forgets after another call', async () => {
    const { call, put } = fileTools();
    put('a.txt', 'word\n');
    const search = async () => (await call('search_files', { pattern: 'word' })).json;
    await search();
    await search();
    expect(await search()).toHaveProperty('_warning');
    expect(await search()).toMatchObject({ error: expect.stringContaining('BLOCKED') });
    await call('write_file', { path: 'b.txt', content: 'x' });
    expect(await search()).toMatchObject({ total_count: 1 });
  });

  it('says that there is no such place, and searches to the letter what is no expression', async () => {
    const { call, put } = fileTools();
    put('a.txt', 'f(x[\n');
    expect((await call('search_files', { pattern: 'x', path: 'nowhere' })).json.error).toContain('nowhere');
    expect((await call('search_files', { pattern: 'f(x[' })).json.total_count).toBe(1);
  });

  it('ends when the turn is cancelled', async () => {
    const { call, put } = fileTools();
    put('a.txt', 'x');
    const controller = new AbortController();
    const running = call('search_files', { pattern: 'x' }, { signal: controller.signal });
    controller.abort();
    expect((await running).result.isError).toBe(true);
  });
});

describe('globs', () => {
  it.each([
    ['*.ts', 'a/b.ts', true],
    ['*.ts', 'a/b.tsx', false],
    ['src/**/*.ts', 'src/b.ts', true],
    ['src/*.ts', 'src/x/b.ts', false],
    ['*.{ts,tsx}', 'x.tsx', true],
    ['[ab].txt', 'b.txt', true],
    ['[!ab].txt', 'b.txt', false],
    ['a+b.txt', 'a+b.txt', true],
  ])('%s on %s is %s', (glob, path, expected) => {
    expect(globMatcher(glob)(path)).toBe(expected);
  });

  it('take any text', () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), (glob, path) => {
        globMatcher(glob)(path);
        parseIgnore(glob).test(path, true);
        compilePattern(glob).test(path);
      }),
    );
  });

  it('a plain name fits itself', () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[a-z.+()$^|]{1,12}$/), (name) => {
        expect(globMatcher(name)(name)).toBe(true);
      }),
    );
  });
});
