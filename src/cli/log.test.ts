import { mkdtempSync, readdirSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { redactSecrets } from '../security/redact.ts';
import { createLineFilter, parseDuration } from './commands/logs/filter.ts';
import { follow, tail } from './commands/logs/read.ts';
import { createFileLog } from './log.ts';

const setup = () => {
  const folder = join(mkdtempSync(join(tmpdir(), 'hermes-log-')), 'logs');
  const log = createFileLog({
    folder,
    redact: (text) => redactSecrets(text),
    now: () => new Date(2026, 6, 14, 9, 30, 1, 23),
  });
  return { folder, log, read: (name: string) => readFileSync(join(folder, name), 'utf8') };
};

describe('createFileLog', () => {
  it('makes nothing before the first line, and sorts lines by level into two private files', () => {
    const { folder, log, read } = setup();
    expect(() => readdirSync(folder)).toThrow();
    log.debug('agent', 'not wanted');
    log.info('cli', 'hello', 's1');
    log.error('tools', 'broken');
    expect(read('agent.log')).toBe(
      '2026-07-14 09:30:01,023 INFO [s1] cli: hello\n2026-07-14 09:30:01,023 ERROR tools: broken\n',
    );
    expect(read('errors.log')).toBe('2026-07-14 09:30:01,023 ERROR tools: broken\n');
    expect(statSync(join(folder, 'agent.log')).mode & 0o077).toBe(0);
  });

  it('KF-172 masks keys in every line', () => {
    const { log, read } = setup();
    log.warn('agent', 'the key sk-test-0000000000000000000000 was refused');
    for (const name of ['agent.log', 'errors.log']) expect(read(name)).not.toContain('0000000000');
  });

  it('rotates when full and keeps a bounded number of old files', () => {
    const { folder, log, read } = setup();
    log.info('cli', 'first');
    for (let round = 1; round <= 5; round++) {
      writeFileSync(join(folder, 'agent.log'), `round ${round}\n${'x'.repeat(5 * 1024 * 1024)}`);
      log.info('cli', `after ${round}`);
    }
    expect(readdirSync(folder).sort()).toEqual(['agent.log', 'agent.log.1', 'agent.log.2', 'agent.log.3']);
    expect(read('agent.log')).toContain('after 5');
    expect(read('agent.log.3')).toMatch(/^round 3\n/);
  });

  it('goes on in a new file when the old one was moved away, and never throws', () => {
    const { folder, log, read } = setup();
    log.info('cli', 'one');
    renameSync(join(folder, 'agent.log'), join(folder, 'moved'));
    log.info('cli', 'two');
    expect(read('agent.log')).toContain('two');
    createFileLog({ folder: '/dev/null/logs', redact: String }).error('cli', 'nowhere');
  });
});

describe('reading logs', () => {
  const lines = [
    '2026-07-14 09:00:00,000 INFO [abc1] agent: started',
    '2026-07-14 10:00:00,000 ERROR tools.terminal: broke',
    '    at somewhere',
    '2026-07-14 11:00:00,000 WARNING [xyz] cli: odd',
  ];
  const only = (options: Parameters<typeof createLineFilter>[0]) => lines.filter(createLineFilter(options));

  it('filters join, and lines without a head follow the one before', () => {
    expect(only({})).toEqual(lines);
    expect(only({ level: 'warn' })).toEqual(lines.slice(1));
    expect(only({ level: 'error' })).toEqual(lines.slice(1, 3));
    expect(only({ component: 'tools' })).toEqual(lines.slice(1, 3));
    expect(only({ session: 'abc' })).toEqual(lines.slice(0, 1));
    expect(only({ since: Date.parse('2026-07-14T10:30:00') })).toEqual(lines.slice(3));
    expect(only({ level: 'error', session: 'abc' })).toEqual([]);
    expect(() => only({ level: 'loud' })).toThrow('There is no level "loud".');
  });

  it('reads durations', () => {
    expect(['90s', '30m', '2h', '1d', '1w'].map((text) => parseDuration('--since', text) / 1000)).toEqual([
      90, 1800, 7200, 86_400, 604_800,
    ]);
    for (const text of ['', '5', 'h', '-1h', '1y'])
      expect(() => parseDuration('--since', text)).toThrow('--since needs');
  });

  it('follows what is added, and a file that was replaced', async () => {
    const path = join(mkdtempSync(join(tmpdir(), 'hermes-tail-')), 'agent.log');
    writeFileSync(path, 'one\ntwo\nthree\n');
    const all = () => true;
    const { lines: last, position } = tail(path, 2, all);
    expect(last).toEqual(['two\n', 'three\n']);
    const stop = new AbortController();
    const news = follow(path, position, all, stop.signal);
    writeFileSync(path, 'four 挨', { flag: 'a' });
    const next = news.next();
    writeFileSync(path, '拶\n', { flag: 'a' });
    expect((await next).value).toBe('four 挨拶\n');
    renameSync(path, `${path}.1`);
    writeFileSync(path, 'five\n');
    expect((await news.next()).value).toBe('five\n');
    stop.abort();
    expect((await news.next()).done).toBe(true);
  });
});
