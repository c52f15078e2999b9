// biome-ignore-all lint/suspicious/noTemplateCurlyInString: such references are what is tested here
import { execFileSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { makeHome } from './home.ts';
import { loadConfig } from './load.ts';

function setUp(text?: string, managed?: string) {
  const root = mkdtempSync(join(tmpdir(), 'hermes-load-'));
  const dir = join(root, 'home');
  mkdirSync(join(dir, 'cache'), { recursive: true });
  const home = makeHome(dir, dir, 'default', root);
  const write = (content: string) => writeFileSync(home.path('config.yaml'), content);
  if (text !== undefined) write(text);
  if (managed !== undefined) writeFileSync(join(root, 'config.yaml'), managed);
  const load = (env: Record<string, string> = {}) => loadConfig(home, { HERMES_MANAGED_DIR: root, ...env });
  return { home, write, load };
}

describe('loadConfig', () => {
  it('joins defaults, the user’s and the administrator’s settings, and keeps what it does not know', async () => {
    const { load } = setUp('agent:\n  max_turns: 5\n  verbose: true\nmine:\n  x: 1\n', 'agent:\n  max_turns: 7\n');
    const { config, warnings, pinned } = await load();
    expect(config.agent).toMatchObject({ max_turns: 7, verbose: true, api_max_retries: 3 });
    expect(config).toMatchObject({ mine: { x: 1 } });
    expect(warnings).toEqual([]);
    expect(pinned).toEqual(['agent.max_turns']);
  });

  it('gives the same with and without a cache', async () => {
    const { load, home } = setUp('model: a\nproviders:\n  x:\n    base_url: http://x\ndisplay:\n  streaming: no\n');
    const cold = await load();
    expect(existsSync(home.path('cache', 'config.json'))).toBe(true);
    expect(await load()).toEqual(cold);
  });

  it('reads older spellings', async () => {
    const { config, warnings } = await setUp(
      `model: gpt-x
max_turns: 12
compression: {summary_model: small, summary_provider: openai}
display: {tool_progress_overrides: {telegram: off}}
stt: {provider: groq, model: w}
custom_providers: [{name: My Box, base_url: "http://box/v1"}]
fallback_model: {provider: openai, model: b}
personalities: {pirate: Arr}
`,
    ).load();
    expect(config.model.default).toBe('gpt-x');
    expect(config.agent.max_turns).toBe(12);
    expect(config.agent.personalities).toEqual({ pirate: 'Arr' });
    expect(config.auxiliary.compression).toMatchObject({ model: 'small', provider: 'openai', timeout: 120 });
    expect(config.display.platforms.telegram).toEqual({ tool_progress: 'off' });
    expect(config.stt.groq.model).toBe('w');
    expect(config.providers['my-box']).toMatchObject({ base_url: 'http://box/v1' });
    expect(config.fallback_providers).toEqual([{ provider: 'openai', model: 'b' }]);
    expect(warnings).toEqual([]);
  });

  it('takes what everyone would read alike and warns of the rest, naming key, kind and default', async () => {
    const { config, warnings } = await setUp(
      'agent: {max_turns: unlimited, verbose: "yes", api_max_retries: "4"}\napprovals: {mode: false, deny: rm *}\nmemory:\n  nudge_interval: often\n  provider:\nskills:\n',
    ).load();
    expect(config.agent).toMatchObject({ max_turns: null, verbose: true, api_max_retries: 4 });
    expect(config.approvals).toMatchObject({ mode: 'off', deny: ['rm *'] });
    expect(config.skills.creation_nudge_interval).toBeGreaterThan(0);
    expect(config.memory.nudge_interval).toBe(10);
    expect(warnings).toEqual([
      expect.stringMatching(/memory\.nudge_interval is "often" but must be whole number.*10 is used/),
    ]);
  });

  it('points out a slip, but not the settings of a plugin', async () => {
    const { warnings } = await setUp('memory: {nudge_intervall: 3}\nmy_plugin: {a: 1}\n').load();
    expect(warnings).toEqual([expect.stringContaining('did you mean memory.nudge_interval')]);
  });

  it('fills in variables at every load and keeps the values out of the cache', async () => {
    const { load, home } = setUp(
      'model:\n  api_key: ${MY_KEY}\n  base_url: http://${env:HOST}:${PORT}/$X\nmonitoring: {a: "${file:x}", b: "${A:-b}"}\nagent:\n  max_turns: ${TURNS}\n',
    );
    const env = { MY_KEY: 'top-secret-1', HOST: 'h', TURNS: '9' };
    const first = await load(env);
    expect(first.config.model).toMatchObject({ api_key: 'top-secret-1', base_url: 'http://h:${PORT}/$X' });
    expect(first.config.agent.max_turns).toBe(9);
    expect(first.config.monitoring).toEqual({ a: '${file:x}', b: '${A:-b}' });
    expect(first.warnings.map((text) => /\$\{[^}]*\}/.exec(text)?.[0]).sort()).toEqual(['${PORT}', '${file:x}']);
    expect((await load({ ...env, MY_KEY: 'other' })).config.model.api_key).toBe('other');
    for (const name of readdirSync(home.path('cache')))
      expect(readFileSync(home.path('cache', name), 'utf8')).not.toContain('top-secret');
  });

  it('never serves a former text, not even of equal length and time', async () => {
    const { load, write, home } = setUp('agent:\n  max_turns: 11\n');
    expect((await load()).config.agent.max_turns).toBe(11);
    for (const turns of [22, 33]) {
      const { mtime, atime } = statSync(home.path('config.yaml'));
      write(`agent:\n  max_turns: ${turns}\n`);
      utimesSync(home.path('config.yaml'), atime, mtime);
      expect((await load()).config.agent.max_turns).toBe(turns);
    }
    rmSync(home.path('config.yaml'));
    expect((await load()).config.agent.max_turns).toBe(90);
  });

  it('survives a damaged cache and keeps it to the user', async () => {
    const { load, home } = setUp('model: a\n');
    await load();
    expect(statSync(home.path('cache', 'config.json')).mode & 0o777).toBe(0o600);
    writeFileSync(home.path('cache', 'config.json'), '{"product":');
    expect((await load()).config.model.default).toBe('a');
  });

  it('loads no YAML and no schema on a warm start', async () => {
    const { home } = setUp('model: a\n');
    const script = `
      import { registerHooks } from 'node:module';
      const seen = [];
      registerHooks({ resolve: (name, context, next) => (seen.push(name), next(name, context)) });
      const { loadConfig } = await import(${JSON.stringify(new URL('./load.ts', import.meta.url).href)});
      const { makeHome } = await import(${JSON.stringify(new URL('./home.ts', import.meta.url).href)});
      const { config } = await loadConfig(makeHome('/', ${JSON.stringify(home.dir)}, 'default', '/'), { HERMES_MANAGED_DIR: '/nowhere' });
      console.log(JSON.stringify([config.model.default, seen.some((name) => /yaml$|^zod$|schema/.test(name))]));`;
    const run = () =>
      JSON.parse(execFileSync(process.execPath, ['--input-type=module', '-e', script], { encoding: 'utf8' }));
    expect(run()).toEqual(['a', true]);
    expect(run()).toEqual(['a', false]);
  });

  it('reports a broken file with its place, serves the newest good copy and touches nothing', async () => {
    const { load, write, home } = setUp('model: first\n');
    await load();
    write('model: second\n');
    await load();
    const broken = 'model: third\nagent: [1\n';
    write(broken);
    for (let i = 0; i < 2; i++) {
      const { config, problems, warnings } = await load();
      expect(config.model.default).toBe('second');
      expect(problems).toEqual([
        expect.objectContaining({ line: expect.any(Number), served: expect.stringContaining('config.yaml.good.') }),
      ]);
      expect(warnings[0]).toMatch(/config\.yaml.*line \d+, column \d+/);
    }
    expect(readFileSync(home.path('config.yaml'), 'utf8')).toBe(broken);
  });

  it('serves defaults for a broken file without a copy, and for what is no settings file at all', async () => {
    for (const text of ['a: [', '- a\n- b\n', 'just words', 'a: *b']) {
      const { config, problems } = await setUp(text).load();
      expect(problems).toHaveLength(1);
      expect(config.agent.max_turns).toBe(90);
    }
    const { load, home } = setUp();
    writeFileSync(home.path('config.yaml'), Buffer.from([0x61, 0x3a, 0x20, 0xff, 0xfe]));
    expect((await load()).problems[0]?.reason).toMatch(/UTF-8/);
  });

  it('KF-028: takes a file of 0 bytes for a loss when there were settings, and for none when there were not', async () => {
    const { load, write } = setUp('model: kept\n');
    await load();
    write('');
    const { config, problems } = await load();
    expect(config.model.default).toBe('kept');
    expect(problems[0]?.reason).toMatch(/empty/);
    expect((await setUp('').load()).problems).toEqual([]);
  });

  it('keeps five good copies and none twice', async () => {
    const { load, write, home } = setUp('n: 0\n');
    for (let n = 1; n <= 7; n++) {
      await load();
      await load();
      write(`n: ${n}\n`);
    }
    await load();
    const folder = home.path('backups', 'config');
    const texts = readdirSync(folder)
      .sort()
      .map((name) => readFileSync(join(folder, name), 'utf8'));
    expect(texts).toEqual([3, 4, 5, 6, 7].map((n) => `n: ${n}\n`));
  });

  it('KF-193: reads other scripts, a byte order mark, doubled keys and numbers too long to be exact', async () => {
    const { load } = setUp('\uFEFF挨拶: こんにちは\nid: 123456789012345678901\nn: 1\nn: 2\n');
    const { config, warnings } = await load();
    expect(config).toMatchObject({ 挨拶: 'こんにちは', id: '123456789012345678901', n: 2 });
    expect(warnings).toEqual([expect.stringMatching(/line 4/)]);
  });

  it('ignores the user’s settings on request', async () => {
    const { home, load } = setUp('model: mine\n');
    const { config } = await loadConfig(home, { HERMES_MANAGED_DIR: '/nowhere' }, { ignoreUser: true });
    expect(config.model.default).toBe('');
    expect((await load()).config.model.default).toBe('mine');
  });

  it('leaves a broken administrator’s file out and says so', async () => {
    const { config, problems } = await setUp('model: mine\n', 'a: [').load();
    expect(config.model.default).toBe('mine');
    expect(problems).toHaveLength(1);
  });
});
