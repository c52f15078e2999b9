import { afterEach, describe, expect, it } from 'vitest';
import { createFakeApp, hang } from '../../test/fakes/tui-app.ts';
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

const ended = (sessionId: string) =>
  ({
    sessionId,
    processId: 'proc_1',
    kind: 'complete',
    text: '[Background process proc_1 (make) ended with exit code 0]\nall built',
  }) as const;

describe('background processes', () => {
  it('are counted in the status bar and ended by /stop', async () => {
    const { terminal, app, send } = await start();
    app.scripts.push(async (io) => {
      app.background({}, {}, { status: 'exited' }, { sessionId: 'other' });
      const call = { callId: '1', tool: 'terminal', summary: 'serve' };
      io.emit({ type: 'toolcall_end', call, result: { ok: true, summary: '', durationMs: 1 } });
      return { text: 'started' };
    });
    send('serve');
    await terminal.shows('▶2');
    send('/stop');
    await terminal.shows('Ended 2 background processes.');
    await terminal.hides('▶');
  });

  it('report to the agent when it is idle, and leave what the person types alone', async () => {
    const { terminal, app, send } = await start();
    send('hello');
    await terminal.shows('echo: hello');
    terminal.type('half a line');
    await terminal.shows('half a line');
    app.report(ended('s1'));
    await terminal.shows('⚙ [Background process proc_1 (make) ended');
    await expect.poll(() => app.inputs.at(-1)).toBe(ended('s1').text);
    expect((await terminal.screen()).some((row) => row === ' half a line')).toBe(true);
  });

  it('wait for the running turn, also when it is stopped, and are not put into the input line', async () => {
    const { terminal, app, send } = await start();
    app.scripts.push(hang());
    send('first');
    await expect.poll(() => app.inputs.length).toBe(1);
    app.report(ended('s1'));
    expect(app.inputs).toEqual(['first']);
    terminal.type('\x03');
    await expect.poll(() => app.inputs).toEqual(['first', ended('s1').text]);
    expect((await terminal.screen()).some((row) => row.startsWith(' [Background'))).toBe(false);
  });

  it('of another session are named, and reported when the person comes back', async () => {
    const app = createFakeApp();
    app.seed('old', ['dig', 'dug'], 'Garden');
    const { terminal, send } = await start({ app });
    await terminal.shows('session s1');
    app.report(ended('old'));
    await terminal.shows('Session old: [Background process proc_1');
    expect(app.inputs).toEqual([]);
    send('/resume Garden');
    await expect.poll(() => app.inputs).toEqual([ended('old').text]);
  });

  it('that report while the person leaves start nothing', async () => {
    const session = await start();
    session.app.scripts.push(hang());
    session.send('first');
    await expect.poll(() => session.app.inputs.length).toBe(1);
    session.app.report(ended('s1'));
    expect(await session.leave()).toBe(130);
    expect(session.app.inputs).toEqual(['first']);
  });
});
