import { mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough, Readable } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { AppError, describeError } from '../../lib/errors.ts';
import type { CliContext } from '../context.ts';
import { configCommand } from './config.ts';
import { profileCommand } from './profile.ts';

function setUp(extra: Record<string, string> = {}) {
  const user = mkdtempSync(join(tmpdir(), 'hermes-cli-'));
  const home = join(user, '.hermes');
  mkdirSync(home);
  const env = {
    HOME: user,
    HERMES_HOME: home,
    HERMES_MANAGED_DIR: join(user, 'managed'),
    PATH: '/usr/bin:/bin',
    ...extra,
  };
  const run = async (command: typeof configCommand, args: string[], input = '') => {
    const [stdout, stderr] = [new PassThrough(), new PassThrough()];
    const ctx: CliContext = {
      env,
      cwd: user,
      profile: undefined,
      stdin: Readable.from([input]),
      stdout,
      stderr,
      signal: new AbortController().signal,
    };
    let code: number;
    let error = '';
    try {
      code = await command(args, ctx);
    } catch (thrown) {
      if (!(thrown instanceof AppError)) throw thrown;
      code = thrown.exitCode;
      error = describeError(thrown);
    }
    return { code, out: String(stdout.read() ?? ''), err: String(stderr.read() ?? '') + error };
  };
  return {
    user,
    home,
    config: (args: string[], input?: string) => run(configCommand, args, input),
    profile: (args: string[], input?: string) => run(profileCommand, args, input),
  };
}

describe('hermes config', () => {
  it('sets, gets, shows and takes out', async () => {
    const { config, home } = setUp();
    expect((await config(['set', 'agent.max_turns', '5'])).code).toBe(0);
    expect(await config(['get', 'agent.max_turns'])).toMatchObject({ code: 0, out: '5\n' });
    expect((await config(['show'])).out).toContain('max_turns: 5');
    expect(JSON.parse((await config(['show', '--json'])).out)).toEqual({ agent: { max_turns: 5 } });
    expect((await config(['show', '--all'])).out).toContain('api_max_retries: 3');
    expect((await config(['unset', 'agent.max_turns'])).code).toBe(0);
    expect(await config(['get', 'agent.max_turns', '--json'])).toMatchObject({ out: '90\n' });
    expect((await config(['path'])).out).toBe(`${join(home, 'config.yaml')}\n`);
    expect((await config(['env-path'])).out).toBe(`${join(home, '.env')}\n`);
    expect((await config(['set', 'agent.max_turns', '-1'])).code).toBe(0);
    expect(await config(['check'])).toMatchObject({ code: 0, out: expect.stringContaining('in order') });
  });

  it('ends with 2 for what was typed wrongly and 1 for what cannot be done', async () => {
    const { config } = setUp();
    for (const args of [['nonsense'], ['get'], ['set', 'agent.max_turns'], ['get', 'a', 'b'], ['show', '--wat']])
      expect([args, (await config(args)).code]).toEqual([args, 2]);
    for (const args of [
      ['get', 'agent.max_trns'],
      ['set', 'agent.max_turns', 'x'],
      ['unset', 'nope'],
      ['get', 'MY_API_KEY'],
      ['get', 'stt.provider'],
    ])
      expect([args, (await config(args)).code]).toEqual([args, 1]);
  });

  it('shows no secret unless asked to', async () => {
    const { config } = setUp();
    const secret = 'sk-0123456789abcdefgh';
    await config(['set', 'OPENAI_API_KEY', '-'], `${secret}\n`);
    await config(['set', 'providers.x.api_key', secret]);
    for (const args of [
      ['show'],
      ['show', '--all', '--json'],
      ['get', 'providers'],
      ['get', 'OPENAI_API_KEY'],
      ['get', 'providers.x.api_key'],
    ])
      expect((await config(args)).out).not.toContain('56789abc');
    expect((await config(['get', 'OPENAI_API_KEY', '--reveal'])).out).toBe(`${secret}\n`);
    expect((await config(['get', 'providers.x.api_key', '--reveal'])).out).toBe(`${secret}\n`);
  });

  it('says what is wrong with a file, and mends what is old', async () => {
    const { config, home } = setUp();
    writeFileSync(join(home, 'config.yaml'), 'max_turns: 3\nagent: {verbose: perhaps}\nfoo: 1\n');
    const { code, out } = await config(['check']);
    expect(code).toBe(1);
    for (const part of ['agent.verbose', 'foo is not a setting', 'max_turns → agent.max_turns'])
      expect(out).toContain(part);
    const before = readFileSync(join(home, 'config.yaml'), 'utf8');
    await config(['migrate', '--dry-run']);
    expect(readFileSync(join(home, 'config.yaml'), 'utf8')).toBe(before);
    expect((await config(['migrate'])).code).toBe(0);
    expect((await config(['check'])).out).not.toContain('older spelling');
    writeFileSync(join(home, 'config.yaml'), 'a: [');
    expect(await config(['show'])).toMatchObject({ code: 1, err: expect.stringMatching(/line \d/) });
  });

  it('opens the editor with the file and reports what it left', async () => {
    const { config, home } = setUp({ EDITOR: `sh -c 'printf "a: [" > "$1"' editor` });
    expect(await config(['edit'])).toMatchObject({ code: 1, err: expect.stringContaining('cannot be read') });
    expect(readFileSync(join(home, 'config.yaml'), 'utf8')).toBe('a: [');
    expect(await setUp({ EDITOR: 'false' }).config(['edit'])).toMatchObject({
      code: 1,
      err: expect.stringContaining('EDITOR'),
    });
  });
});

describe('hermes profile', () => {
  it('leads a profile through its life', async () => {
    const { profile, config } = setUp();
    await config(['set', 'model', 'm1']);
    expect((await profile(['create', 'coder', '--clone', '--description', 'code'])).code).toBe(0);
    expect((await profile(['show', 'coder'])).out).toMatch(/Model:\s+m1/);
    expect((await profile(['use', 'coder'])).code).toBe(0);
    expect(JSON.parse((await profile(['list', '--json'])).out)).toEqual([
      expect.objectContaining({ name: 'default', active: true }),
      expect.objectContaining({ name: 'coder', description: 'code' }),
    ]);
    expect((await profile(['export', 'coder'])).code).toBe(0);
    expect((await profile(['import', 'coder.tar.gz', '--name', 'copy'])).code).toBe(0);
    expect((await profile(['rename', 'copy', 'copy2'])).code).toBe(0);
    expect((await profile(['describe', 'copy2', '--text', 'other'])).out).toBe('other\n');
    expect((await profile(['delete', 'copy2'], 'wrong\n')).code).toBe(1);
    expect((await profile(['delete', 'copy2'], 'copy2\n')).code).toBe(0);
    expect((await profile(['delete', 'coder', '-y'])).code).toBe(0);
    expect((await profile(['list'])).out.trim().split('\n')).toHaveLength(1);
  });

  it('ends with 2 for what was typed wrongly and 1 for what cannot be done', async () => {
    const { profile } = setUp();
    for (const args of [
      ['use'],
      ['create', 'x', '--clone', '--no-skills'],
      ['create', 'x', '--clone-channels'],
      ['nope'],
    ])
      expect([args, (await profile(args)).code]).toEqual([args, 2]);
    for (const args of [
      ['use', 'x'],
      ['create', 'default'],
      ['delete', 'default', '-y'],
      ['import', 'x.tar.gz'],
    ])
      expect([args, (await profile(args)).code]).toEqual([args, 1]);
  });
});
