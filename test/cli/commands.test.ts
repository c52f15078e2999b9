import { execFileSync } from 'node:child_process';
import { chmodSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ModelServer, startModelServer } from '../support/model-server.ts';
import { homeWithModel, runHermes, tempHome } from '../support/run-hermes.ts';

let server: ModelServer;
let home: string;

beforeAll(async () => {
  server = await startModelServer();
  home = homeWithModel(server.baseUrl);
  server.script(() => ({ text: 'an answer with ``` in it' }));
  for (const question of ['first question about tea', 'second question about coffee'])
    await runHermes(['-z', question], { home, env: { OPENAI_API_KEY: 'sk-test-0000000000000000000000' } });
});
afterAll(() => server.close());

const run = (...args: string[]) => runHermes(args, { home });
const json = async (...args: string[]) => JSON.parse((await run(...args)).stdout) as unknown;

describe('hermes sessions', () => {
  it('lists, searches, shows, renames, exports and deletes', async () => {
    const rows = (await json('sessions', 'list', '--json')) as { id: string; preview: string }[];
    expect(rows.map((row) => row.preview)).toEqual(['second question about coffee', 'first question about tea']);
    const [coffee, tea] = rows.map((row) => row.id) as [string, string];

    expect((await run('sessions', 'search', 'tea')).stdout).toContain(tea);
    expect((await run('sessions', 'rename', tea, 'Tea', 'talk')).stdout).toContain('Tea talk');
    const shown = await run('sessions', 'show', 'Tea talk');
    expect(shown.stdout).toContain('# Tea talk');
    expect(shown.stdout).toContain('first question about tea');

    const lines = (await run('sessions', 'export', '-')).stdout
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as { type: string });
    expect(lines.filter((line) => line.type === 'session')).toHaveLength(2);
    expect(lines.filter((line) => line.type === 'message')).toHaveLength(4);
    await run('sessions', 'export', 'talk.md', '--format', 'md', '--session-id', coffee);
    expect(readFileSync(join(home, 'talk.md'), 'utf8')).toContain('second question about coffee');

    expect(await run('sessions', 'delete', coffee)).toMatchObject({ code: 2 });
    expect(await run('sessions', 'delete', coffee, '--yes')).toMatchObject({ code: 0 });
    expect((await json('sessions', 'list', '--json')) as object[]).toHaveLength(1);
  });
});

describe('what shows the state', () => {
  it('status, model, tools and context speak text and JSON', async () => {
    const status = (await json('status', '--json')) as { model: { info: { model: string } } };
    expect(status.model.info.model).toBe('mock-model');
    expect((await run('model')).stdout).toContain('custom:mock-model');
    const tools = (await json('tools', '--json')) as { name: string; enabled: boolean }[];
    expect(tools.some((tool) => tool.name === 'terminal' && tool.enabled)).toBe(true);
    expect((await run('tools')).stdout).toContain('terminal');
    const context = (await json('context', '--json')) as { totalTokens: number; blocks: { tokens: number }[] };
    expect(context.blocks.reduce((sum, block) => sum + block.tokens, 0)).toBe(context.totalTokens);
  });

  it('doctor is 0 with findings, names the mending command, and --fix mends', async () => {
    const sick = tempHome();
    const found = await runHermes(['doctor'], { home: sick });
    expect(found.code).toBe(0);
    expect(found.stdout).toContain('hermes setup');
    expect((await runHermes(['doctor', '--fix'], { home: sick })).stdout).not.toContain('doctor --fix');

    writeFileSync(join(sick, 'config.yaml'), 'model: [\n');
    chmodSync(join(sick, 'config.yaml'), 0o644);
    const broken = await runHermes(['doctor'], { home: sick });
    expect(broken).toMatchObject({ code: 0 });
    expect(broken.stdout).toMatch(/✗ .*config\.yaml/);
    expect(broken.stdout).toContain('hermes config edit');
    expect(broken.stdout).toContain('chmod 600');
  });

  it('no command ever shows a key', async () => {
    const key = 'sk-test-0000000000000000000000';
    writeFileSync(join(home, '.env'), `OPENROUTER_API_KEY=${key}\n`, { mode: 0o600 });
    for (const args of [['status'], ['doctor'], ['model', '--providers'], ['config', 'show'], ['logs']]) {
      const { stdout, stderr } = await run(...args);
      expect(stdout + stderr).not.toContain(key);
    }
  });
});

describe('hermes logs', () => {
  it('reads what a run wrote, filtered', async () => {
    expect((await run('logs', '--component', 'cli')).stdout).toMatch(/INFO \[\S+\] cli: /);
    expect((await run('logs', '--level', 'error')).stdout).toBe('');
    expect((await run('logs', 'list')).stdout).toContain('agent.log');
    expect(await run('logs', 'nothing')).toMatchObject({ code: 2 });
  });
});

describe('hermes setup', () => {
  it('without a terminal prints the two commands and ends with 1', async () => {
    const done = await runHermes(['setup']);
    expect(done.code).toBe(1);
    expect(done.stderr.match(/^ {2}hermes /gm)).toHaveLength(2);
  });

  it('--non-interactive saves provider, model and key after a real call', async () => {
    const fresh = tempHome();
    const args = [
      'setup',
      '--non-interactive',
      '--base-url',
      server.baseUrl,
      '--model',
      'mock-model',
      '--api-key-env',
      'MY_KEY',
    ];
    const done = await runHermes(args, { home: fresh, env: { MY_KEY: 'abcdef-123456' } });
    expect(done).toMatchObject({ code: 0, stderr: '' });
    expect(done.stdout).toBe('custom:mock-model is the default and answers.\n');
    expect(server.requests.at(-1)?.headers.authorization).toBe('Bearer abcdef-123456');
    expect(readFileSync(join(fresh, '.env'), 'utf8')).toContain('OPENAI_API_KEY=abcdef-123456');
    expect(await runHermes(['-z', 'x'], { home: fresh })).toMatchObject({ code: 0 });
  });

  it('--non-interactive tells what is missing', async () => {
    expect(await runHermes(['setup', '--non-interactive'])).toMatchObject({ code: 2 });
    const args = ['setup', '--non-interactive', '--provider', 'openrouter', '--api-key-env', 'NOT_SET'];
    expect(await runHermes(args)).toMatchObject({ code: 2 });
  });

  it('hermes model sets a default that is served, and refuses one that is not', async () => {
    const done = await run('model', 'anthropic:claude-sonnet-4-6');
    expect(done).toMatchObject({ code: 1, stdout: '' });
    writeFileSync(join(home, '.env'), 'ANTHROPIC_API_KEY=sk-ant-0000000000000000000000\n', { mode: 0o600 });
    expect(await run('model', 'anthropic:claude-sonnet-4-6')).toMatchObject({ code: 0 });
    expect((await run('model')).stdout).toContain('anthropic:claude-sonnet-4-6');
    const saved = readFileSync(join(home, 'config.yaml'), 'utf8');
    expect(saved).not.toContain('base_url');
    expect(saved).toContain('context_length');
  });
});

describe('hermes completion', () => {
  it.each(['bash', 'zsh', 'fish'])('%s knows every command and its flags', async (shell) => {
    const { code, stdout } = await run('completion', shell);
    expect(code).toBe(0);
    for (const word of ['sessions', 'export', 'session-id', 'non-interactive']) expect(stdout).toContain(word);
  });

  it('bash offers what fits the words so far', async () => {
    const { stdout: script } = await run('completion', 'bash');
    const complete = (...words: string[]) => {
      const list = words.map((word) => `'${word}'`).join(' ');
      const line = `${script}\nCOMP_WORDS=(hermes ${list}); COMP_CWORD=${words.length}; _hermes; echo "\${COMPREPLY[@]}"`;
      return execFileSync('bash', ['-c', line], { encoding: 'utf8' }).trim().split(' ');
    };
    expect(complete('sess')).toEqual(['sessions']);
    expect(complete('sessions', 're')).toEqual(['rename']);
    expect(complete('--yolo', 'sessions', 'export', '--fo')).toEqual(['--format']);
    expect(complete('setup', '--non')).toEqual(['--non-interactive']);
  });
});
