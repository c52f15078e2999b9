import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  type BackgroundOptions,
  type BackgroundProcesses,
  createBackgroundProcesses,
  type ProcessNotice,
  type StartRequest,
} from './background.ts';
import { createLocalBackend, type LocalBackend } from './local.ts';
import { groupLives, startedTicks } from './process-tree.ts';

let dir: string;
let backend: LocalBackend;
let jobs: BackgroundProcesses;
let notices: ProcessNotice[];
const never = new AbortController().signal;

beforeEach(() => {
  dir = realpathSync(mkdtempSync(join(tmpdir(), 'background-')));
  backend = createLocalBackend({ tmpDir: dir, graceMs: 200 });
  notices = [];
  jobs = make();
});

afterEach(async () => {
  await jobs.dispose();
  await backend.dispose();
  rmSync(dir, { recursive: true, force: true });
});

function make(options: Partial<BackgroundOptions> = {}): BackgroundProcesses {
  return createBackgroundProcesses({
    plan: backend.plan,
    checkpointPath: join(dir, 'processes.json'),
    onNotice: (notice) => notices.push(notice),
    redact: (text) => text.replaceAll('hunter2', '***'),
    graceMs: 200,
    ...options,
  });
}

function start(command: string, more: Partial<StartRequest> = {}) {
  return jobs.start({ sessionId: 's', command, cwd: dir, env: { PATH: process.env.PATH ?? '' }, ...more });
}

async function until(condition: () => boolean): Promise<void> {
  for (let tries = 0; !condition() && tries < 500; tries += 1) await new Promise((done) => setTimeout(done, 10));
  expect(condition()).toBe(true);
}

describe('background processes', () => {
  it('tells once that a job has ended, with its code and last output, masked', async () => {
    const { id } = await start('echo hunter2; exit 3', { notifyOnComplete: true });
    await until(() => notices.length > 0);
    expect(notices).toEqual([
      { sessionId: 's', processId: id, kind: 'complete', text: expect.stringMatching(/exit code 3\]\n\*\*\*\n$/) },
    ]);
  });

  it('does not tell what was waited for, polled or killed', async () => {
    const waited = await start('sleep 0.1', { notifyOnComplete: true });
    await jobs.wait(waited.id, 10_000, never);
    const killed = await start('sleep 60', { notifyOnComplete: true });
    await jobs.kill(killed.id);
    expect(jobs.get(killed.id)).toMatchObject({ status: 'killed' });
    await new Promise((done) => setTimeout(done, 50));
    expect(notices).toEqual([]);
  });

  it('KF-143: with an end notice, a pattern in the last line gives no second one', async () => {
    await start('echo working; echo DONE', { notifyOnComplete: true, watchPatterns: ['DONE'] });
    await until(() => notices.length > 0);
    await new Promise((done) => setTimeout(done, 50));
    expect(notices.map(({ kind }) => kind)).toEqual(['complete']);
  });

  it('tells a watched line, also one without an end', async () => {
    await start('echo quiet; printf "server READY on 1"; sleep 0.05', { watchPatterns: ['READY'] });
    await until(() => notices.length > 0);
    expect(notices[0]).toMatchObject({ kind: 'watch', text: expect.stringContaining('server READY on 1') });
    expect(notices[0]?.text.split('\n').slice(1)).toEqual(['server READY on 1']);
  });

  it('wait gives what there is when time or patience runs out', async () => {
    const { id } = await start('echo part; sleep 60');
    await until(() => jobs.log(id).output === 'part');
    expect(await jobs.wait(id, 10, never)).toMatchObject({ view: { status: 'running' } });
    expect(await jobs.wait(id, 60_000, AbortSignal.abort())).toMatchObject({ view: { status: 'running' } });
  });

  it('keeps only the newest output of a chatty job', async () => {
    const { id } = await start('yes 0123456789 | head -c 500000; echo LAST');
    await jobs.wait(id, 10_000, never);
    const { output, totalLines, firstLine } = jobs.log(id, { limit: 5 });
    expect(output.split('\n')).toHaveLength(5);
    expect(output.endsWith('LAST')).toBe(true);
    expect(firstLine).toBe(totalLines - 4);
    expect(jobs.log(id, { offset: 0, limit: 1_000_000 }).output.length).toBeLessThanOrEqual(200_000);
  });

  it('lists by session, running ones first, and follows a session to its new id', async () => {
    const ended = await start('true');
    await jobs.wait(ended.id, 10_000, never);
    const running = await start('sleep 60');
    await start('sleep 60', { sessionId: 'other' });
    expect((await jobs.list('s')).map(({ id }) => id)).toEqual([running.id, ended.id]);
    jobs.moveSession('s', 't');
    expect(await jobs.list('s')).toEqual([]);
    expect(await jobs.killSession('t')).toBe(1);
    expect(jobs.get(running.id).status).toBe('killed');
  });

  it('forgets what ended long ago', async () => {
    let time = 0;
    await jobs.dispose();
    jobs = make({ now: () => time });
    const { id } = await start('true');
    await jobs.wait(id, 10_000, never);
    time += 1_800_001;
    await start('true');
    expect(() => jobs.get(id)).toThrow(expect.objectContaining({ code: 'process-unknown' }));
  });

  it('writes down what runs, without secrets, and takes it out at the end', async () => {
    const file = join(dir, 'processes.json');
    const { id, pid } = await start('echo hunter2; sleep 60');
    const [entry] = JSON.parse(readFileSync(file, 'utf8'));
    expect(entry).toMatchObject({ session_id: id, pid, session_key: 's', host_pid: process.pid });
    expect(readFileSync(file, 'utf8')).not.toContain('hunter2');
    await jobs.dispose();
    expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual([]);
    expect(groupLives(pid)).toBe(false);
  });

  it('finds what a crash left running, and can kill it', async () => {
    const left = spawn('sleep', ['60'], { detached: true, stdio: 'ignore' });
    const pid = left.pid ?? 0;
    const dead = spawn('true');
    await new Promise((done) => dead.on('exit', done));
    const entry = {
      session_id: 'proc_left',
      command: 'sleep 60',
      pid,
      cwd: '/',
      started_at: 1,
      session_key: 'old',
      host_pid: dead.pid,
    };
    writeFileSync(
      join(dir, 'processes.json'),
      JSON.stringify([
        { ...entry, pid_started: startedTicks(pid) },
        { ...entry, session_id: 'proc_other', pid_started: 1 },
      ]),
    );
    expect(await jobs.list('new')).toMatchObject([{ id: 'proc_left', detached: true, status: 'running' }]);
    await jobs.kill('proc_left');
    expect(groupLives(pid)).toBe(false);
  });

  it('refuses input to a closed or ended job', async () => {
    const { id } = await start('cat > /dev/null; sleep 60');
    jobs.closeInput(id);
    await expect(jobs.write(id, 'x')).rejects.toMatchObject({ code: 'process-input-closed' });
    await jobs.kill(id);
    await expect(jobs.write(id, 'x')).rejects.toMatchObject({ code: 'process-ended' });
  });

  it.each([
    'process.exit(0)',
    'process.kill(process.pid, "SIGTERM")',
    'setTimeout(() => { throw new Error("crash") })',
  ])('KF-145: the job ends with its host: %s', async (end) => {
    const script = `
        import { createLocalBackend } from '${join(import.meta.dirname, 'local.ts')}';
        import { createBackgroundProcesses } from '${join(import.meta.dirname, 'background.ts')}';
        const backend = createLocalBackend({ tmpDir: '${dir}' });
        const jobs = createBackgroundProcesses({ plan: backend.plan, onNotice() {}, redact: (text) => text });
        const { pid } = await jobs.start({ sessionId: 's', command: 'sleep 60', cwd: '${dir}', env: { PATH: process.env.PATH } });
        (await import('node:fs')).writeFileSync('${join(dir, 'pid')}', String(pid));
        ${end};`;
    const file = join(dir, 'host.mts');
    writeFileSync(file, script);
    const host = spawn(process.execPath, [file], { stdio: 'ignore' });
    await new Promise((done) => host.on('exit', done));
    expect(existsSync(join(dir, 'pid'))).toBe(true);
    const pid = Number(readFileSync(join(dir, 'pid'), 'utf8'));
    await until(() => !groupLives(pid));
  });
});
