import { existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { createApprovals } from '../security/approvals.ts';
import { assessCommand } from '../security/command/assess.ts';
import { createRedactor } from '../security/redact.ts';
import { type BackgroundProcesses, createBackgroundProcesses, type ProcessNotice } from '../terminal/background.ts';
import { childEnv } from '../terminal/child-env.ts';
import { createLocalBackend, type LocalBackend } from '../terminal/local.ts';
import { groupLives } from '../terminal/process-tree.ts';
import { createSessionFolders } from '../terminal/session-folders.ts';
import { processTool } from './process.ts';
import { terminalTool } from './terminal.ts';
import { type TestContextOptions, testContext } from './testing/context.ts';
import type { Tool } from './tool.ts';

interface World {
  readonly dir: string;
  readonly backend: LocalBackend;
  readonly background: BackgroundProcesses;
  readonly notices: ProcessNotice[];
  run(args: Record<string, unknown>, options?: TestContextOptions): Promise<Record<string, unknown>>;
  process(args: Record<string, unknown>): Promise<Record<string, unknown>>;
}

const worlds: World[] = [];

afterEach(async () => {
  for (const world of worlds.splice(0)) {
    await world.background.dispose();
    await world.backend.dispose();
    rmSync(world.dir, { recursive: true, force: true });
  }
});

function world(env: Record<string, string> = {}): World {
  const dir = realpathSync(mkdtempSync(join(tmpdir(), 'terminal-tool-')));
  const backend = createLocalBackend({ graceMs: 300 });
  const notices: ProcessNotice[] = [];
  const redact = createRedactor(true);
  const background = createBackgroundProcesses({
    plan: backend.plan,
    checkpointPath: join(dir, 'home', 'processes.json'),
    onNotice: (notice) => notices.push(notice),
    redact,
    graceMs: 300,
  });
  const approvals = createApprovals({
    mode: 'manual',
    yolo: false,
    allowlist: [],
    denyGlobs: [],
    timeoutMs: 2000,
    userHome: dir,
    remember: async () => {},
  });
  const base = { PATH: process.env.PATH, HOME: dir, GIT_CONFIG_NOSYSTEM: '1', ...env };
  const terminal = terminalTool({
    backend,
    background,
    approvals,
    assess: assessCommand,
    env: (session) => childEnv({ base, home: join(dir, 'home'), sessionId: session.id }),
    folders: createSessionFolders(),
    redact,
    spillDir: join(dir, 'spill'),
    userHome: dir,
    hermesHome: join(dir, 'home'),
  });
  const processes = processTool({ background, redact });
  const call = async (tool: Tool, args: unknown, options: TestContextOptions = {}) => {
    const outcome = await tool.plan(args, testContext({ cwd: dir, ...options })).run();
    const [block] = outcome.forModel;
    return JSON.parse(block?.type === 'text' ? block.text : '{}') as Record<string, unknown>;
  };
  const made: World = {
    dir,
    backend,
    background,
    notices,
    run: (args, options) => call(terminal, args, options),
    process: (args) => call(processes, args),
  };
  worlds.push(made);
  return made;
}

describe('terminal', () => {
  it('answers with output, exit code and no error', async () => {
    expect(await world().run({ command: 'echo hi; exit 3' })).toEqual({ output: 'hi', exit_code: 3, error: null });
  });

  it('KF-134: returns although a background child holds the output', async () => {
    const result = await world().run({ command: 'sleep 60 & echo started', timeout: 20 });
    expect(result).toEqual({ output: 'started', exit_code: 0, error: null });
  });

  it('KF-135: nothing waits for a person', async () => {
    const { run } = world();
    expect(await run({ command: 'cat; read -p "ok? " x; echo "read gave $?"', timeout: 20 })).toMatchObject({
      output: 'read gave 1',
      exit_code: 0,
    });
    const commit =
      'git init -q . && git config user.email a@b.c && git config user.name a && touch f && git add f && git commit';
    const result = await run({ command: commit, timeout: 20 });
    expect(result.exit_code).not.toBe(0);
    expect(result.error).toBeNull();
    expect(result.hint).toMatch(/-m/);
  });

  it('KF-136: the word sudo changes nothing', async () => {
    const { run, dir } = world();
    writeFileSync(join(dir, 'README.md'), 'use sudo\n');
    expect(
      await run({ command: 'grep sudo README.md; echo "sudo rm"; sudo() { echo "ran $*"; }; sudo -n true' }),
    ).toMatchObject({
      output: 'use sudo\nsudo rm\nran -n true',
    });
  });

  it('KF-137: a long output keeps start and end, its size, and the whole in a file', async () => {
    const { run } = world();
    const result = await run({ command: 'echo FIRST; yes 0123456789abcdef | head -c 5000000; echo; echo RESULT 42' });
    const output = String(result.output);
    expect(output.length).toBeLessThan(51_000);
    expect(output.startsWith('FIRST')).toBe(true);
    expect(output.endsWith('RESULT 42')).toBe(true);
    const full = readFileSync(String(result.full_output), 'utf8');
    expect(full.length).toBe(result.total_chars);
    expect(full.length).toBeGreaterThan(5_000_000);
    expect(output).toContain(String(result.full_output));
  });

  it('KF-138: a here-document without a last newline', async () => {
    const { run, dir } = world();
    expect(await run({ command: 'cat > f <<EOF\na\nEOF' })).toMatchObject({ exit_code: 0 });
    expect(readFileSync(join(dir, 'f'), 'utf8')).toBe('a\n');
  });

  it('KF-144: an abort ends the whole group and shows nothing later', async () => {
    const { run, dir } = world();
    const abort = new AbortController();
    const running = run({ command: 'echo begun; sleep 30; echo late > f' }, { signal: abort.signal });
    setTimeout(() => abort.abort(), 150);
    expect(await running).toMatchObject({ exit_code: 130, error: '[Command interrupted]' });
    expect(existsSync(join(dir, 'f'))).toBe(false);
    expect(await run({ command: 'echo next' })).toEqual({ output: 'next', exit_code: 0, error: null });
  });

  it('KF-147: keys of the program are not in the environment', async () => {
    const secrets = {
      OPENAI_API_KEY: 'one-key',
      GH_TOKEN: 'two-key',
      MY_SECRET: 'three-key',
      AWS_SECRET_ACCESS_KEY: 'four-key',
    };
    const { run } = world({ ...secrets, HARMLESS: 'stays' });
    const { output } = await run({ command: 'env; cat /proc/self/environ | tr "\\0" "\\n"' });
    for (const value of Object.values(secrets)) expect(output).not.toContain(value);
    expect(output).toContain('HARMLESS=stays');
  });

  it('KF-170, KF-172: runs a command with a token unmasked and shows it masked', async () => {
    const { run, dir } = world();
    const token = 'sk-test-0000000000000000000000';
    const { output } = await run({ command: `echo ${token} > f; cat f` });
    expect(readFileSync(join(dir, 'f'), 'utf8')).toBe(`${token}\n`);
    expect(output).not.toContain(token);
  });

  it('carries the folder to the next call, and a workdir for one call only', async () => {
    const { run, dir } = world();
    mkdirSync(join(dir, 'a/b'), { recursive: true });
    expect(await run({ command: 'cd a' })).toMatchObject({ cwd: join(dir, 'a') });
    expect(await run({ command: 'pwd', workdir: 'b' })).toMatchObject({ output: join(dir, 'a/b') });
    expect(await run({ command: 'pwd', workdir: '.' })).toMatchObject({ output: join(dir, 'a') });
  });

  it('explains exit codes, and what belongs in the background', async () => {
    const { run } = world();
    expect(await run({ command: 'grep x /dev/null' })).toMatchObject({
      exit_code: 1,
      exit_code_meaning: 'no match found',
    });
    expect(await run({ command: 'kill -9 $$' })).toMatchObject({
      exit_code: 137,
      exit_code_meaning: 'ended by SIGKILL',
    });
    expect(await run({ command: 'sleep 5 &' })).toMatchObject({ error: expect.stringContaining('background=true') });
    expect(await run({ command: 'nohup sleep 5' })).toMatchObject({
      error: expect.stringContaining('background=true'),
    });
    expect(await run({ command: 'echo "nohup x &"' })).toMatchObject({ exit_code: 0 });
    expect(await run({ command: 'true', timeout: 100_000 })).toMatchObject({
      error: expect.stringContaining('background=true'),
    });
  });

  it('runs a risky command only after a yes, and a blocked one never', async () => {
    const { run, dir } = world();
    mkdirSync(join(dir, 'x'));
    const denied = await run({ command: 'rm -r x' }, { answer: () => 'deny' });
    expect(denied).toMatchObject({ exit_code: -1, status: 'blocked' });
    expect(existsSync(join(dir, 'x'))).toBe(true);
    expect(await run({ command: 'rm -r x' }, { answer: () => 'once' })).toMatchObject({ exit_code: 0 });
    expect(existsSync(join(dir, 'x'))).toBe(false);
    let asked = false;
    const answer = (): string => {
      asked = true;
      return 'always';
    };
    expect(await run({ command: 'rm -rf ~' }, { answer })).toMatchObject({ status: 'blocked' });
    expect(asked).toBe(false);
  });
});

describe('process', () => {
  it('KF-142: shows a silent job running until its end, and its real exit code', async () => {
    const { run, process } = world();
    const started = await run({ command: 'read line; exit 7 > /dev/null 2>&1', background: true });
    const id = started.session_id;
    expect(await process({ action: 'list' })).toMatchObject({ processes: [{ session_id: id, status: 'running' }] });
    await process({ action: 'submit', session_id: id, data: 'go' });
    expect(await process({ action: 'wait', session_id: id, timeout: 10 })).toMatchObject({
      status: 'exited',
      exit_code: 7,
    });
  });

  it('kills a job with everything it started', async () => {
    const { run, process, dir } = world();
    const { session_id: id } = await run({ command: 'setsid sleep 50 & echo $! > pid; sleep 50', background: true });
    while (!existsSync(join(dir, 'pid')) || readFileSync(join(dir, 'pid'), 'utf8') === '')
      await new Promise((done) => setTimeout(done, 10));
    expect(await process({ action: 'kill', session_id: id })).toMatchObject({ status: 'killed' });
    const pid = Number(readFileSync(join(dir, 'pid'), 'utf8'));
    expect(groupLives(pid)).toBe(false);
  });

  it('writes raw input, closes it, and shows lines and new output', async () => {
    const { run, process } = world();
    const { session_id: id } = await run({ command: 'sort', background: true });
    await process({ action: 'write', session_id: id, data: 'b\na\n' });
    await process({ action: 'close', session_id: id });
    expect(await process({ action: 'wait', session_id: id, timeout: 10 })).toMatchObject({
      output: 'a\nb\n',
      exit_code: 0,
    });
    expect(await process({ action: 'poll', session_id: id })).toMatchObject({ output: '' });
    expect(await process({ action: 'log', session_id: String(id).slice(0, 9), limit: 1 })).toMatchObject({
      output: 'b',
      total_lines: 2,
    });
    expect(await process({ action: 'write', session_id: id, data: 'x' })).toMatchObject({
      error: expect.stringContaining('ended'),
    });
    expect(await process({ action: 'poll', session_id: 'proc_none' })).toMatchObject({
      error: expect.stringContaining('proc_none'),
    });
    expect(await process({ action: 'poll' })).toMatchObject({ error: expect.stringContaining('session_id') });
  });

  it('a background job sees what the session carries', async () => {
    const { run, process } = world();
    await run({ command: 'export GREETING=hello; greet() { echo "$GREETING $1"; }' });
    const { session_id: id } = await run({ command: 'greet you', background: true });
    expect(await process({ action: 'wait', session_id: id, timeout: 10 })).toMatchObject({ output: 'hello you\n' });
  });
});
