import { existsSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
import { createOutputCollector } from './output.ts';

const dir = mkdtempSync(join(tmpdir(), 'output-'));
afterAll(() => rmSync(dir, { recursive: true, force: true }));

function collect(parts: readonly string[], maxChars: number, spill = true) {
  const collector = createOutputCollector({ maxChars, name: 'call/1', ...(spill && { spillDir: join(dir, 'spill') }) });
  for (const part of parts) collector.push(part);
  return collector.finish();
}

describe('output collector', () => {
  it('gives short output whole and writes nothing', () => {
    expect(collect(['a', 'b\n'], 10)).toEqual({
      text: 'ab\n',
      totalChars: 3,
      truncated: false,
      binary: false,
      spillPath: undefined,
    });
    expect(existsSync(join(dir, 'spill'))).toBe(false);
  });

  it('KF-137: cuts the middle, says how much, and keeps all of it in a private file', () => {
    const lines = Array.from({ length: 5000 }, (_, at) => `line ${at}\n`);
    const result = collect(lines, 2000);
    expect(result.text.startsWith('line 0\n')).toBe(true);
    expect(result.text.endsWith('line 4999\n')).toBe(true);
    expect(result.text).toContain(result.totalChars.toLocaleString('en-US'));
    expect(result.text).toContain(result.spillPath);
    expect(readFileSync(result.spillPath ?? '', 'utf8')).toBe(lines.join(''));
    expect(statSync(result.spillPath ?? '').mode & 0o077).toBe(0);
  });

  it('shows more of the end than of the beginning', () => {
    const { text } = collect(['x'.repeat(50_000)], 1000, false);
    const [head = '', tail = ''] = text.split(/\n\n\[OUTPUT TRUNCATED.*\]\n\n/);
    expect(tail.length).toBeGreaterThan(head.length);
    expect(head.length + tail.length).toBeLessThanOrEqual(1000);
  });

  it('KF-141: says that output is binary', () => {
    const result = collect(['\0\x01\ufffd\ufffd\ufffdELF', 'DONE\n'], 100);
    expect(result.binary).toBe(true);
    expect(result.text).toMatch(/^\[binary output/);
    expect(result.text).toContain('DONE');
    expect(result.text).not.toMatch(/[\x00-\x08]/);
  });

  it('cleans across the borders of parts', () => {
    expect(collect(['\x1b[3', '1mred\x1b', '[0m'], 100).text).toBe('red');
  });

  it('still answers when the spill folder cannot be made', () => {
    const collector = createOutputCollector({ maxChars: 10, name: 'x', spillDir: '/dev/null/nowhere' });
    collector.push('x'.repeat(100));
    expect(collector.finish()).toMatchObject({ truncated: true, spillPath: undefined });
  });

  it('stays within its bounds and counts right, however the output is cut up', () => {
    fc.assert(
      fc.property(
        fc.array(fc.string({ maxLength: 300 }), { maxLength: 40 }),
        fc.integer({ min: 50, max: 500 }),
        (parts, maxChars) => {
          const result = collect(parts, maxChars, false);
          expect(result.totalChars).toBe(parts.join('').length);
          expect(result.truncated).toBe(result.totalChars > maxChars);
          expect(result.text.length).toBeLessThanOrEqual(maxChars + 250);
        },
      ),
    );
  });
});
