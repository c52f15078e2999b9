import { existsSync, mkdirSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createRedactor } from '../security/redact.ts';
import { decodeText, encodeText } from './files/text-format.ts';
import { fileTools } from './testing/file-tools.ts';

describe('write_file', () => {
  it('makes folders, reports the file and shows the user the difference', async () => {
    const { call, text, at } = fileTools();
    const made = await call('write_file', { path: 'deep/er/a.txt', content: 'one\ntwo\n' });
    expect(made.json).toEqual({
      success: true,
      bytes_written: 8,
      resolved_path: at('deep/er/a.txt'),
      files_modified: [at('deep/er/a.txt')],
    });
    expect(made.receipt.filesChanged).toEqual([at('deep/er/a.txt')]);
    const changed = await call('write_file', { path: 'deep/er/a.txt', content: 'one\nthree\n' });
    expect(changed.view.detail).toContain('-two\n+three');
    expect(text('deep/er/a.txt')).toBe('one\nthree\n');
  });

  it('KF-155: leaves a file alone that was changed since it was read, until it is read again', async () => {
    const { call, put, text } = fileTools();
    put('a.txt', 'old\n');
    await call('read_file', { path: 'a.txt' });
    put('a.txt', 'new\n'); // the same size, perhaps within the same millisecond
    const refused = await call('write_file', { path: 'a.txt', content: 'mine\n' });
    expect(refused.result.isError).toBe(true);
    expect(refused.json.error).toContain('Read it again');
    expect(text('a.txt')).toBe('new\n');
    await call('read_file', { path: 'a.txt' });
    expect((await call('write_file', { path: 'a.txt', content: 'mine\n' })).result.isError).toBe(false);
    expect((await call('write_file', { path: 'a.txt', content: 'mine again\n' })).result.isError).toBe(false);
  });

  it('KF-155: sees a write of another session too, and forgives a touch', async () => {
    const { call, put, at } = fileTools();
    put('a.txt', 'old\n');
    await call('read_file', { path: 'a.txt' });
    writeFileSync(at('a.txt'), 'old\n');
    expect((await call('write_file', { path: 'a.txt', content: '1\n' })).result.isError).toBe(false);
    await call('write_file', { path: 'a.txt', content: '2\n' }, { sessionId: 'other' });
    expect((await call('write_file', { path: 'a.txt', content: '3\n' })).result.isError).toBe(true);
  });

  it('keeps line ends, byte order mark, mode and link of what it replaces', async () => {
    const { call, put, text, at } = fileTools();
    put('crlf.txt', 'a\r\nb\r\n');
    put('bom.txt', '\ufeffa\n');
    put('run.sh', '#!/bin/sh\n');
    const { chmodSync, lstatSync } = await import('node:fs');
    chmodSync(at('run.sh'), 0o755);
    symlinkSync(at('run.sh'), at('link.sh'));
    await call('write_file', { path: 'crlf.txt', content: 'x\ny\n' });
    await call('write_file', { path: 'bom.txt', content: 'é\n' });
    await call('write_file', { path: 'link.sh', content: '#!/bin/sh\nexit\n' });
    expect(text('crlf.txt')).toBe('x\r\ny\r\n');
    expect(text('bom.txt')).toBe('\ufeffé\n');
    expect(text('run.sh')).toContain('exit');
    expect(statSync(at('run.sh')).mode & 0o777).toBe(0o755);
    expect(lstatSync(at('link.sh')).isSymbolicLink()).toBe(true);
  });

  it("writes the file's own encoding, and refuses what it cannot hold", async () => {
    const { call, put, bytes } = fileTools();
    const original = Buffer.from('935896bc2c8be08a7a2c3230323520938c8b9e0a', 'hex');
    put('sjis.csv', Buffer.concat(Array.from({ length: 8 }, () => original)));
    const written = await call('write_file', { path: 'sjis.csv', content: '店名,金額\n' });
    expect(written.json).toMatchObject({ success: true });
    expect(bytes('sjis.csv').toString('hex')).toBe('935896bc2c8be08a7a0a');
    const refused = await call('write_file', { path: 'sjis.csv', content: '店名 😀\n' });
    expect(refused.json.error).toMatch(/cannot hold/);
    expect(bytes('sjis.csv').toString('hex')).toBe('935896bc2c8be08a7a0a');
  });

  it('refuses its own display, a masked secret and a missing content', async () => {
    const { call, put, text } = fileTools({ redact: createRedactor(true) });
    put('keys.txt', 'OPENAI=sk-test-0000000000000000000000\nother\n');
    const { json } = await call('read_file', { path: 'keys.txt' });
    const shown = String(json.content).replace(/^\d+\|/gm, '');
    expect((await call('write_file', { path: 'keys.txt', content: shown })).json.error).toContain('masked secret');
    expect(text('keys.txt')).toContain('sk-test-0000000000000000000000');
    expect((await call('write_file', { path: 'x', content: String(json.content) })).json.error).toContain(
      'line numbers',
    );
    expect((await call('write_file', { path: 'x' })).json.error).toContain('content is required');
  });

  it('refuses system files, credentials, other profiles, and all outside the safe roots', async () => {
    const { call, userHome, rootHome, cwd } = fileTools();
    mkdirSync(join(userHome, '.ssh'), { recursive: true });
    symlinkSync(join(userHome, '.ssh'), join(cwd, 'harmless'));
    const denied = [
      '/etc/hosts.new',
      join(rootHome, 'config.yaml'),
      join(rootHome, '.env'),
      join(rootHome, 'state.db'),
      join(rootHome, 'profiles/work/mcp-tokens/a.json'),
      join(rootHome, 'profiles/work/skills/x/SKILL.md'),
      '~/.ssh/authorized_keys',
      'harmless/id_rsa',
      '~/.aws/credentials',
      '~/.npmrc',
      'sub/.env.local',
    ];
    for (const path of denied) {
      expect([path, (await call('write_file', { path, content: 'x' })).result.isError]).toEqual([path, true]);
    }
    const own = await call('write_file', {
      path: join(rootHome, 'profiles/work/skills/x/SKILL.md'),
      content: 'x',
      cross_profile: true,
    });
    expect(own.json).toMatchObject({ success: true, _warning: expect.stringContaining('outside') });
    const caged = fileTools({ safeRoots: [cwd] });
    expect((await caged.call('write_file', { path: 'a', content: 'x' })).json.error).toContain(
      'HERMES_WRITE_SAFE_ROOT',
    );
    expect((await caged.call('write_file', { path: join(cwd, 'a'), content: 'x' })).result.isError).toBe(false);
  });

  it('asks before it writes the SSH configuration', async () => {
    const { call, userHome } = fileTools();
    const path = join(userHome, '.ssh', 'config');
    await call('write_file', { path, content: 'Host a\n' }, { answer: () => 'deny' });
    expect(existsSync(path)).toBe(false);
    await call('write_file', { path, content: 'Host a\n' }, { answer: () => 'once' });
    expect(existsSync(path)).toBe(true);
  });

  it('reports syntax errors that are new, and only those', async () => {
    const { call, put } = fileTools();
    const lint = async (path: string, content: string) => (await call('write_file', { path, content })).json.lint;
    expect(await lint('a.json', '{"a": 1,}')).toHaveLength(1);
    expect(await lint('b.json', '{"a": 1}')).toBeUndefined();
    expect(await lint('a.yaml', 'a: [1\nb: 2\n')).not.toHaveLength(0);
    expect(await lint('a.ts', 'const a: number = ;\n')).toHaveLength(1);
    expect(await lint('b.ts', 'export const a: number = 1;\n')).toBeUndefined();
    expect(await lint('a.py', 'def f(:\n')).toHaveLength(1);
    put('broken.py', 'def f(:\n');
    expect(await lint('broken.py', '# a comment\ndef f(:\n')).toBeUndefined();
  });

  it('lets no two writers of one file mix, and each sees the other', async () => {
    const { call, put, text } = fileTools();
    put('a.txt', '0\n');
    const results = await Promise.all(
      Array.from({ length: 8 }, (_, index) =>
        call('patch', { path: 'a.txt', old_string: '0', new_string: `0\n${index + 1}` }, { sessionId: `s${index}` }),
      ),
    );
    expect(results.every(({ receipt }) => receipt.ok)).toBe(true);
    expect(text('a.txt').trim().split('\n').sort()).toEqual(Array.from({ length: 9 }, (_, index) => String(index)));
  });
});

describe('text formats', () => {
  it('come back byte for byte for any text in any encoding', async () => {
    const format = fc.record({
      encoding: fc.constantFrom('utf-8', 'utf-16le', 'utf-16be'),
      bom: fc.constant(true),
      lineEnd: fc.constantFrom('lf' as const, 'crlf' as const),
    });
    const body = fc.array(fc.string({ unit: 'grapheme' }).map((line) => line.replace(/[\r\n\u0000]/g, '')));
    await fc.assert(
      fc.asyncProperty(format, body, async (given, lines) => {
        const bytes = encodeText(lines.join('\n'), given);
        const decoded = await decodeText(bytes ?? new Uint8Array());
        expect(decoded?.text).toBe(lines.join('\n'));
        expect(encodeText(decoded?.text ?? '', decoded?.format ?? given)).toEqual(bytes);
      }),
    );
  });

  it('never change a file that is decoded and encoded again', async () => {
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ maxLength: 200 }), async (bytes) => {
        const decoded = await decodeText(bytes);
        if (decoded?.format.encoding.startsWith('utf-')) {
          expect(Buffer.from(encodeText(decoded.text, decoded.format) ?? [])).toEqual(Buffer.from(bytes));
        }
      }),
    );
  });
});
