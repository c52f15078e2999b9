import { afterEach, describe, expect, it } from 'vitest';
import { createFakeApp, say } from '../../test/fakes/tui-app.ts';
import { openTui, type TuiSession, type TuiSessionOptions } from '../../test/fakes/tui-session.ts';
import { compactTables } from './blocks/compact-tables.ts';
import { ghostOf } from './ghost.ts';

let open: TuiSession | undefined;
const start = async (options?: TuiSessionOptions) => {
  open = await openTui(options);
  return open;
};
afterEach(async () => {
  await open?.leave();
  open = undefined;
});

async function row(session: TuiSession): Promise<string> {
  const { terminal } = session;
  return (await terminal.screen())[(await terminal.cursor()).y] ?? '';
}

describe('earlier lines', () => {
  it('come back with the cursor behind them, one after the other', async () => {
    const session = await start();
    const { terminal, send, app } = session;
    send('first line');
    await terminal.shows('echo: first line');
    send('two\\');
    terminal.type('lines\r');
    await terminal.shows('echo: two');
    terminal.type('\x1b[A');
    await expect.poll(() => row(session)).toBe(' two');
    expect((await terminal.cursor()).x).toBe(4);
    terminal.type('\x1b[A');
    await expect.poll(() => row(session)).toBe(' first line');
    terminal.type(' and more\r');
    await expect.poll(() => app.inputs.at(-1)).toBe('first line and more');
  });

  it.each(['\x1b[C', '\t', '\x1b[F'])('are offered dimly behind what is typed, and taken with %j', async (key) => {
    const session = await start();
    const { terminal, send, app } = session;
    send('run the tests 日本');
    await terminal.shows('echo: run');
    terminal.type('run t');
    await expect.poll(() => row(session)).toBe(' run the tests 日本');
    expect((await terminal.cursor()).x).toBe(6);
    expect(terminal.written).toContain('\x1b[2mhe tests 日本\x1b[22m');
    terminal.type(key);
    await expect.poll(async () => (await terminal.cursor()).x).toBe(19);
    terminal.type('\r');
    await expect.poll(() => app.inputs).toEqual(['run the tests 日本', 'run the tests 日本']);
  });

  it('are not sent unless they are taken', async () => {
    const { terminal, send, app } = await start();
    send('run the tests');
    await terminal.shows('echo: run');
    send('run');
    await expect.poll(() => app.inputs).toEqual(['run the tests', 'run']);
  });

  it('are cut to the width of the screen', async () => {
    const session = await start({ columns: 20 });
    session.send('a rather long line that was sent before');
    await session.terminal.shows('echo: a');
    session.terminal.type('a r');
    await expect.poll(() => row(session)).toBe(' a rather long lin…');
  });

  it('offer the newest one, and nothing for nothing', () => {
    expect(ghostOf('a', ['ab', 'abc'])).toBe('b');
    expect(ghostOf('ab', ['ab', 'abc'])).toBe('c');
    expect(ghostOf('', ['ab'])).toBe('');
    expect(ghostOf('a', ['a\nb'])).toBe('');
  });
});

describe('a question before something is thrown away', () => {
  it('is answered by number', async () => {
    const app = createFakeApp();
    const { terminal, send } = await start({ app, saveSetting: async (key, value) => void saved.push([key, value]) });
    const saved: unknown[] = [];
    send('hello');
    await terminal.shows('echo: hello');
    send('/new');
    await terminal.shows('3. Yes, and never ask again');
    terminal.type('3');
    await terminal.shows('❯ 3. Yes, and never');
    terminal.type('\r');
    await terminal.shows('New session.');
    expect(saved).toEqual([['approvals.destructive_slash_confirm', false]]);
  });
});

describe('what is said', () => {
  it('stands apart from the command before it', async () => {
    const { terminal, send } = await start({ rows: 60 });
    send('/status');
    await terminal.shows('❯ /status');
    send('/usage');
    expect(await terminal.shows('❯ /usage')).toMatch(/\S\n\n❯ \/usage/);
  });

  it('has tables without a rule between rows of one line', async () => {
    const { terminal, app, send } = await start();
    app.scripts.push(say('| a | b |\n|---|---|\n| 1 | 2 |\n| 3 | 4 |\n| 5 | 6 |\n\nend'));
    send('go');
    expect(await terminal.shows('end')).toContain(
      ['┌───┬───┐', '│ a │ b │', '├───┼───┤', '│ 1 │ 2 │', '│ 3 │ 4 │', '│ 5 │ 6 │', '└───┴───┘'].join('\n'),
    );
  });

  it('keeps the rules where a row has two lines, and what only looks like a table', () => {
    const tall = ['┌───┐', '│ a │', '├───┤', '│ 1 │', '│ 1 │', '├───┤', '│ 2 │', '└───┘'];
    expect(compactTables(tall)).toEqual(tall);
    const cut = ['┌───┐', '│ a │', '├───┤', '│ 1 │', '├───┤'];
    expect(compactTables(cut)).toEqual(cut);
  });
});
