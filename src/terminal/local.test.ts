import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createLocalBackend, type LocalBackend, type LocalBackendOptions } from './local.ts';

let dir: string;
let backend: LocalBackend;

beforeEach(() => {
  dir = realpathSync(mkdtempSync(join(tmpdir(), 'local-backend-')));
  backend = createLocalBackend({ tmpDir: dir, graceMs: 200 });
});

afterEach(async () => {
  await backend.dispose();
  rmSync(dir, { recursive: true, force: true });
});

interface Run {
  session?: string;
  cwd?: string;
  env?: Record<string, string>;
  timeoutMs?: number;
  signal?: AbortSignal;
  on?: LocalBackend;
}

const baseEnv = { PATH: process.env.PATH ?? '', FROM_HOST: 'host' };

async function run(command: string, { session = 's', on = backend, ...options }: Run = {}) {
  const parts: string[] = [];
  const result = await on.exec(session, command, {
    cwd: dir,
    env: baseEnv,
    timeoutMs: 20_000,
    signal: new AbortController().signal,
    onOutput: (text) => parts.push(text),
    ...options,
  });
  return { ...result, output: parts.join(''), parts };
}

async function restarted(options: LocalBackendOptions): Promise<void> {
  await backend.dispose();
  backend = createLocalBackend({ tmpDir: dir, graceMs: 200, ...options });
}

describe('local backend', () => {
  it('sources the init files before a session has a state, quietly, and goes on without one that is missing', async () => {
    const rc = join(dir, "it's rc.sh");
    writeFileSync(rc, 'export FROM_RC=rc; greet() { echo "hi $1"; }; echo noise\n');
    for (const shells of [undefined, ['/no/bash', '/bin/sh']]) {
      await restarted({ initFiles: [join(dir, 'missing'), rc], ...(shells && { shells }) });
      expect((await run('echo "$FROM_RC"; greet you')).output.replace(/^\[.*\]\n/, '')).toBe('rc\nhi you\n');
      await run('export FROM_RC=changed');
      expect((await run('echo "$FROM_RC"')).output).toBe('changed\n');
      expect((await run('echo "$FROM_RC"', { session: `new-${String(shells)}` })).output).toBe('rc\n');
    }
  });

  it('makes the folder for its files, and says in one sentence when it cannot', async () => {
    await restarted({ tmpDir: join(dir, 'a', 'b') });
    expect((await run('echo ok')).output).toBe('ok\n');
    writeFileSync(join(dir, 'file'), '');
    await restarted({ tmpDir: join(dir, 'file', 'c') });
    await expect(run('echo ok')).rejects.toMatchObject({ code: 'terminal-temp-dir' });
  });

  it('carries exported variables, functions, aliases and options of them to the next command', async () => {
    await run(
      `export A="x y'z" B=$'two\\nlines'; f() { echo "f got $1"; }; export -f f; alias ll='echo alias'; LOCAL=1; unset FROM_HOST`,
    );
    const { output } = await run(`echo "$A|$B|$LOCAL|$FROM_HOST"; f 1; bash -c 'f 2'; ll 3`);
    expect(output).toBe("x y'z|two\nlines||\nf got 1\nf got 2\nalias 3\n");
  });

  it('keeps sessions apart, and moves one to another id', async () => {
    await run('export A=1');
    expect((await run('echo "[$A]"', { session: 'other' })).output).toBe('[]\n');
    backend.moveSession('s', 't');
    expect((await run('echo "[$A]"', { session: 't' })).output).toBe('[1]\n');
    backend.forgetSession('t');
    expect((await run('echo "[$A]"', { session: 't' })).output).toBe('[]\n');
  });

  it('lets what the caller changes win over what is carried', async () => {
    await run('export MINE=1');
    const { output } = await run('echo "$MINE $FROM_HOST $NEW"', { env: { PATH: baseEnv.PATH, NEW: "it's" } });
    expect(output).toBe("1  it's\n");
  });

  it('carries state past exit, set -eu, failures and traps of the command', async () => {
    await run('export A=1; set -euo pipefail; set -C; false; echo never');
    await run('export B=2; exit 4');
    await run('export() { echo hijacked; }; cd() { echo hijacked; }');
    expect((await run('builtin echo "$A$B"')).output).toBe('12\n');
  });

  it('keeps the older state when a command replaces the shell or is killed', async () => {
    await run('export A=1');
    await run('export A=2; exec true');
    await run('export A=3; kill -9 $$');
    expect((await run('echo $A')).output).toBe('1\n');
  });

  it('tells the physical folder, and falls back when the folder is gone', async () => {
    mkdirSync(join(dir, 'a/b'), { recursive: true });
    expect((await run('ln -s a link; cd link')).cwd).toBe(join(dir, 'a'));
    const gone = await run('pwd', { cwd: join(dir, 'a/gone/deeper') });
    expect(gone.cwd).toBe(join(dir, 'a'));
    expect(gone.output).toContain('no longer exists');
  });

  it('gives exit codes, stderr in order, and line numbers of the command itself', async () => {
    expect((await run('echo a; echo b >&2; echo c; exit 3')).output).toBe('a\nb\nc\n');
    expect((await run('kill -TERM $$')).exitCode).toBe(143);
    expect((await run('true\nno_such_command_here')).output).toMatch(/line 2: no_such_command_here/);
    expect((await run('if true; then echo x')).exitCode).not.toBe(0);
  });

  it('KF-040: never cuts a character in two', async () => {
    const { output, parts } = await run("printf '\\xe9'; sleep 0.05; printf '\\xa7'; sleep 0.05; printf '\\x85'");
    expect(output).toBe('駅');
    expect(parts.join('')).not.toContain('\ufffd');
  });

  it('KF-134: resolves at the exit, with what a background child printed before', async () => {
    const { output, exitCode } = await run('(echo child; exec sleep 60) & sleep 0.1; echo started');
    expect(output).toBe('child\nstarted\n');
    expect(exitCode).toBe(0);
  });

  it('a background child that prints on is not broken by the end of the call', async () => {
    await run('(sleep 0.2; echo late; echo survived > alive) &');
    for (let tries = 0; !existsSync(join(dir, 'alive')) && tries < 200; tries += 1)
      await new Promise((done) => setTimeout(done, 20));
    expect(readFileSync(join(dir, 'alive'), 'utf8')).toBe('survived\n');
  });

  it('a time-out ends the whole group, also one that ignores TERM', async () => {
    const result = await run('echo begun; trap "" TERM; (trap "" TERM; sleep 2; echo late > f) & wait', {
      timeoutMs: 100,
    });
    expect(result).toMatchObject({ exitCode: 124, timedOut: true, aborted: false, output: 'begun\n' });
    await new Promise((done) => setTimeout(done, 30));
    expect(existsSync(join(dir, 'f'))).toBe(false);
  });

  it('runs nothing once aborted', async () => {
    const result = await run('touch f', { signal: AbortSignal.abort() });
    expect(result).toMatchObject({ exitCode: 130, aborted: true });
    expect(existsSync(join(dir, 'f'))).toBe(false);
  });

  it('takes a command longer than an argument may be', async () => {
    const text = 'x'.repeat(300_000);
    expect((await run(`printf %s '${text}' | wc -c`)).output.trim()).toBe('300000');
  });

  it('survives a command that kills whatever names it', async () => {
    expect((await run('pkill -f "a-very-special-name"; echo alive')).output).toBe('alive\n');
  });

  it('falls back to sh with a word about it, and still carries variables', async () => {
    await restarted({ shells: ['/no/bash', '/bin/sh'] });
    const first = await run('export A="x y"; mkdir -p d; cd d');
    expect(first.output).toMatch(/bash is not installed/);
    expect(first.cwd).toBe(join(dir, 'd'));
    expect((await run('echo "$A"; exit 5')).output).toBe('x y\n');
  });

  it('says so when there is no shell at all', async () => {
    await restarted({ shells: ['/no/bash'] });
    await expect(run('true')).rejects.toMatchObject({ code: 'terminal-no-shell' });
  });

  it('leaves no files behind', async () => {
    await run('true');
    await run('exec true');
    const [folder] = readdirSync(dir);
    expect(readdirSync(join(dir, folder ?? '')).sort()).toHaveLength(2);
    await backend.dispose();
    expect(readdirSync(dir)).toEqual([]);
  });

  it('dispose ends what a command left running', async () => {
    await run('sleep 60 & echo $! > pid');
    const pid = Number(readFileSync(join(dir, 'pid'), 'utf8'));
    await backend.dispose();
    const state = existsSync(`/proc/${pid}/stat`)
      ? readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.[0]
      : 'gone';
    expect(['gone', 'Z']).toContain(state);
  });
});
