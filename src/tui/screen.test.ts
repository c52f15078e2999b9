import { visibleWidth } from '@earendil-works/pi-tui';
import { afterEach, describe, expect, it } from 'vitest';
import { say } from '../../test/fakes/tui-app.ts';
import { openTui, type TuiSession, type TuiSessionOptions } from '../../test/fakes/tui-session.ts';

let open: TuiSession | undefined;
const start = async (options?: TuiSessionOptions) => {
  open = await openTui(options);
  return open;
};
afterEach(async () => {
  await open?.leave();
  open = undefined;
});

const JAPANESE = '日本語の長い文章を入力する試験';

describe('the input line', () => {
  it('KF-194 wraps wide text inside 40 columns and keeps the cursor behind the last character', async () => {
    const { terminal } = await start({ columns: 40 });
    terminal.type(JAPANESE);
    terminal.type(JAPANESE);
    await terminal.shows('試験日本語'.slice(0, 3));
    const rows = await terminal.screen();
    for (const row of rows) expect(visibleWidth(row)).toBeLessThanOrEqual(40);
    const inputRows = rows.filter((row) => /[ぁ-龠]/.test(row));
    expect(inputRows.map((row) => row.trim()).join('')).toBe(JAPANESE + JAPANESE);
    const { x, y } = await terminal.cursor();
    expect(rows[y]).toBe(inputRows.at(-1));
    expect(x).toBe(visibleWidth(rows[y] ?? ''));
    expect(terminal.cursorVisible).toBe(true);
  });

  it('KF-194 moves the cursor by whole wide characters', async () => {
    const { terminal } = await start({ columns: 40 });
    terminal.type('中文字');
    await terminal.shows('中文字');
    const before = await terminal.cursor();
    terminal.type('\x1b[D');
    await expect.poll(async () => (await terminal.cursor()).x).toBe(before.x - 2);
  });

  it('KF-195 shows half-typed wide text once after two changes of the width', async () => {
    const { terminal } = await start({ columns: 80 });
    terminal.type(JAPANESE);
    await terminal.shows(JAPANESE);
    terminal.resize(120, 24);
    terminal.resize(60, 24);
    await expect
      .poll(async () => (await terminal.screen()).filter((row) => row.includes('─'.repeat(60))).length)
      .toBe(2);
    expect((await terminal.text()).split(JAPANESE)).toHaveLength(2);
  });

  it('KF-196 holds a pasted block of lines unsent', async () => {
    const { terminal, app } = await start();
    terminal.type('\x1b[200~a\nb\nc\x1b[201~');
    await terminal.shows(/a\s+b\s+c/);
    expect(app.inputs).toEqual([]);
    terminal.type('\r');
    await terminal.shows('echo:');
    expect(app.inputs).toEqual(['a\nb\nc']);
  });

  it('KF-196 keeps a paste that comes in pieces together', async () => {
    const { terminal, app } = await start();
    for (const piece of ['\x1b[20', '0~one\rtw', 'o\r\nthree\x1b[2', '01~']) terminal.type(piece);
    await terminal.shows(/one\s+two\s+three/);
    expect(app.inputs).toEqual([]);
  });

  it('KF-197 does not send a composed block without a line end', async () => {
    const { terminal, app } = await start();
    terminal.type('日本語');
    await terminal.shows('日本語');
    expect(app.inputs).toEqual([]);
  });

  it('KF-198 takes no reply of the terminal for input', async () => {
    const { terminal, app } = await start();
    terminal.type('\x1b]11;rgb:1e1e/1e1e/2e2e\x07');
    terminal.type('\x1b[<64;12;7M');
    terminal.type('\x1b[I\x1b[O\x1b[?1;2c\x1b[24;80R');
    terminal.type('ok\r');
    await terminal.shows('echo: ok');
    expect(app.inputs).toEqual(['ok']);
  });

  it('folds a long paste on the screen and sends all of it', async () => {
    const { terminal, app } = await start();
    const long = Array.from({ length: 7 }, (_, index) => `line ${index}`).join('\n');
    terminal.type(`\x1b[200~${long}\x1b[201~`);
    await terminal.shows('[paste #1 +7 lines]');
    terminal.type(' and this\r');
    await terminal.shows('❯ [paste #1 +7 lines] and this');
    await terminal.shows('line 6 and this');
    expect(app.inputs).toEqual([`${long} and this`]);
  });

  it.each(['\x1b\r', '\n', '\x1b[13;2u', '\\\r'])('starts a new line with %j', async (key) => {
    const { terminal, app } = await start();
    terminal.type('one');
    await terminal.shows('one');
    terminal.type(key);
    terminal.type('two');
    await terminal.shows(/one *\n *two/);
    terminal.type('\r');
    await expect.poll(() => app.inputs).toEqual(['one\ntwo']);
  });
});

describe('the screen', () => {
  it('KF-199 survives five columns', async () => {
    const { terminal, app, send } = await start({ columns: 5, rows: 12 });
    app.scripts.push(say('| a | b |\n|---|---|\n| 1 | 2 |\n\n```ts\nconst wide = 1;\n```\n日本語'));
    send('hi');
    await expect.poll(() => app.inputs).toEqual(['hi']);
    await terminal.shows('日');
    terminal.resize(1, 3);
    send('更に');
    await expect.poll(() => app.inputs.length).toBe(2);
    terminal.resize(60, 20);
    await terminal.shows('echo: 更に');
  });

  it('gives the terminal back as it was', async () => {
    const session = await start();
    expect(session.terminal.raw).toBe(true);
    await session.leave();
    expect(session.terminal.raw).toBe(false);
    expect(session.terminal.cursorVisible).toBe(true);
    expect(session.app.closed).toBe(true);
  });

  it('gives the terminal back when the app cannot be opened', async () => {
    const session = await openTui({ openApp: () => Promise.reject(new Error('no home')) });
    await expect(session.exit).rejects.toThrow('no home');
    expect(session.terminal.raw).toBe(false);
    expect(session.terminal.cursorVisible).toBe(true);
  });

  it('uses no colour with NO_COLOR', async () => {
    const { terminal, app, send } = await start({ env: { NO_COLOR: '1' } });
    app.scripts.push(say('# Title\n\n`code` and **bold**'));
    send('go');
    await terminal.shows('code and bold');
    expect(terminal.written).not.toMatch(/\x1b\[(?:3[0-8]|4[0-8]|9\d|10\d)[;m]/);
  });

  it('uses colour without it', async () => {
    const { terminal } = await start();
    expect(terminal.written).toMatch(/\x1b\[3\d/);
  });

  it('repaints on Ctrl+L', async () => {
    const { terminal, send } = await start();
    send('hello');
    await terminal.shows('echo: hello');
    terminal.write('\x1b[Hgarbage');
    await terminal.shows('garbage');
    terminal.type('\x0c');
    await terminal.hides('garbage');
    await terminal.shows('echo: hello');
  });

  it('lets no control sequence of a model or a tool through', async () => {
    const { terminal, app, send } = await start();
    app.scripts.push(async (io) => {
      const call = { callId: '1', tool: 'terminal', summary: 'cat x\x1b]0;owned\x07' };
      io.emit({ type: 'toolcall_start', call });
      io.emit({ type: 'toolcall_end', call, result: { ok: true, summary: '\x1b[2Jgone', durationMs: 1 } });
      return say('safe \x1b]52;c;aGk=\x07text')(io, '');
    });
    send('go');
    await terminal.shows('safe text');
    expect(terminal.written).not.toContain('\x1b]52');
    expect(terminal.written).not.toContain('owned\x07');
  });
});
