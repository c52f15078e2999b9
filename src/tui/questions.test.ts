import { afterEach, describe, expect, it } from 'vitest';
import type { FakeApp } from '../../test/fakes/tui-app.ts';
import { openTui, type TuiSession, type TuiSessionOptions } from '../../test/fakes/tui-session.ts';
import type { AnswerTo, Question } from '../contracts/turn.ts';

let open: TuiSession | undefined;
afterEach(async () => {
  await open?.leave();
  open = undefined;
});
const start = async (options?: TuiSessionOptions) => {
  open = await openTui(options);
  return open;
};

const APPROVAL: Question = {
  kind: 'approval',
  tool: 'terminal',
  action: 'rm -rf build',
  risks: [{ id: 'rm', why: 'deletes files recursively' }],
  choices: ['once', 'session', 'always', 'deny'],
};

/** The next turn asks; the answers arrive in the list. */
function asking<Q extends Question>(app: FakeApp, ...questions: Q[]): (AnswerTo<Q> | 'open')[] {
  const answers: (AnswerTo<Q> | 'open')[] = questions.map(() => 'open');
  app.scripts.push(async (io) => {
    await Promise.all(
      questions.map(async (question, index) => {
        answers[index] = await io.ask(question);
      }),
    );
    return { text: 'done' };
  });
  return answers;
}

describe('an approval', () => {
  it.each([
    ['o', 'once'],
    ['2', 'session'],
    ['a', 'always'],
    ['d', 'deny'],
    ['\r', 'once'],
    ['\x1b[B\x1b[B\r', 'always'],
    ['yes\r', 'once'],
    ['no\r', 'deny'],
    ['\x1b', 'deny'],
  ])('takes %j for %s', async (keys, choice) => {
    const { terminal, app, send } = await start();
    const answers = asking(app, APPROVAL);
    send('clean up');
    await terminal.shows('rm -rf build');
    expect(await terminal.text()).toContain('deletes files recursively');
    terminal.type(keys);
    await expect.poll(() => answers).toEqual([choice]);
    await terminal.shows(choice === 'deny' ? '✗ Denied: rm -rf build' : /✓ A.*: rm -rf build/);
    await terminal.hides('Allow terminal?');
  });

  it('KF-166 is not given by keys that were pressed before it could be read', async () => {
    const { terminal, app } = await start({ guardMs: 400 });
    const answers = asking(app, APPROVAL);
    terminal.type('clean up\r\r');
    await terminal.shows('Allow terminal?');
    terminal.type('\r');
    terminal.type('next\r');
    await terminal.shows(/next/);
    expect(answers).toEqual(['open']);
    await new Promise((resolve) => setTimeout(resolve, 450));
    terminal.type('\r');
    await expect.poll(() => answers).toEqual(['once']);
    await terminal.hides('Allow terminal?');
    expect(app.inputs).toEqual(['clean up']);
    expect(await terminal.text()).toContain('next');
  });

  it.each(['yes, once the backup is done', 'once the backup is done', 'do it tomorrow', 'all of it'])(
    'KF-168 is not given by %j, which is kept',
    async (reply) => {
      const { terminal, app, send } = await start();
      const answers = asking(app, APPROVAL);
      send('clean up');
      await terminal.shows('Allow terminal?');
      terminal.type(`${reply}\r`);
      await terminal.shows('no clear yes or no');
      expect(answers).toEqual(['open']);
      terminal.type('\x1b');
      await terminal.hides('Allow terminal?');
      expect(answers).toEqual(['deny']);
      expect(await terminal.text()).toContain(reply);
      expect(app.inputs).toEqual(['clean up']);
    },
  );

  it('is not given by a paste', async () => {
    const { terminal, app, send } = await start();
    const answers = asking(app, APPROVAL);
    send('clean up');
    await terminal.shows('Allow terminal?');
    terminal.type('\x1b[200~o\r\x1b[201~');
    await terminal.shows('> o');
    expect(answers).toEqual(['open']);
  });

  it('is denied at its deadline, and counts down to it', async () => {
    const { terminal, app, send } = await start({
      loadSettings: async () => ({ ...(await import('./settings.ts')).DEFAULT_SETTINGS, approvalTimeoutMs: 1 }),
    });
    const answers = asking(app, APPROVAL);
    send('clean up');
    await terminal.shows(/denied in \d+s/);
    await expect.poll(() => answers, { timeout: 5000 }).toEqual(['deny']);
  });

  it('ends with its turn', async () => {
    const { terminal, app, send } = await start();
    const answers = asking(app, APPROVAL);
    send('clean up');
    await terminal.shows('Allow terminal?');
    terminal.type('\x03');
    await expect.poll(() => answers).toEqual(['deny']);
    await terminal.hides('Allow terminal?');
  });

  it('waits for the one before it', async () => {
    const { terminal, app, send } = await start();
    const answers = asking(app, APPROVAL, { ...APPROVAL, action: 'rm -rf dist' });
    send('clean up');
    await terminal.shows('rm -rf build');
    expect(await terminal.text()).not.toContain('rm -rf dist');
    terminal.type('\r');
    await terminal.shows('rm -rf dist');
    terminal.type('\x1b');
    await expect.poll(() => answers).toEqual(['once', 'deny']);
  });

  it('shows a long command whole on Tab', async () => {
    const { terminal, app, send } = await start({ rows: 40 });
    asking(app, { ...APPROVAL, action: Array.from({ length: 20 }, (_, index) => `step ${index}`).join('\n') });
    send('clean up');
    await terminal.shows('step 0');
    expect(await terminal.text()).not.toContain('step 10');
    terminal.type('\t');
    await terminal.shows('step 10');
  });
});

describe('a question of the agent', () => {
  const CLARIFY: Question = { kind: 'clarify', prompt: 'Which colour?', options: ['red', 'green'] };

  it.each([
    ['\x1b[B\r', 'green'],
    ['1\r', 'red'],
    ['blue, please\r', 'blue, please'],
    ['\x1b', undefined],
  ])('takes %j for %j', async (keys, answer) => {
    const { terminal, app, send } = await start();
    const answers = asking(app, CLARIFY);
    send('paint');
    await terminal.shows('Which colour?');
    terminal.type(keys);
    await expect.poll(() => answers).toEqual([answer]);
  });

  it('asks for a secret without ever drawing it', async () => {
    const { terminal, app, send } = await start();
    const answers = asking(app, { kind: 'secret', name: 'API_KEY', prompt: 'Key for the service' });
    send('connect');
    await terminal.shows('Key for the service');
    terminal.type('hunter2');
    await terminal.shows('•••••••');
    terminal.type('\r');
    await expect.poll(() => answers).toEqual(['hunter2']);
    await terminal.shows('API_KEY: given');
    expect(terminal.written).not.toContain('hunter2');
  });
});
