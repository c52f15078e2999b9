import { mkdtemp, readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { createFakeApp, fakeModel, hang, say } from '../../test/fakes/tui-app.ts';
import { openTui, type TuiSession, type TuiSessionOptions } from '../../test/fakes/tui-session.ts';
import { AppError } from '../lib/errors.ts';
import { DEFAULT_SETTINGS } from './settings.ts';

let open: TuiSession | undefined;
afterEach(async () => {
  await open?.leave();
  open = undefined;
});
const start = async (options?: TuiSessionOptions) => {
  open = await openTui(options);
  return open;
};
const withSettings = (more: Partial<typeof DEFAULT_SETTINGS>): TuiSessionOptions => ({
  loadSettings: async () => ({ ...DEFAULT_SETTINGS, ...more }),
});

describe('the start', () => {
  it('takes input before the app is open, and sends it then', async () => {
    const app = createFakeApp();
    const gate = Promise.withResolvers<typeof app>();
    const { terminal, send } = await start({ openApp: () => gate.promise });
    await terminal.shows('starting');
    send('early bird');
    terminal.type('half a thou');
    await terminal.shows('⏳ early bird');
    expect(app.inputs).toEqual([]);
    gate.resolve(app);
    await terminal.shows('echo: early bird');
    expect(await terminal.text()).toContain('half a thou');
  });

  it('says which model, where and how many tools', async () => {
    const { terminal } = await start();
    expect(await terminal.shows('session s1')).toMatch(/thinker-1 \(acme\).*1 tool/);
  });

  it('labels the demo model and names the way out', async () => {
    const app = createFakeApp();
    app.model = fakeModel({ demo: true });
    const { terminal } = await start({ app });
    await terminal.shows('hermes setup');
    await terminal.shows('thinker-1 demo');
  });

  it('names /model as the way on when the model cannot be had', async () => {
    const app = createFakeApp();
    const { model } = app.agent;
    let asked = () => Promise.reject(new AppError('model-unknown', 'There is no provider nobody.'));
    app.agent.model = () => asked();
    const { terminal, send } = await start({ app, openApp: async () => app });
    await terminal.shows('There is no provider nobody. Pick a model here with /model.');
    await terminal.shows(/^no model │/m);
    asked = model as typeof asked;
    send('/model acme:thinker-2');
    await terminal.shows(/^acme:thinker-2 │/m);
  });

  it('shows warnings once', async () => {
    const app = createFakeApp();
    app.warnings = ['config.yaml line 3 is broken.'];
    const { terminal } = await start({ app });
    expect((await terminal.shows('line 3 is broken')).split('line 3')).toHaveLength(2);
  });

  it('recaps a session that is continued, newest exchanges only', async () => {
    const app = createFakeApp();
    const texts = Array.from({ length: 24 }, (_, index) => (index % 2 === 0 ? `ask ${index}` : `told ${index}`));
    app.seed('old', texts, 'Garden plans');
    const { terminal, send } = await start({ app, resume: 'Garden plans', rows: 40 });
    const text = await terminal.shows('Previous conversation: Garden plans');
    expect(text).toContain('● ask 22');
    expect(text).toContain('◆ told 23');
    expect(text).toContain('… 2 earlier');
    expect(text).not.toContain('● ask 2\n');
    await terminal.shows('1.0k/100k');
    send('more');
    await terminal.shows('echo: more');
    expect(app.sessions.get('old')?.messages).toHaveLength(26);
  });

  it('rejects, with the terminal restored, when the session is not there', async () => {
    const session = await openTui({ openApp: async () => createFakeApp(), resume: 'nothing' });
    await expect(session.exit).rejects.toMatchObject({ code: 'session-not-found' });
    expect(session.terminal.raw).toBe(false);
  });
});

describe('a turn', () => {
  it('draws thinking, tools with their diffs, and a summary', async () => {
    const { terminal, app, send } = await start({ rows: 40 });
    app.scripts.push(async (io) => {
      io.emit({ type: 'reasoning_delta', text: 'Let me look.' });
      io.emit({ type: 'text_end' });
      const read = { callId: '1', tool: 'read_file', summary: 'read a.ts' };
      io.emit({ type: 'toolcall_start', call: { ...read, summary: 'read_file' } });
      io.emit({ type: 'toolcall_end', call: read, result: { ok: true, summary: '12 lines', durationMs: 40 } });
      const patch = { callId: '2', tool: 'patch', summary: 'edit a.ts' };
      io.emit({ type: 'toolcall_start', call: patch });
      const detail = '--- a.ts\n+++ a.ts\n@@ -1,2 +1,2 @@\n-old\n+new\n+more';
      io.emit({
        type: 'toolcall_end',
        call: patch,
        result: { ok: true, summary: 'changed', detail, durationMs: 1500 },
      });
      const bad = { callId: '3', tool: 'terminal', summary: 'npm test' };
      io.emit({ type: 'toolcall_start', call: bad });
      io.emit({ type: 'toolcall_end', call: bad, result: { ok: false, summary: 'exit 1', durationMs: 9 } });
      io.emit({ type: 'status', kind: 'retry', text: 'waiting 2 s' });
      io.emit({ type: 'text_delta', text: 'All **done**.' });
      const at = 0;
      return {
        text: 'All **done**.',
        receipts: [
          { callId: '1', tool: 'read_file', at, ok: true },
          { callId: '2', tool: 'patch', at, ok: true, filesChanged: ['/a.ts'] },
          { callId: '3', tool: 'terminal', at, ok: false, exitCode: 1 },
        ],
      };
    });
    send('fix it');
    await terminal.shows('All done.');
    const text = await terminal.shows(/edited 1 file \+2 -1 · read 1/);
    expect(text).toContain('│ Let me look.');
    expect(text).toMatch(/┊ 📖 +read a\.ts {2}12 lines 40ms/);
    expect(text).toMatch(/┊ 🔧 +edit a\.ts {2}changed 1\.5s/);
    expect(text).toMatch(/┊ +-old\n┊ +\+new/);
    expect(text).toMatch(/✗ npm test – exit 1/);
    expect(text).toContain('· waiting 2 s');
    expect(text).not.toContain('ran 1');
  });

  it('clamps long thinking and shows live output of a tool until it ends', async () => {
    const { terminal, app, send } = await start({ rows: 50 });
    const gate = Promise.withResolvers<void>();
    app.scripts.push(async (io) => {
      io.emit({ type: 'reasoning_delta', text: Array.from({ length: 30 }, (_, i) => `thought ${i};`).join('\n') });
      const call = { callId: '1', tool: 'terminal', summary: 'make' };
      io.emit({ type: 'toolcall_start', call });
      io.emit({ type: 'toolcall_delta', callId: '1', text: 'one\ntwo\nthree\nfour\n' });
      await gate.promise;
      io.emit({ type: 'toolcall_end', call, result: { ok: true, summary: '', durationMs: 1 } });
      return { text: 'ok' };
    });
    send('build');
    const live = await terminal.shows('four');
    expect(live).toContain('thought 29;');
    expect(live).not.toContain('thought 3;');
    expect(live).not.toContain('one');
    gate.resolve();
    await terminal.hides('four');
  });

  it('KF-101 explains an empty answer in a sentence', async () => {
    const { terminal, app, send } = await start();
    app.scripts.push(async () => ({ text: '' }));
    send('hello');
    const text = await terminal.shows('The model gave no answer.');
    expect(text).not.toMatch(/\(empty\)|None|undefined/);
  });

  it('KF-053 draws half of a character pair as a replacement', async () => {
    const { terminal, app, send } = await start();
    app.scripts.push(say('ok \ud83d end'));
    send('half \ud83d in');
    await terminal.shows('ok \ufffd end');
    expect(app.inputs[0]?.isWellFormed()).toBe(true);
  });

  it('shows the error of a failed turn with its hint', async () => {
    const { terminal, app, send } = await start();
    app.scripts.push(async () => ({
      stop: 'error',
      error: { code: 'auth', message: 'The key was refused.', hint: 'Run `hermes setup`.' },
    }));
    send('hi');
    await terminal.shows('The key was refused. Run `hermes setup`.');
  });

  it('shows context and cost in the status bar', async () => {
    const { terminal, app, send } = await start();
    app.scripts.push(async (io, text) => {
      const { NO_USAGE } = await import('../../test/fakes/tui-app.ts');
      io.emit({ type: 'usage', usage: NO_USAGE, contextTokens: 25_000, contextWindow: 100_000 });
      return say('fine')(io, text);
    });
    send('hi');
    await terminal.shows(/25k\/100k │ \[███░+\] 25% │ \$0\.42/);
  });
});

describe('a message while a turn runs', () => {
  it('takes its place in mode interrupt', async () => {
    const { terminal, app, send } = await start();
    app.scripts.push(hang());
    send('first');
    await terminal.shows('Esc stops');
    send('second');
    await terminal.shows('echo: second');
    expect(await terminal.text()).toContain('Interrupted.');
    expect(app.inputs).toEqual(['first', 'second']);
  });

  it('waits in mode queue, in order', async () => {
    const { terminal, app, send } = await start(withSettings({ busyMode: 'queue' }));
    const gate = Promise.withResolvers<void>();
    app.scripts.push(async () => {
      await gate.promise;
      return { text: 'one' };
    });
    send('first');
    await expect.poll(() => app.inputs.length).toBe(1);
    send('second');
    send('third');
    await terminal.shows('⏳ third');
    gate.resolve();
    await terminal.shows('echo: third');
    expect(app.inputs).toEqual(['first', 'second', 'third']);
  });

  it('reaches the turn in mode steer', async () => {
    const { terminal, app, send } = await start(withSettings({ busyMode: 'steer' }));
    app.scripts.push(hang());
    send('first');
    await expect.poll(() => app.inputs.length).toBe(1);
    send('left, not right');
    await expect.poll(() => app.steered).toEqual(['left, not right']);
    await terminal.shows('left, not right');
    expect(app.inputs).toEqual(['first']);
  });

  it.each(['\x03', '\x1b'])('key %j stops the turn and gives back what waited', async (key) => {
    const { terminal, app, send } = await start(withSettings({ busyMode: 'queue' }));
    app.scripts.push(hang());
    send('first');
    await expect.poll(() => app.inputs.length).toBe(1);
    send('waiting words');
    await terminal.shows('⏳ waiting words');
    terminal.type(key);
    await terminal.shows('Interrupted.');
    await terminal.hides('⏳');
    expect(await terminal.text()).toContain('waiting words');
    expect(app.inputs).toEqual(['first']);
  });
});

describe('leaving', () => {
  it('Ctrl+C clears the line, and twice leaves', async () => {
    const session = await start();
    session.terminal.type('some words');
    await session.terminal.shows('some words');
    session.terminal.type('\x03');
    await session.terminal.hides('some words');
    session.terminal.type('\x03');
    expect(await session.exit).toBe(0);
  });

  it('Ctrl+D leaves only when the line is empty', async () => {
    const session = await start();
    session.terminal.type('x\x04');
    session.terminal.type('\x7f');
    await session.terminal.hides(/^ x$/m);
    session.terminal.type('\x04');
    expect(await session.exit).toBe(0);
  });

  it('prints how to come back, with counts, and ends the session', async () => {
    const session = await start();
    session.send('hello');
    await session.terminal.shows('echo: hello');
    session.send('/quit');
    expect(await session.exit).toBe(0);
    expect(session.printed()).toContain('hermes --resume s1');
    const text = await session.terminal.text();
    expect(text).toMatch(/echo: hello\n\n❯ \/quit$/);
    expect(session.printed()).toMatch(/2 messages \(1 from you, 0 tool calls\)/);
    expect(session.app.calls).toContain('end s1 user_exit');
  });

  it('names the session it went on as', async () => {
    const session = await start();
    session.send('hello');
    await session.terminal.shows('echo: hello');
    session.app.seed('tip', ['hello', 'echo: hello', 'more', 'said'], 'Went on');
    session.app.tips.set('s1', 'tip');
    session.send('/quit');
    await session.exit;
    expect(session.printed()).toMatch(/--resume tip\nSession tip · Went on/);
  });

  it('prints nothing after a session without a word', async () => {
    const session = await start();
    session.send('/quit');
    await session.exit;
    expect(session.printed()).toBe('');
  });

  it('stops the running turn', async () => {
    const session = await start();
    session.app.scripts.push(hang());
    session.send('long work');
    await expect.poll(() => session.app.inputs.length).toBe(1);
    session.abort.abort();
    expect(await session.exit).toBe(130);
    expect(session.app.closed).toBe(true);
  });
});

describe('the line', () => {
  it('remembers what was sent, also the next time', async () => {
    const file = join(await mkdtemp(join(tmpdir(), 'hermes-tui-')), '.hermes_history');
    await writeFile(file, '\n# 2025-01-01 10:00:00.000000\n+older\n+lines\n');
    const { terminal, app, send } = await start(withSettings({ historyFile: file }));
    send('newest');
    await terminal.shows('echo: newest');
    terminal.type('\x1b[A');
    terminal.type('\x1b[A');
    await terminal.shows(/older\n lines/);
    terminal.type('\r');
    await expect.poll(() => app.inputs).toEqual(['newest', 'older\nlines']);
    await expect.poll(() => readFile(file, 'utf8')).toMatch(/\n# .+\n\+newest\n\n# .+\n\+older\n\+lines\n$/);
  });

  it('completes commands, arguments and paths', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'hermes-tui-'));
    await writeFile(join(folder, 'unmistakable.txt'), '');
    const { terminal } = await start({ cwd: folder });
    terminal.type('/stat');
    await terminal.shows('Facts of this session.');
    terminal.type('\t');
    await terminal.shows(/ \/status $|\/status\s*\n/);
    terminal.type('\x15/busy q');
    await terminal.shows('a message sent while it works');
    terminal.type('\t');
    await terminal.shows('/busy queue');
    terminal.type('\x15look at unmis\t');
    await terminal.shows('look at unmistakable.txt');
  });

  it('opens the line in $EDITOR', async () => {
    const { terminal, app } = await start({ env: { EDITOR: 'sh -c \'printf " and more" >> $0\'' } });
    terminal.type('draft');
    await terminal.shows('draft');
    terminal.type('\x07');
    await terminal.shows('draft and more');
    expect(terminal.raw).toBe(true);
    terminal.type('\r');
    await expect.poll(() => app.inputs).toEqual(['draft and more']);
  });

  it('runs !commands without the model, and says how they ended', async () => {
    const { terminal, app, send } = await start();
    send('!echo "he""llo"; exit 3');
    await terminal.shows('! exited 3');
    expect(await terminal.text()).toMatch(/^hello$/m);
    expect(app.inputs).toEqual([]);
  });

  it('asks before a risky !command, and never runs a blocked one', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'hermes-tui-'));
    await writeFile(join(folder, 'precious'), '');
    const { terminal, send } = await start({ cwd: folder });
    send('!rm -rf precious');
    await terminal.shows('Allow your command?');
    terminal.type('\x1b');
    await terminal.shows('! not run: denied.');
    send('!rm -rf /');
    await terminal.shows('! not run: blocked');
    expect(await readFile(join(folder, 'precious'), 'utf8')).toBe('');
    send('!rm -rf precious');
    await terminal.shows('Allow your command?');
    terminal.type('o');
    await expect.poll(() => readFile(join(folder, 'precious'), 'utf8').catch(() => 'gone')).toBe('gone');
  });

  it('stops a !command with Ctrl+C', async () => {
    const { terminal, send } = await start();
    send('!echo started; sleep 60');
    await terminal.shows(/^started$/m);
    terminal.type('\x03');
    await terminal.shows('! exited 130');
  });

  it('KF-146 Ctrl+C brings the prompt back from a command that waits for the network', async () => {
    const { terminal, app, send } = await start();
    send('keep me');
    await terminal.shows('echo: keep me');
    app.models.list = () => new Promise(() => {});
    send('/model');
    await terminal.shows('❯ /model');
    terminal.type('\x03');
    await terminal.shows('Given up.');
    send('still here');
    await terminal.shows('echo: still here');
    expect(app.sessions.get('s1')?.messages).toHaveLength(4);
  });

  it('switches the session from a list', async () => {
    const app = createFakeApp();
    app.seed('old', ['about gardens', 'roses'], 'Garden plans');
    const { terminal, send } = await start({ app });
    send('/resume');
    await terminal.shows('Resume a session');
    terminal.type('garden');
    terminal.type('\r');
    await terminal.shows('Previous conversation: Garden plans');
    send('tulips?');
    await terminal.shows('echo: tulips?');
    expect(app.sessions.get('old')?.messages).toHaveLength(4);
  });
});
