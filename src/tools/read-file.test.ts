import { execFileSync } from 'node:child_process';
import { truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createRedactor } from '../security/redact.ts';
import { fileTools } from './testing/file-tools.ts';

describe('read_file', () => {
  it('numbers the lines, counts them and says how to go on', async () => {
    const { call, put } = fileTools();
    put('a.txt', Array.from({ length: 10 }, (_, index) => `line ${index + 1}\n`).join(''));
    expect((await call('read_file', { path: 'a.txt', offset: 3, limit: 2 })).json).toEqual({
      content: '3|line 3\n4|line 4',
      total_lines: 10,
      file_size: 71,
      truncated: true,
      hint: expect.stringContaining('offset=5'),
    });
    expect((await call('read_file', { path: 'a.txt' })).json).toMatchObject({ total_lines: 10, truncated: false });
    expect((await call('read_file', { path: 'a.txt', offset: 11 })).json).toMatchObject({
      total_lines: 10,
      error: expect.any(String),
    });
  });

  it('KF-157: gives a bounded part of a file of 2 GB, with the way to read on', async () => {
    const { call, put } = fileTools();
    const path = put('big.log', 'first line\nsecond line\n');
    truncateSync(path, 2 * 1024 ** 3);
    const sparse = await call('read_file', { path: 'big.log', limit: 2 });
    // Zeros in its head would make it binary: the head here is text, the rest is never looked at.
    expect(sparse.json).toMatchObject({ error: expect.stringContaining('is no text') });
    writeFileSync(path, `${'words and words\n'.repeat(700)}`);
    truncateSync(path, 2 * 1024 ** 3);
    const read = await call('read_file', { path: 'big.log', offset: 2, limit: 3 });
    expect(read.json).toMatchObject({
      content: '2|words and words\n3|words and words\n4|words and words',
      truncated: true,
      hint: expect.stringContaining('offset=5'),
    });
  });

  it('KF-157: names the type of a PNG', async () => {
    const { call, put } = fileTools();
    const head = Buffer.from('89504e470d0a1a0a0000000d49484452000000100000002008060000001ff3ff61', 'hex');
    put('pic.png', Buffer.concat([head, Buffer.alloc(100)]));
    const { json, result } = await call('read_file', { path: 'pic.png' });
    expect(result.isError).toBe(true);
    expect(json.error).toContain('PNG image, 16×32 pixels');
  });

  it('KF-156: reads Shift_JIS and names the encoding', async () => {
    const { call, put } = fileTools();
    const row = Buffer.from([0x93, 0x58, 0x96, 0xbc, 0x2c, 0x8b, 0xe0, 0x8a, 0x7a, 0x0a]);
    put('list.csv', row);
    put('longer.csv', Buffer.concat(Array.from({ length: 40 }, () => row)));
    for (const path of ['list.csv', 'longer.csv']) {
      const { json } = await call('read_file', { path });
      expect(json.content).toContain('1|店名,金額');
      expect(String(json.encoding)).toMatch(/shift_jis/i);
    }
  });

  it('reads UTF-16 and Latin-1 and hides byte order marks', async () => {
    const { call, put } = fileTools();
    put('le.txt', Buffer.from('\ufeffgrüße\r\nzwei', 'utf16le'));
    put('bare.txt', Buffer.from('hello world, plain\n', 'utf16le'));
    put('bom.txt', '\ufeffhello');
    put('latin.txt', Buffer.from('Lunch at the caf\xe9 on Fridays, na\xefve', 'latin1'));
    expect((await call('read_file', { path: 'le.txt' })).json).toMatchObject({
      content: '1|grüße\n2|zwei',
      encoding: 'utf-16le',
    });
    expect((await call('read_file', { path: 'bare.txt' })).json).toMatchObject({ content: '1|hello world, plain' });
    expect((await call('read_file', { path: 'bom.txt' })).json).toMatchObject({ content: '1|hello' });
    expect((await call('read_file', { path: 'latin.txt' })).json.content).toContain('café on Fridays');
  });

  it('cuts long lines, and gives no more than fits, with the next offset', async () => {
    const { call, put } = fileTools({ maxReadChars: 5_000 });
    put('wide.txt', `${`${'x'.repeat(3_000)}\n`.repeat(10)}`);
    const { json } = await call('read_file', { path: 'wide.txt' });
    expect(String(json.content).length).toBeLessThanOrEqual(5_000);
    expect(json.content).toContain('... [truncated]');
    expect(json.hint).toContain('offset=3');
  });

  it('refuses secrets, devices, pipes and folders, and suggests what a missing name may mean', async () => {
    const { call, put, cwd, rootHome } = fileTools();
    put('.env', 'KEY=1');
    put('.env.example', 'KEY=');
    put('config.ts', '');
    writeFileSync(join(rootHome, 'auth.json'), '{}');
    execFileSync('sh', ['-c', 'mkfifo "$0"', join(cwd, 'pipe')]);
    for (const path of ['.env', join(rootHome, 'auth.json'), '/proc/self/environ', 'pipe', '/dev/zero', '.']) {
      expect([path, (await call('read_file', { path })).result.isError]).toEqual([path, true]);
    }
    expect((await call('read_file', { path: '.env.example' })).result.isError).toBe(false);
    expect((await call('read_file', { path: 'config.js' })).json.similar_files).toEqual([join(cwd, 'config.ts')]);
  });

  it('sends the same lines of an unchanged file once, until the context is gone', async () => {
    const { call, put, deps } = fileTools();
    put('a.txt', 'one\n');
    const read = async () => (await call('read_file', { path: 'a.txt' })).json;
    expect(await read()).toHaveProperty('content');
    expect(await read()).toMatchObject({ status: 'unchanged', content_returned: false });
    expect(await read()).toMatchObject({ error: expect.stringContaining('BLOCKED') });
    put('a.txt', 'two\n');
    expect(await read()).toMatchObject({ content: '1|two' });
    deps.ledger.forget('s1');
    expect(await read()).toMatchObject({ content: '1|two' });
  });

  it('KF-171: shows code that only names secrets unchanged, and KF-172: masks a real one', async () => {
    const { call, put } = fileTools({ redact: createRedactor(true) });
    const lines = [`KEY=\${API_KEY}`, 'os.environ["TOKEN"]', 'f"mysql://{u}:{p}@{h}/d"'];
    put('a.py', `${lines.join('\n')}\n`);
    put('b.txt', 'sk-test-0000000000000000000000\n');
    expect((await call('read_file', { path: 'a.py' })).json.content).toBe(
      lines.map((line, index) => `${index + 1}|${line}`).join('\n'),
    );
    expect((await call('search_files', { pattern: 'KEY|TOKEN|mysql' })).json.matches).toContain('os.environ["TOKEN"]');
    for (const called of [
      await call('read_file', { path: 'b.txt' }),
      await call('search_files', { pattern: 'sk-test' }),
    ]) {
      expect(JSON.stringify(called)).not.toContain('sk-test-0000000000000000000000');
    }
  });
});
