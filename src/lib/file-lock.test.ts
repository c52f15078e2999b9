import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, utimesSync, writeFileSync } from 'node:fs';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { withFileLock } from './file-lock.ts';

const file = () => join(mkdtempSync(join(tmpdir(), 'hermes-lock-')), 'counter');

/** A pid that was real a moment ago. */
const deadPid = () =>
  new Promise<number>((resolve) => {
    const child = spawn(process.execPath, ['-e', '']);
    child.on('exit', () => resolve(child.pid ?? 0));
  });

describe('withFileLock', () => {
  it('loses no update among processes', async () => {
    const path = file();
    writeFileSync(path, '0');
    const script = `
      import { readFileSync, writeFileSync } from 'node:fs';
      import { withFileLock } from ${JSON.stringify(new URL('./file-lock.ts', import.meta.url).href)};
      for (let i = 0; i < 20; i++) await withFileLock(${JSON.stringify(path)}, async () => {
        const n = Number(readFileSync(${JSON.stringify(path)}, 'utf8'));
        await new Promise(setImmediate);
        writeFileSync(${JSON.stringify(path)}, String(n + 1));
      });`;
    const codes = await Promise.all(
      [1, 2, 3].map(
        () =>
          new Promise((resolve) =>
            spawn(process.execPath, ['--input-type=module', '-e', script], { stdio: 'inherit' }).on('exit', resolve),
          ),
      ),
    );
    expect(codes).toEqual([0, 0, 0]);
    expect(readFileSync(path, 'utf8')).toBe('60');
    expect(existsSync(`${path}.lock`)).toBe(false);
  });

  it('keeps callers of one process apart and frees the lock after a failure', async () => {
    const path = file();
    let inside = 0;
    const work = () =>
      withFileLock(path, async () => {
        expect(++inside).toBe(1);
        await new Promise(setImmediate);
        inside--;
      });
    await Promise.all([work(), work(), work(), work()]);
    await expect(withFileLock(path, () => Promise.reject(new Error('no')))).rejects.toThrow('no');
    expect(existsSync(`${path}.lock`)).toBe(false);
  });

  it('KF-030: takes over from a process that is gone, from a former process of our own id, and from half a file', async () => {
    const owners = [
      JSON.stringify({ pid: await deadPid(), host: hostname(), token: 'x' }),
      JSON.stringify({ pid: process.pid, host: hostname(), token: 'of-an-earlier-life' }),
    ];
    for (const owner of owners) {
      const path = file();
      writeFileSync(`${path}.lock`, owner);
      expect(await withFileLock(path, () => 'in', { timeoutMs: 5000 })).toBe('in');
    }
    for (const owner of ['', '{"pid":', JSON.stringify({ pid: 1, host: 'elsewhere', token: 'x' })]) {
      const path = file();
      writeFileSync(`${path}.lock`, owner);
      utimesSync(`${path}.lock`, 1, 1);
      expect(await withFileLock(path, () => 'in', { timeoutMs: 5000 })).toBe('in');
    }
  });

  it('respects a fresh lock of another machine and says who holds it', async () => {
    const path = file();
    const owner = JSON.stringify({ pid: 1, host: 'elsewhere', token: 'x' });
    writeFileSync(`${path}.lock`, owner);
    await expect(withFileLock(path, () => 'in', { timeoutMs: 30 })).rejects.toMatchObject({
      code: 'lock-timeout',
      message: expect.stringContaining('process 1 on elsewhere'),
    });
    expect(readFileSync(`${path}.lock`, 'utf8')).toBe(owner);
  });

  it('stops waiting on abort', async () => {
    const path = file();
    const stop = new AbortController();
    await withFileLock(path, async () => {
      const waiting = withFileLock(path, () => 'in', { signal: stop.signal });
      stop.abort();
      await expect(waiting).rejects.toMatchObject({ name: 'AbortError' });
    });
  });
});
