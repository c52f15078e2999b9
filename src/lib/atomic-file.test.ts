import {
  chmodSync,
  lstatSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { writeFileAtomic } from './atomic-file.ts';

const folder = () => mkdtempSync(join(tmpdir(), 'hermes-atomic-'));

describe('writeFileAtomic', () => {
  it('makes a new file with the mode asked for and leaves nothing else', async () => {
    const dir = folder();
    await writeFileAtomic(join(dir, 'a'), 'x', { mode: 0o600 });
    expect(readdirSync(dir)).toEqual(['a']);
    expect(statSync(join(dir, 'a')).mode & 0o777).toBe(0o600);
  });

  it('keeps the mode of an existing file', async () => {
    const path = join(folder(), 'a');
    writeFileSync(path, 'old');
    chmodSync(path, 0o640);
    await writeFileAtomic(path, 'new', { mode: 0o600 });
    expect(statSync(path).mode & 0o777).toBe(0o640);
    expect(readFileSync(path, 'utf8')).toBe('new');
  });

  it('replaces what a symlink points to and keeps the link, also when the target is not there yet', async () => {
    const dir = folder();
    const target = join(folder(), 'real');
    symlinkSync(target, join(dir, 'b'));
    symlinkSync('b', join(dir, 'a'));
    await writeFileAtomic(join(dir, 'a'), 'one');
    await writeFileAtomic(join(dir, 'a'), 'two');
    expect(lstatSync(join(dir, 'a')).isSymbolicLink()).toBe(true);
    expect(readFileSync(target, 'utf8')).toBe('two');
  });

  it('leaves the old state and no temporary file when it fails', async () => {
    const dir = folder();
    const path = join(dir, 'sub');
    await expect(writeFileAtomic(join(path, 'a'), 'x')).rejects.toMatchObject({ code: 'ENOENT' });
    symlinkSync('loop', join(dir, 'loop'));
    await expect(writeFileAtomic(join(dir, 'loop'), 'x')).rejects.toMatchObject({ code: 'ELOOP' });
    expect(readdirSync(dir)).toEqual(['loop']);
  });

  it('never shows a reader half a file', async () => {
    const path = join(folder(), 'a');
    const texts = ['a'.repeat(200_000), 'b'.repeat(100_000)];
    await writeFileAtomic(path, texts[0]!);
    let writing = true;
    const writer = (async () => {
      for (let i = 0; i < 20; i++) await writeFileAtomic(path, texts[i % 2]!);
      writing = false;
    })();
    while (writing) {
      expect(texts).toContain(readFileSync(path, 'utf8'));
      await new Promise(setImmediate);
    }
    await writer;
  });
});
