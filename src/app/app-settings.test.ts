/** Settings and variables that reach what they speak of, in an application with real parts. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type ModelServer, startModelServer } from '../../test/support/model-server.ts';
import { homeWithModel } from '../../test/support/run-hermes.ts';
import { type App, type AppOptions, openApp } from '../app.ts';
import type { AgentEvent, TurnResult } from '../contracts/turn.ts';

let server: ModelServer;
let app: App | undefined;
beforeEach(async () => {
  server = await startModelServer();
});
afterEach(async () => {
  await app?.close();
  await server.close();
});

interface Setting {
  readonly yaml?: string;
  readonly dotEnv?: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly options?: Partial<AppOptions>;
}

async function open({ yaml = '', dotEnv = '', env = {}, options = {} }: Setting): Promise<string> {
  const home = homeWithModel(server.baseUrl, yaml);
  if (dotEnv !== '') writeFileSync(join(home, '.env'), dotEnv);
  app = await openApp({
    env: { PATH: process.env.PATH, HERMES_HOME: home, HERMES_MANAGED_DIR: join(home, 'managed'), ...env },
    cwd: home,
    source: 'cli',
    door: { interactive: true, markdown: 'full', images: false, edits: 'apply' },
    ...options,
  });
  return home;
}

async function turn(): Promise<TurnResult & { readonly events: readonly AgentEvent[] }> {
  if (app === undefined) throw new Error('nothing is open');
  const events: AgentEvent[] = [];
  const result = await app.agent.run(
    app.newSession(),
    { content: [{ type: 'text', text: 'go' }] },
    { emit: (event) => events.push(event), ask: async () => undefined as never, signal: AbortSignal.timeout(20_000) },
  );
  return { ...result, events };
}

/** What a command prints that the model runs. */
async function shell(command: string): Promise<string> {
  server.script([{ toolCalls: [{ name: 'terminal', args: { command }, id: 'c1' }] }, { text: 'Done.' }]);
  await turn();
  const messages: { role: string; content: string }[] = server.requests.at(-1)?.body.messages;
  return JSON.parse(messages.find(({ role }) => role === 'tool')?.content ?? '{}').output;
}

const offered = (): string[] =>
  (server.requests[0]?.body.tools ?? []).map((tool: { function: { name: string } }) => tool.function.name);

describe('platform_toolsets', () => {
  it('says what a door is offered, a flag wins, and a label of a session is still the command line', async () => {
    await open({ yaml: 'platform_toolsets:\n  cli: [todo]\n  cron: [file]\n' });
    await turn();
    expect(offered()).toEqual(['todo']);
    await app?.close();
    server.requests.length = 0;
    await open({ yaml: 'platform_toolsets:\n  cli: [todo]\n', options: { source: 'my-tag' } });
    await turn();
    expect(offered()).toEqual(['todo']);
    await app?.close();
    server.requests.length = 0;
    await open({ yaml: 'platform_toolsets:\n  cli: [todo]\n', options: { toolsets: ['memory'] } });
    await turn();
    expect(offered()).toEqual(['memory']);
    await app?.close();
    server.requests.length = 0;
    await open({ yaml: 'platform_toolsets:\n  cli: [todo]\n  cron: [memory]\n', options: { source: 'cron' } });
    await turn();
    expect(offered()).toEqual(['memory']);
  });
});

describe('custom_toolsets', () => {
  it('are groups of the user’s own, for flags and settings alike', async () => {
    const yaml = 'custom_toolsets:\n  mine: [todo, memory]\n';
    await open({ yaml, options: { toolsets: ['mine'] } });
    await turn();
    expect(offered()).toEqual(['memory', 'todo']);
    expect(app?.warnings).toEqual([]);
  });
});

describe('terminal', () => {
  it('keeps what only the home’s .env sets from commands, unless it is passed through by name', async () => {
    await open({
      yaml: 'terminal:\n  env_passthrough: [LET_IN]\n',
      dotEnv: 'PLAIN=from-env\nLET_IN=let-in\nBOTH=from-env\nhttps_proxy=http://127.0.0.1:9\n',
      env: { BOTH: 'from-shell', SHELL_ONLY: 'shell' },
    });
    expect(await shell('echo "[$PLAIN] [$LET_IN] [$BOTH] [$SHELL_ONLY] [$https_proxy]"')).toBe(
      '[] [let-in] [from-shell] [shell] [http://127.0.0.1:9]',
    );
  });

  it('honours temp_dir, shell_init_files and home_mode', async () => {
    const home = await open({
      yaml: 'terminal:\n  temp_dir: tmp-here\n  shell_init_files: [rc.sh, gone.sh]\n  home_mode: profile\n',
    });
    writeFileSync(join(home, 'rc.sh'), 'export RC=sourced\n');
    expect(
      await shell('echo "$RC $TMPDIR $HOME $HERMES_REAL_HOME"; test -d "$HOME" && test -d "$TMPDIR" && echo both'),
    ).toBe(`sourced ${home}/tmp-here ${home}/home ${homedir()}\nboth`);
    expect(app?.warnings.join('\n')).toContain('gone.sh');
  });

  it('runs no command on this machine when another place is configured', async () => {
    await open({ yaml: 'terminal:\n  backend: docker\n' });
    await turn();
    expect(offered()).not.toContain('terminal');
    expect(offered()).not.toContain('process');
    expect(app?.warnings.join('\n')).toMatch(/terminal\.backend.*docker/);
    const listed = (await app?.tools())?.find(({ name }) => name === 'terminal');
    expect(listed).toMatchObject({ enabled: false, reason: expect.stringContaining('docker') });
    await app?.close();
    await open({ yaml: 'terminal:\n  backend: docker\n  degraded_mode: local\n' });
    expect(await shell('echo here')).toBe('here');
    expect(app?.warnings.join('\n')).toContain('docker');
  });
});

describe('the database', () => {
  it('gets the journal that is configured', async () => {
    const home = await open({ yaml: 'database:\n  journal_mode: delete\n' });
    await turn();
    await app?.close();
    const db = new DatabaseSync(join(home, 'state.db'));
    expect(db.prepare('PRAGMA journal_mode').get()).toEqual({ journal_mode: 'delete' });
    db.close();
    expect(app?.warnings).toEqual([]);
  });
});

describe('providers', () => {
  it('hand on the header that a balancer wants', async () => {
    const home = await open({});
    writeFileSync(
      join(home, 'config.yaml'),
      `model:\n  provider: box\n  default: m\n  context_length: 131072\nproviders:\n  box:\n    base_url: ${server.baseUrl}\n    session_affinity_header: x-session\n`,
    );
    await app?.close();
    app = await openApp({
      env: { PATH: process.env.PATH, HERMES_HOME: home, HERMES_MANAGED_DIR: join(home, 'managed') },
      cwd: home,
      source: 'cli',
      door: { interactive: true, markdown: 'full', images: false, edits: 'apply' },
    });
    const { sessionId } = await turn();
    expect(server.requests[0]?.headers['x-session']).toBe(sessionId);
  });
});

describe('variables that stand in for a setting', () => {
  it('HERMES_MAX_ITERATIONS caps a turn; a flag wins, and so does the administrator', async () => {
    const busy = () => ({ toolCalls: [{ name: 'todo', args: {}, id: `c${Math.random()}` }] });
    server.script(busy);
    await open({ yaml: 'agent:\n  max_turns: 50\n', env: { HERMES_MAX_ITERATIONS: '2' } });
    expect(await turn()).toMatchObject({ stop: 'budget', iterations: 3 });
    await app?.close();
    await open({ env: { HERMES_MAX_ITERATIONS: '9' }, options: { maxTurns: 1 } });
    expect(await turn()).toMatchObject({ stop: 'budget', iterations: 2 });
    await app?.close();
    const managed = join(await open({}), 'managed');
    await app?.close();
    mkdirSync(managed);
    writeFileSync(join(managed, 'config.yaml'), 'agent:\n  max_turns: 1\n');
    await open({ env: { HERMES_MAX_ITERATIONS: '9', HERMES_MANAGED_DIR: managed } });
    expect(await turn()).toMatchObject({ stop: 'budget', iterations: 2 });
  });

  it('HERMES_DISABLE_FILE_STATE_GUARD lets a file be written that was changed outside', async () => {
    for (const [value, kept] of [
      ['', 'outside'],
      ['1', 'mine'],
    ] as const) {
      const home = await open({ env: { HERMES_DISABLE_FILE_STATE_GUARD: value } });
      const file = join(home, 'a.txt');
      writeFileSync(file, 'first');
      server.script((_request, index) => {
        if (index === 1) writeFileSync(file, 'outside');
        const calls = [
          { name: 'read_file', args: { path: file }, id: 'c1' },
          { name: 'write_file', args: { path: file, content: 'mine' }, id: 'c2' },
        ];
        const call = calls[index];
        return call === undefined ? { text: 'Done.' } : { toolCalls: [call] };
      });
      await turn();
      expect(readFileSync(file, 'utf8')).toBe(kept);
      await app?.close();
      server.requests.length = 0;
    }
  });

  it('says which one holds no value it can use, and goes on with the setting', async () => {
    await open({ env: { HERMES_MAX_ITERATIONS: 'many', HERMES_REDACT_SECRETS: 'maybe' } });
    expect(app?.warnings.join('\n')).toMatch(/HERMES_MAX_ITERATIONS[\s\S]*HERMES_REDACT_SECRETS/);
  });

  it('HERMES_SAFE_MODE leaves out the user’s settings and rules, HERMES_TIMEZONE and TERMINAL_TIMEOUT are heard', async () => {
    const home = await open({ env: { HERMES_TIMEZONE: 'Asia/Tokyo', TERMINAL_TIMEOUT: '1' } });
    await turn();
    expect(server.requests[0]?.body.messages[0].content).toContain('Asia/Tokyo');
    expect(await shell('sleep 5; echo late')).not.toContain('late');
    await app?.close();
    await open({ yaml: 'terminal:\n  timeout: 60\n', env: { TERMINAL_TIMEOUT: '1' } });
    expect(await shell('sleep 1.2; echo patient')).toBe('patient');
    await app?.close();
    server.requests.length = 0;
    server.script(() => ({ text: 'ok' }));
    writeFileSync(join(home, 'SOUL.md'), 'You are a teapot.');
    writeFileSync(join(home, 'AGENTS.md'), 'Always whistle.');
    app = await openApp({
      env: {
        PATH: process.env.PATH,
        HERMES_HOME: home,
        HERMES_SAFE_MODE: '1',
        HERMES_MANAGED_DIR: join(home, 'managed'),
        OPENAI_BASE_URL: server.baseUrl,
      },
      cwd: home,
      source: 'cli',
      door: { interactive: true, markdown: 'full', images: false, edits: 'apply' },
      selection: { model: 'mock-model', provider: 'custom', baseUrl: server.baseUrl },
      ignoreRules: false,
      ignoreUserConfig: false,
    });
    await turn();
    const system = server.requests[0]?.body.messages[0].content;
    expect(system).not.toContain('teapot');
    expect(system).not.toContain('whistle');
  });
});
