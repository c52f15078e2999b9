import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createFakeApp, type FakeTurn } from '../../test/fakes/app.ts';
import { testContext } from '../../test/support/cli-context.ts';
import type { App, AppOptions } from '../app.ts';
import type { AgentEvent, Question } from '../contracts/turn.ts';
import { AppError } from '../lib/errors.ts';
import type { CliContext } from './context.ts';
import { type ConverseFlags, converse } from './converse.ts';
import { interruptedBy } from './interruption.ts';

interface Setup {
  readonly turn?: FakeTurn;
  readonly app?: Partial<App>;
  readonly ctx?: Partial<CliContext> & { readonly input?: string };
}

async function run(flags: ConverseFlags, { turn, app: more, ctx: context }: Setup = {}) {
  const app = createFakeApp(turn, more);
  const opened: AppOptions[] = [];
  const test = testContext(context);
  const code = await converse(flags, test.ctx, async (options) => {
    opened.push(options);
    return app;
  });
  return { code, app, options: opened[0], stdout: test.stdout(), stderr: test.stderr() };
}

const start: AgentEvent = { type: 'turn_start', turnId: 't', sessionId: 's1', model: 'm', provider: 'p' };
const call = { callId: 'c', tool: 'terminal', summary: '$ ls' };
const feed: AgentEvent[] = [
  start,
  { type: 'text_delta', text: 'Let me look.' },
  { type: 'text_end' },
  { type: 'toolcall_start', call },
  { type: 'toolcall_end', call, result: { ok: true, summary: '3 files', durationMs: 1200 } },
  { type: 'text_delta', text: 'the ' },
  { type: 'text_delta', text: 'answer' },
  { type: 'text_end' },
];

describe('the forms of one turn', () => {
  it('-z prints the final text alone, allows risky commands and says nothing on stderr', async () => {
    const done = await run({ oneshot: 'hi' }, { turn: { events: feed }, app: { warnings: ['config is odd'] } });
    expect(done).toMatchObject({ code: 0, stdout: 'the answer\n', stderr: '' });
    expect(done.options).toMatchObject({ yolo: true, source: 'oneshot' });
    expect(done.app.closed).toBe(1);
  });

  it('-Q prints the final text, and the session on stderr', async () => {
    const done = await run({ query: 'hi', quiet: true }, { turn: { events: feed } });
    expect(done).toMatchObject({ code: 0, stdout: 'the answer\n', stderr: 'session_id: s1\n' });
  });

  it('-q shows tool feed and answer once, and the way back on stderr', async () => {
    const done = await run({ query: 'hi' }, { turn: { events: feed } });
    expect(done.stdout).toBe('Let me look.\n\n┊ 💻 $ ls 1.2s\n\nthe answer\n');
    expect(done.stderr).toContain('hermes -r s1');
  });

  it('-q prints an answer that was never streamed', async () => {
    expect((await run({ query: 'hi' }, { turn: { events: [start] } })).stdout).toBe('the answer\n');
  });

  it('marks a failed tool with its reason', async () => {
    const result = { ok: false, summary: 'no such folder', durationMs: 10 };
    const done = await run({ query: 'hi' }, { turn: { events: [{ type: 'toolcall_end', call, result }] } });
    expect(done.stdout).toContain('┊ 💻 $ ls ✗ no such folder');
  });

  it('KF-131 --json prints one JSON object a line and nothing else', async () => {
    const done = await run({ query: 'hi', json: true }, { turn: { events: feed }, app: { warnings: ['odd'] } });
    const lines = done.stdout
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as AgentEvent);
    expect(lines.map((event) => event.type)).toEqual(['status', ...feed.map((event) => event.type), 'turn_end']);
    expect(done.stderr).toBe('');
  });

  it('--json tells a failure before the turn as a line of its own', async () => {
    const test = testContext();
    const opening = () => Promise.reject(new AppError('model-none', 'No model.', { hint: 'hermes setup' }));
    await expect(converse({ query: 'hi', json: true }, test.ctx, opening)).rejects.toThrow('No model.');
    expect(JSON.parse(test.stdout())).toEqual({
      type: 'error',
      code: 'model-none',
      message: 'No model.',
      hint: 'hermes setup',
    });
  });

  it('the demo model is named beside the answer', async () => {
    const events: AgentEvent[] = [{ ...start, provider: 'demo' }];
    for (const flags of [{ query: 'hi' }, { query: 'hi', quiet: true }])
      expect((await run(flags, { turn: { events } })).stderr).toContain('hermes setup');
  });

  it('keeps control sequences of an answer from a terminal, and passes them to a file', async () => {
    const turn = { result: { text: '\x1b]0;owned\x07\x1b[2Jhi' } };
    const piped = await run({ oneshot: 'x' }, { turn });
    expect(piped.stdout).toBe('\x1b]0;owned\x07\x1b[2Jhi\n');
    const test = testContext();
    const screen = Object.assign(test.ctx.stdout, { isTTY: true });
    await converse({ oneshot: 'x' }, { ...test.ctx, stdout: screen }, async () => createFakeApp(turn));
    expect(test.stdout()).toBe('hi\n');
  });
});

describe('exit codes', () => {
  const code = async (result: FakeTurn['result']) => (await run({ oneshot: 'x' }, { turn: { result } })).code;

  it('tell success, silence, failure and a stop apart', async () => {
    expect(await code({})).toBe(0);
    expect(await code({ text: ' \n' })).toBe(1);
    expect(await code({ stop: 'error', error: { code: 'auth', message: 'Wrong key.' } })).toBe(2);
    for (const stop of ['cap', 'budget', 'interrupted'] as const) expect(await code({ stop })).toBe(2);
  });

  it('a signal wins over the result', async () => {
    const stopping = new AbortController();
    const turn: FakeTurn = {
      during: async () => stopping.abort(interruptedBy('SIGTERM')),
      result: { stop: 'interrupted', text: '' },
    };
    expect((await run({ oneshot: 'x' }, { turn, ctx: { signal: stopping.signal } })).code).toBe(143);
  });

  it('says in one sentence why a turn failed', async () => {
    const error = { code: 'auth', message: 'The key was refused.', hint: 'Run `hermes setup`.' };
    const done = await run({ oneshot: 'x' }, { turn: { result: { stop: 'error', text: '', error } } });
    expect(done).toMatchObject({ stdout: '', stderr: 'hermes: The key was refused. Run `hermes setup`.\n' });
  });
});

describe('questions without a listener', () => {
  const approval: Question = {
    kind: 'approval',
    tool: 'terminal',
    action: 'rm -rf build',
    risks: [{ id: 'rm', why: 'deletes files recursively' }],
    choices: ['once', 'deny'],
  };

  it('KF-169 are refused at once, never approved, and say why', async () => {
    const answers: unknown[] = [];
    const during: FakeTurn['during'] = async (io) => {
      answers.push(await io.ask(approval));
      answers.push(await io.ask({ kind: 'clarify', prompt: 'Which one?', options: ['a'] }));
      answers.push(await io.ask({ kind: 'secret', name: 'K', prompt: 'Key?' }));
    };
    const done = await run({ query: 'x' }, { turn: { during } });
    expect(answers).toEqual(['deny', undefined, undefined]);
    expect(done.stderr).toMatch(/nobody is here to approve it \(deletes files recursively\): rm -rf build/);
    expect(done.options?.door.interactive).toBe(false);
  });
});

describe('the question', () => {
  const asked = async (flags: ConverseFlags, input?: string) => (await run(flags, { ctx: { input } })).app.inputs[0];
  const text = (value: string) => ({ content: [{ type: 'text', text: value }] });

  it('has piped input after it as a separate block', async () => {
    expect(await asked({ query: 'summarise' }, 'line 1\nline 2\n')).toEqual(text('summarise\n\nline 1\nline 2'));
    expect(await asked({ query: 'summarise' }, ' \n')).toEqual(text('summarise'));
    expect(await asked({}, 'what is this?\n')).toEqual(text('what is this?'));
  });

  it('comes verbatim from a file, or from - ', async () => {
    const path = join(mkdtempSync(join(tmpdir(), 'hermes-query-')), 'q.md');
    writeFileSync(path, ' 挨拶\n');
    expect(await asked({ queryFile: path })).toEqual(text(' 挨拶\n'));
    expect(await asked({ queryFile: '-' }, ' x\n')).toEqual(text(' x\n'));
  });

  it('takes images by what they hold, not by their name', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'hermes-image-'));
    const bytes = Buffer.from('89504e470d0a1a0a00', 'hex');
    writeFileSync(join(folder, 'a.jpg'), bytes);
    writeFileSync(join(folder, 'b.png'), 'text');
    const input = await asked({ query: 'what?', image: [join(folder, 'a.jpg')] });
    expect(input?.content[1]).toEqual({ type: 'image', mimeType: 'image/png', data: bytes.toString('base64') });
    await expect(run({ query: 'x', image: [join(folder, 'b.png')] })).rejects.toMatchObject({ exitCode: 2 });
    await expect(run({ query: 'x', image: ['nowhere.png'] })).rejects.toThrow('nowhere.png cannot be read');
  });

  it('KF-199 is missing without a terminal: one sentence, exit code 2', async () => {
    await expect(run({})).rejects.toMatchObject({ code: 'usage', exitCode: 2 });
    await expect(run({ queryFile: 'nowhere' })).rejects.toMatchObject({ exitCode: 2 });
  });

  it('is refused when it is no text', async () => {
    const ctx = {
      stdin: (await import('node:stream')).Readable.from([Buffer.from([0xff, 0xfe])]),
      inputKind: 'pipe',
    } as const;
    await expect(run({ query: 'x' }, { ctx })).rejects.toThrow('Standard input holds bytes that are not UTF-8 text.');
  });
});

describe('flags', () => {
  it('reach the application', async () => {
    const flags = {
      query: 'x',
      model: 'a:b',
      toolsets: 'file, web,',
      maxTurns: '7',
      source: 'tool',
      safeMode: true,
      yolo: true,
    };
    expect((await run(flags)).options).toMatchObject({
      selection: { model: 'a:b' },
      toolsets: ['file', 'web'],
      maxTurns: 7,
      source: 'tool',
      ignoreRules: true,
      ignoreUserConfig: true,
      yolo: true,
    });
  });

  it('that contradict each other or hold nonsense are usage errors', async () => {
    const wrong: ConverseFlags[] = [
      { query: 'x', queryFile: 'y' },
      { query: 'x', resume: 'a', continue: 'b' },
      { query: 'x', maxTurns: '0' },
      { query: 'x', reasoning: 'huge' },
      { oneshot: 'x', provider: 'openrouter' },
      { query: 'x', in: '/no/such/folder' },
    ];
    for (const flags of wrong) await expect(run(flags)).rejects.toMatchObject({ code: 'usage', exitCode: 2 });
  });

  it('-t with no toolset that exists is a usage error; one right name is enough', async () => {
    const app = { tools: async () => [{ name: 'read_file', toolset: 'file', enabled: true }] };
    await expect(run({ oneshot: 'x', toolsets: 'nope,neither' }, { app })).rejects.toMatchObject({ exitCode: 2 });
    expect(await run({ oneshot: 'x', toolsets: 'nope,file' }, { app })).toMatchObject({ code: 0, stderr: '' });
    const own = { ...app, customToolsets: { mine: ['file'] } };
    expect(await run({ oneshot: 'x', toolsets: 'mine' }, { app: own })).toMatchObject({ code: 0, stderr: '' });
  });

  it('-r goes on with a session in its folder, --in moves it', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'hermes-in-'));
    expect((await run({ query: 'x', resume: 'known' })).app.sessions[0]).toMatchObject({ id: 'known', cwd: '/' });
    expect((await run({ query: 'x', resume: 'known', in: folder })).app.sessions[0]).toMatchObject({ cwd: folder });
    await expect(run({ query: 'x', resume: 'gone' })).rejects.toMatchObject({ exitCode: 1 });
  });

  it('open the interactive door only on a terminal and without a question', async () => {
    const test = testContext({
      inputKind: 'terminal',
      openInteractive: async (options) => (options.resume === 'latest' ? 7 : 8),
    });
    const ctx = { ...test.ctx, stdout: Object.assign(test.ctx.stdout, { isTTY: true }) };
    expect(await converse({ continue: '' }, ctx)).toBe(7);
    const app = createFakeApp();
    expect(await converse({ query: 'x' }, ctx, async () => app)).toBe(0);
  });
});

describe('--usage-file', () => {
  const path = () => join(mkdtempSync(join(tmpdir(), 'hermes-usage-')), 'u.json');
  const read = (file: string) => JSON.parse(readFileSync(file, 'utf8')) as Record<string, unknown>;

  it('tells tokens and how the run ended', async () => {
    const usageFile = path();
    await run({ oneshot: 'x', usageFile }, { turn: { events: [start], result: { iterations: 3 } } });
    expect(read(usageFile)).toMatchObject({
      session_id: 's1',
      model: 'm',
      provider: 'p',
      api_calls: 3,
      total_tokens: 15,
      estimated_cost_usd: null,
      completed: true,
      failed: false,
      turn_exit_reason: 'done',
      failure: null,
    });
  });

  it('is written when the run failed or never began', async () => {
    const failed = path();
    const error = { code: 'auth', message: 'No.' };
    await run({ oneshot: 'x', usageFile: failed }, { turn: { result: { stop: 'error', text: 'half', error } } });
    expect(read(failed)).toMatchObject({ completed: false, partial: true, failed: true, failure: error });

    const never = path();
    const opening = () => Promise.reject(new AppError('model-none', 'No model.'));
    await expect(converse({ oneshot: 'x', usageFile: never }, testContext().ctx, opening)).rejects.toThrow('No model.');
    expect(read(never)).toMatchObject({ failed: true, failure: { code: 'model-none' }, session_id: null });
  });

  it('that cannot be written is a failure', async () => {
    await expect(run({ oneshot: 'x', usageFile: '/no/such/folder/u.json' })).rejects.toMatchObject({
      code: 'usage-file',
    });
  });
});
