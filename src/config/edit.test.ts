// biome-ignore-all lint/suspicious/noTemplateCurlyInString: such references are what is tested here
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { setConfig, unsetConfig } from './edit.ts';
import { keepCopy } from './good-copies.ts';
import { makeHome } from './home.ts';
import { joinKey, resolveKey, splitKey } from './key-path.ts';
import { maskSecret, maskTree } from './mask.ts';
import { readYaml } from './yaml-text.ts';

function setUp(text = '', env = '') {
  const root = mkdtempSync(join(tmpdir(), 'hermes-edit-'));
  const dir = join(root, 'home');
  mkdirSync(dir);
  const home = makeHome(dir, dir, 'default', root);
  if (text) writeFileSync(home.path('config.yaml'), text);
  if (env) writeFileSync(home.path('.env'), env);
  const target = { home, env: { HERMES_MANAGED_DIR: join(root, 'managed') } };
  const file = (name = 'config.yaml') =>
    existsSync(home.path(name)) ? readFileSync(home.path(name), 'utf8') : undefined;
  const value = () => {
    const read = readYaml(file() ?? '');
    return read.ok ? read.value : undefined;
  };
  return { root, home, target, file, value };
}

describe('setConfig', () => {
  it('KF-187: leaves comments and order alone', async () => {
    const text = '# mine\nworktree: false\nagent:\n  verbose: false # why\n  max_turns: 4\n';
    const { target, file } = setUp(text);
    await setConfig(target, 'agent.verbose', 'yes');
    expect(file()).toBe(text.replace('verbose: false', 'verbose: true'));
    expect(await setConfig(target, 'agent.verbose', 'true')).toMatchObject({ changed: false });
  });

  it('KF-188: refuses an unknown name, names the nearest and changes nothing', async () => {
    const text = 'providers:\n  "1": {name: a}\n';
    const { target, file } = setUp(text);
    const cases: [string, string][] = [
      ['providers[1].nme', 'providers.1.name'],
      ['mcp_servers.git.comand', 'mcp_servers.git.command'],
      ['agent.max_trns', 'agent.max_turns'],
      ['max_tool_calls', 'code_execution.max_tool_calls'],
      ['aproovals.mode', 'approvals.mode'],
      ['auxiliary.vision.modle', 'auxiliary.vision.model'],
    ];
    for (const [key, near] of cases)
      await expect(setConfig(target, key, 'x')).rejects.toMatchObject({
        code: 'config-key',
        exitCode: 1,
        hint: expect.stringContaining(`Did you mean ${near}?`),
      });
    expect(file()).toBe(text);
  });

  it('turns what was typed into what the setting takes', async () => {
    const { target, value } = setUp();
    const cases: [string, string, unknown][] = [
      ['agent.max_turns', '7', 7],
      ['display.streaming', 'off', false],
      ['approvals.mode', 'off', 'off'],
      ['agent.system_prompt', '42', '42'],
      ['compression.threshold', '0.4', 0.4],
      ['approvals.deny', 'rm *, dd *', ['rm *', 'dd *']],
      ['command_allowlist', '["a,b"]', ['a,b']],
      ['agent.tool_use_enforcement', 'true', true],
      ['agent.tool_use_enforcement', 'auto', 'auto'],
      ['mcp_servers.x', '{"command":"npx"}', { command: 'npx' }],
      ['platforms.discord.extra.chat', '123456789012345678901', '123456789012345678901'],
      ['fallback_providers[0].model', 'm', 'm'],
      ['fallback_providers.1', 'a/b', 'a/b'],
    ];
    for (const [key, typed, wanted] of cases) {
      await setConfig(target, key, typed);
      expect([
        key,
        splitKey(key).reduce<unknown>((at, part) => (at as Record<string, unknown>)[part], value()),
      ]).toEqual([key, wanted]);
    }
  });

  it('refuses a value of the wrong kind, naming the right one', async () => {
    const { target, file } = setUp('agent:\n  max_turns: 4\n');
    for (const [key, typed] of [
      ['agent.max_turns', 'lots'],
      ['approvals.mode', 'of'],
      ['memory.nudge_interval', '-3'],
      ['compression.threshold', '7'],
      ['agent', 'x'],
    ] as const)
      await expect(setConfig(target, key, typed)).rejects.toMatchObject({
        code: 'config-value',
        message: expect.stringContaining('must be'),
      });
    expect(file()).toBe('agent:\n  max_turns: 4\n');
  });

  it('writes keys and known variables to .env, everything else to the settings', async () => {
    const { target, file, home } = setUp('', '# keys\nA=1\n');
    await setConfig(target, 'OPENROUTER_API_KEY', 'abc#d"e\\f g');
    await setConfig(target, 'my_own_token', 'x');
    await setConfig(target, 'TERMINAL_TIMEOUT', '5');
    expect(file('.env')).toMatch(
      /^# keys\nA=1\nOPENROUTER_API_KEY="abc#d\\"e\\\\f g"\nMY_OWN_TOKEN=x\nTERMINAL_TIMEOUT=5\n$/,
    );
    expect(file()).toBeUndefined();
    await unsetConfig(target, 'my_own_token');
    expect(file('.env')).not.toContain('MY_OWN');
    await setConfig(target, 'timezone', 'Europe/Berlin');
    expect(statSync(home.path('config.yaml')).mode & 0o777).toBe(0o600);
  });

  it('finds the place: a short model, a platform’s display settings, keys with dots', async () => {
    const { target, value } = setUp('model: a\nproviders:\n  my.box: {base_url: u}\n');
    await setConfig(target, 'model.provider', 'openai');
    await setConfig(target, 'model', 'b');
    await setConfig(target, 'platforms.telegram.show_reasoning', 'no');
    await setConfig(target, 'providers.my.box.base_url', 'v');
    await setConfig(target, 'providers.gpt-4\\.1.base_url', 'w');
    expect(value()).toEqual({
      model: { default: 'b', provider: 'openai' },
      display: { platforms: { telegram: { show_reasoning: false } } },
      providers: { 'my.box': { base_url: 'v' }, 'gpt-4.1': { base_url: 'w' } },
    });
    await expect(setConfig(setUp('monitoring:\n  a.b: 1\n').target, 'monitoring.a.c', '2')).resolves.toBeDefined();
    await expect(setConfig(setUp('monitoring:\n  a.b: 1\n').target, 'monitoring.a.b.c', '2')).rejects.toMatchObject({
      code: 'config-shape',
    });
    await expect(setConfig(setUp('monitoring:\n  a.b.c: 1\n').target, 'monitoring.a.b', '2')).rejects.toMatchObject({
      code: 'config-shape',
    });
  });

  it('takes settings out, also ones it does not know', async () => {
    const { target, value } = setUp('agent:\n  verbose: true\nold_thing:\n  x: 1\nlist: [1]\n');
    await unsetConfig(target, 'agent.verbose');
    await unsetConfig(target, 'old_thing');
    expect(value()).toEqual({ list: [1] });
    await expect(unsetConfig(target, 'agent.vrbose')).rejects.toMatchObject({ code: 'config-key' });
  });

  it('refuses what the administrator has fixed, naming the file', async () => {
    const { target, root, file } = setUp('model: a\n');
    mkdirSync(join(root, 'managed'));
    writeFileSync(join(root, 'managed', 'config.yaml'), 'approvals:\n  mode: manual\n');
    writeFileSync(join(root, 'managed', '.env'), 'OPENAI_API_KEY=x\n');
    await expect(setConfig(target, 'approvals.mode', 'off')).rejects.toMatchObject({
      code: 'config-pinned',
      message: expect.stringContaining(join(root, 'managed')),
    });
    await expect(setConfig(target, 'OPENAI_API_KEY', 'y')).rejects.toMatchObject({ code: 'config-pinned' });
    await setConfig(target, 'approvals.timeout', '5');
    expect(file()).toContain('timeout: 5');
  });

  it('never writes over what it cannot read', async () => {
    for (const text of ['a: [\n', 'a: "\xff"\n']) {
      const { target, home } = setUp();
      const bytes = Buffer.from(text, 'latin1');
      writeFileSync(home.path('config.yaml'), bytes);
      await expect(setConfig(target, 'agent.verbose', 'true')).rejects.toMatchObject({ code: 'config-broken' });
      expect(readFileSync(home.path('config.yaml'))).toEqual(bytes);
    }
  });

  it('KF-028: does not start over on a file that lost its content', async () => {
    const { target, home } = setUp();
    await keepCopy(home, 'model: a\n', 'good');
    writeFileSync(home.path('config.yaml'), '');
    await expect(setConfig(target, 'agent.verbose', 'true')).rejects.toMatchObject({
      code: 'config-broken',
      hint: expect.stringContaining('cp '),
    });
  });

  it('loses none of several changes at once, and keeps mode and link of the file', async () => {
    const { target, home, root, value } = setUp();
    const real = join(root, 'dotfiles.yaml');
    writeFileSync(real, '# mine\n');
    chmodSync(real, 0o640);
    symlinkSync(real, home.path('config.yaml'));
    await Promise.all([1, 2, 3, 4, 5].map((n) => setConfig(target, `model_aliases.m${n}`, `x${n}`)));
    expect(value()).toEqual({ model_aliases: { m1: 'x1', m2: 'x2', m3: 'x3', m4: 'x4', m5: 'x5' } });
    expect(lstatSync(home.path('config.yaml')).isSymbolicLink()).toBe(true);
    expect(statSync(real).mode & 0o777).toBe(0o640);
    expect(existsSync(home.path('config.yaml.lock'))).toBe(false);
  });

  it('KF-191: writes below its own profile alone', async () => {
    const { home, root } = setUp();
    const other = makeHome(home.root, home.path('profiles', 'b'), 'b', root);
    mkdirSync(other.dir, { recursive: true });
    await setConfig({ home: other, env: {} }, 'agent.verbose', 'true');
    await setConfig({ home: other, env: {} }, 'X_API_KEY', 'y');
    expect([existsSync(home.path('config.yaml')), existsSync(home.path('.env'))]).toEqual([false, false]);
    expect(existsSync(other.path('.env'))).toBe(true);
  });
});

describe('names of settings', () => {
  it('split and join are each other’s reverse', () => {
    const part = fc.string({ unit: fc.constantFrom(...'ab.\\0é-'), minLength: 1, maxLength: 5 });
    fc.assert(
      fc.property(fc.array(part, { minLength: 1, maxLength: 4 }), (path) => {
        expect(splitKey(joinKey(path))).toEqual(path);
        expect(resolveKey(joinKey(path), {})).toEqual(path);
      }),
    );
    expect(splitKey('a[0][1].b')).toEqual(['a', '0', '1', 'b']);
    for (const bad of ['', 'a..b', '.a', 'a.']) expect(() => splitKey(bad)).toThrow(/not the name/);
  });
});

describe('masking', () => {
  it('shows no secret and leaves the rest', () => {
    const tree = {
      model: { api_key: 'sk-1234567890abcdef', default: 'm' },
      providers: { x: { api_key: '${KEY}', base_url: 'u' } },
      mcp_servers: {
        y: {
          env: { GITHUB_TOKEN: 'ghp_abcdefghijklmn', LANG: 'C' },
          headers: { Authorization: 'Bearer abcdefghijklmnop' },
        },
      },
      platforms: { telegram: { token: 123456789 } },
    };
    const shown = JSON.stringify(maskTree(tree));
    for (const secret of ['1234567890', 'abcdefghijklmn', '123456789']) expect(shown).not.toContain(secret);
    for (const plain of ['"m"', '${KEY}', '"u"', '"C"']) expect(shown).toContain(plain);
    fc.assert(
      fc.property(fc.string({ minLength: 1, maxLength: 15 }), (secret) => maskSecret(`x${secret}`) !== `x${secret}`),
    );
  });
});
