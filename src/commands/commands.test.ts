import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createFakeApp, type FakeApp, fakeModel } from '../../test/fakes/tui-app.ts';
import type { SessionRef } from '../contracts/turn.ts';
import type { ChoiceOption, CommandContext } from './command.ts';
import { takeSkip } from './confirm.ts';
import { commands, dispatch, parseSlash } from './index.ts';
import { matchCommand, namesOf } from './match.ts';

interface Bench {
  readonly app: FakeApp;
  readonly said: string[];
  readonly asked: string[];
  readonly offered: (readonly ChoiceOption[])[];
  readonly submitted: string[];
  readonly saved: [string, unknown][];
  readonly titles: string[];
  session: SessionRef;
  busy: boolean;
  quit: boolean;
  pick: string | undefined;
  confirm: 'once' | 'always' | 'cancel';
  readonly abort: AbortController;
  readonly ctx: CommandContext;
  run(line: string): Promise<string>;
}

function bench(more: { door?: CommandContext['door']; noSaving?: boolean } = {}): Bench {
  const app = createFakeApp();
  const abort = new AbortController();
  const desk: Bench = {
    app,
    said: [],
    asked: [],
    offered: [],
    submitted: [],
    saved: [],
    titles: [],
    session: app.newSession(),
    busy: false,
    quit: false,
    pick: undefined,
    confirm: 'once',
    abort,
    ctx: {
      app,
      get session() {
        return desk.session;
      },
      door: more.door ?? 'terminal',
      preferences: { busyMode: 'interrupt', reasoningView: 'clamp', confirmDestructive: true },
      get busy() {
        return desk.busy;
      },
      signal: abort.signal,
      async setSession(session) {
        desk.session = session;
      },
      titleWhenStored: (title) => void desk.titles.push(title),
      say: (text) => void desk.said.push(text),
      async choose(_title, options) {
        desk.offered.push(options);
        return desk.pick;
      },
      async confirm(question) {
        desk.asked.push(question);
        return desk.confirm;
      },
      submit: (text) => void desk.submitted.push(text),
      async stopTurn() {
        const ran = desk.busy;
        desk.busy = false;
        return ran;
      },
      quit() {
        desk.quit = true;
      },
      saveSetting: more.noSaving ? undefined : async (key, value) => void desk.saved.push([key, value]),
      facts: () => [],
    },
    async run(line) {
      const before = desk.said.length;
      await dispatch(line, commands, desk.ctx);
      return desk.said.slice(before).join('\n');
    },
  };
  return desk;
}

describe('names', () => {
  it.each([
    ['/NEW', 'new'],
    ['/reset', 'new'],
    ['/q', 'queue'],
    ['/qu', 'queue'],
    ['/exit', 'quit'],
    ['/ctx', 'context'],
    ['/Rea high', 'reasoning'],
    ['/stat', 'status'],
    ['/sess', 'sessions'],
  ])('%s means %s', (line, name) => {
    const slash = parseSlash(line);
    expect(slash && matchCommand(slash, commands)).toMatchObject({ kind: 'command', command: { name } });
  });

  it('treats _ and - alike', () => {
    const odd = [{ ...commands[0]!, name: 'two-words', aliases: [] }];
    expect(matchCommand(parseSlash('/TWO_words x')!, odd)).toMatchObject({ kind: 'command', args: 'x' });
  });

  it('are unique over all commands', () => {
    const names = commands.flatMap(namesOf);
    expect(new Set(names).size).toBe(names.length);
  });

  it.each(['/usr/bin is full', '//', 'hello /new', '/', '/1', ''])('%j is a message', (line) => {
    expect(parseSlash(line)).toBeUndefined();
  });

  it('never throws, and every name finds its command in any spelling', () => {
    fc.assert(fc.property(fc.string(), (line) => void parseSlash(line)));
    for (const command of commands) {
      for (const name of namesOf(command)) {
        const spelled = `/${name.toUpperCase().replaceAll('-', '_')} a  b\nc`;
        expect(matchCommand(parseSlash(spelled)!, commands)).toMatchObject({ command, args: 'a  b\nc' });
      }
    }
  });

  it('suggests what was meant', async () => {
    expect(await bench().run('/ussage')).toContain('/usage');
  });

  it('are looked up only where they are available', async () => {
    expect(await bench({ door: 'chat' }).run('/quit')).toContain('no command');
  });
});

describe('a command that throws something away', () => {
  it.each(['/undo', '/new', '/quit --delete'])('%s changes nothing after a no', async (line) => {
    const desk = bench();
    desk.app.seed('s1', ['ask', 'told']);
    desk.confirm = 'cancel';
    await desk.run(line);
    expect(desk.asked).toHaveLength(1);
    expect(desk.app.sessions.get('s1')?.messages).toHaveLength(2);
    expect([desk.session.id, desk.quit, desk.app.calls]).toEqual(['s1', false, []]);
  });

  it.each(['/undo now', '/undo -y', '/undo --yes'])('%s does not ask', async (line) => {
    const desk = bench();
    desk.app.seed('s1', ['ask', 'told']);
    await desk.run(line);
    expect(desk.asked).toEqual([]);
    expect(desk.app.sessions.get('s1')?.messages).toEqual([]);
  });

  it('remembers “always”', async () => {
    const desk = bench();
    desk.app.seed('s1', ['ask', 'told', 'more', 'fine']);
    desk.confirm = 'always';
    await desk.run('/undo');
    await desk.run('/undo');
    expect(desk.asked).toHaveLength(1);
    expect(desk.saved).toEqual([['approvals.destructive_slash_confirm', false]]);
  });

  it('takes skip words out of a title only where they stand for themselves', () => {
    expect(takeSkip('my now plans')).toEqual({ rest: 'my now plans', skip: false });
    expect(takeSkip('my plans now')).toEqual({ rest: 'my plans', skip: true });
    expect(takeSkip('-y my plans')).toEqual({ rest: 'my plans', skip: true });
  });
});

describe('sessions', () => {
  it('/new leaves the old one stored and ended', async () => {
    const desk = bench();
    desk.app.seed('s1', ['ask', 'told']);
    await desk.run('/new Garden now');
    expect(desk.session.id).not.toBe('s1');
    expect(desk.titles).toEqual(['Garden']);
    expect(desk.app.calls).toEqual(['end s1 new_session']);
  });

  it('/resume takes a title, or shows what there is', async () => {
    const desk = bench();
    desk.app.seed('old', ['ask', 'told'], 'Garden');
    await desk.run('/resume Garden');
    expect(desk.session.id).toBe('old');
    desk.app.seed('older', ['x', 'y']);
    desk.pick = 'older';
    await desk.run('/resume');
    expect(desk.offered.at(-1)?.map(({ value }) => value)).toEqual(['older']);
    expect(desk.session.id).toBe('older');
    expect(await desk.run('/resume nothing like it')).toContain('nothing like it');
  });

  it('/sessions search finds words of messages', async () => {
    const desk = bench();
    desk.app.seed('a', ['about roses', 'yes']);
    desk.app.seed('b', ['about tulips', 'no']);
    desk.pick = 'b';
    await desk.run('/sessions search tulips');
    expect(desk.offered[0]?.map(({ value }) => value)).toEqual(['b']);
    expect(desk.session.id).toBe('b');
    expect(await desk.run('/sessions search zebra')).toContain('zebra');
  });

  it('/title waits for the first message, then sets', async () => {
    const desk = bench();
    await desk.run('/title Plans');
    expect(desk.titles).toEqual(['Plans']);
    desk.app.seed('s1', ['ask', 'told']);
    await desk.run('/title Better plans');
    expect(await desk.run('/title')).toContain('Better plans');
  });

  it('/quit --delete erases and leaves, /quit with nonsense does neither', async () => {
    const desk = bench();
    desk.app.seed('s1', ['ask', 'told']);
    await desk.run('/quit --destroy');
    expect(desk.quit).toBe(false);
    await desk.run('/quit --delete');
    expect([desk.quit, desk.app.sessions.has('s1')]).toEqual([true, false]);
  });
});

describe('turns', () => {
  it('/undo takes back the last exchange and lets the agent forget', async () => {
    const desk = bench();
    desk.app.seed('s1', ['one', 'first', 'two', 'second']);
    expect(await desk.run('/undo now')).toContain('two');
    expect(desk.app.sessions.get('s1')?.messages).toHaveLength(2);
    expect(desk.app.calls).toEqual(['rewind s1', 'forget s1']);
    expect(await bench().run('/undo')).toContain('nothing');
  });

  it('/retry sends the last message again in place of its answer', async () => {
    const desk = bench();
    desk.app.seed('s1', ['one', 'first', 'two', 'second']);
    await desk.run('/retry');
    expect(desk.submitted).toEqual(['two']);
    expect(desk.app.sessions.get('s1')?.messages).toHaveLength(2);
  });

  it('/stop says whether something ran', async () => {
    const desk = bench();
    expect(await desk.run('/stop')).toContain('Nothing');
    desk.busy = true;
    expect(await desk.run('/stop')).toContain('Stopped');
  });

  it('/steer sends a message when nothing runs, /queue always', async () => {
    const desk = bench();
    await desk.run('/steer left');
    await desk.run('/queue right');
    expect(desk.submitted).toEqual(['left', 'right']);
    expect(await desk.run('/queue')).toContain('/queue prompt');
  });

  it('only some work while a turn runs', async () => {
    const desk = bench();
    desk.app.seed('s1', ['ask', 'told']);
    desk.busy = true;
    expect(await desk.run('/undo now')).toContain('wait');
    expect(desk.app.calls).toEqual([]);
    expect(await desk.run('/status')).toContain('a turn is running');
  });

  it('/busy shows and sets the mode', async () => {
    const desk = bench();
    await desk.run('/busy QUEUE --global');
    expect(desk.ctx.preferences.busyMode).toBe('queue');
    expect(desk.saved).toEqual([['display.busy_input_mode', 'queue']]);
    expect(await desk.run('/busy status')).toContain('queue');
    expect(await bench({ noSaving: true }).run('/busy queue --global')).toContain(
      'hermes config set display.busy_input_mode queue',
    );
    expect(await desk.run('/busy sometimes')).toContain('interrupt, queue or steer');
  });
});

describe('models and facts', () => {
  it('/model switches by name, by provider, from a list, and for good', async () => {
    const desk = bench();
    expect(await desk.run('/model thinker-2')).toMatch(/thinker-2.*prompt cache/);
    await desk.run('/model big --provider other --global');
    expect(desk.app.model).toMatchObject({ model: 'big', provider: 'other' });
    expect(desk.saved).toEqual([
      ['model.default', 'big'],
      ['model.provider', 'other'],
    ]);
    desk.pick = 'acme\nthinker-2';
    await desk.run('/model');
    expect(desk.app.model.model).toBe('thinker-2');
    expect(await desk.run('/model a b')).toContain('one model');
    expect(await desk.run('/model --fast')).toContain('--fast');
  });

  it('/reasoning sets the level or the view', async () => {
    const desk = bench();
    await desk.run('/reasoning high');
    await desk.run('/reasoning full');
    expect(desk.app.calls).toEqual(['reasoning high']);
    expect(desk.ctx.preferences.reasoningView).toBe('full');
    expect(await desk.run('/reasoning enormous')).toContain('minimal');
  });

  it('/usage, /context, /tools and /status tell what is there', async () => {
    const desk = bench();
    expect(await desk.run('/usage')).toContain('Nothing used yet');
    desk.app.seed('s1', ['ask', 'told'], 'Plans');
    expect(await desk.run('/usage')).toMatch(/1,200[\s\S]*\$0\.42 \(estimated\)[\s\S]*1\.1k of 100k \(1%\)/);
    expect(await desk.run('/context')).toMatch(/identity \| 1\.0k \| 1\.0%[\s\S]*free \| 99k/);
    expect(await desk.run('/tools')).toMatch(/`terminal`[\s\S]*`web_search`: no key/);
    desk.app.model = fakeModel({ demo: true });
    expect(await desk.run('/status')).toMatch(/Plans[\s\S]*hermes setup[\s\S]*2 messages/);
  });

  it('/help lists every command of the door, and explains one', async () => {
    const desk = bench();
    const text = await desk.run('/help');
    for (const command of commands) expect(text).toContain(`/${command.name}`);
    expect(await desk.run('/help exit')).toContain('/quit');
    expect(await desk.run('/help cost')).toContain('/usage');
    expect(await bench({ door: 'chat' }).run('/help')).not.toContain('/quit');
  });
});

describe('dispatch', () => {
  it('KF-146 ends when the person gives up, whatever the command waits for', async () => {
    const desk = bench();
    desk.app.models.list = () => new Promise(() => {});
    const outcome = dispatch('/model', commands, desk.ctx);
    desk.abort.abort();
    expect(await outcome).toBe('given-up');
  });

  it('says what went wrong in a sentence', async () => {
    const desk = bench();
    expect(await desk.run('/resume ghost')).toMatch(/`\/resume`: .*ghost/);
    expect(await dispatch('no command', commands, desk.ctx)).toBe('not-a-command');
  });
});
