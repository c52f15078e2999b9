import { afterEach, describe, expect, it } from 'vitest';
import { say } from '../../test/fakes/tui-app.ts';
import { openTui, type TuiSession } from '../../test/fakes/tui-session.ts';
import { createVirtualTerminal } from '../../test/fakes/virtual-terminal.ts';
import { NoteBlock } from './blocks/text-blocks.ts';
import { MainScreen } from './main-screen.ts';
import { TranscriptView } from './transcript.ts';

let open: TuiSession | undefined;
afterEach(async () => {
  await open?.leave();
  open = undefined;
});

const PLAIN = (text: string) => text;

/** A screen with a transcript and one line below it. */
function longScreen(blocks: number) {
  const terminal = createVirtualTerminal(60, 20);
  const transcript = new TranscriptView();
  const screen = new MainScreen(terminal, transcript);
  const below = new NoteBlock('below', PLAIN);
  screen.addChild(transcript);
  screen.addChild(below);
  screen.start();
  const notes = Array.from({ length: blocks }, (_, index) => new NoteBlock(`first ${index}\nsecond ${index}`, PLAIN));
  for (const note of notes) {
    transcript.append(note);
    screen.renderNow();
  }
  const whole = [...notes.flatMap((_, index) => [`first ${index}`, `second ${index}`]), 'below'].join('\n');
  return { terminal, transcript, screen, below, notes, whole };
}

const frameLines = (screen: MainScreen) => screen.captureRenderState().previousLines.length;

describe('a long conversation', () => {
  it('costs each frame only its last lines, and stays whole on the terminal', async () => {
    const { terminal, screen, whole } = longScreen(1000);
    expect(frameLines(screen)).toBeLessThan(500);
    expect(screen.fullRedraws).toBe(1);
    expect(await terminal.text()).toBe(whole);
    screen.stop({ preserveScreen: true });
  });

  it('is drawn whole after the size changed, and when something above the screen changed', async () => {
    const { terminal, screen, notes, whole } = longScreen(1000);
    terminal.resize(50, 18);
    screen.renderNow();
    expect(await terminal.text()).toBe(whole);
    notes[980]?.setText('changed\nsecond 980');
    screen.renderNow();
    expect(await terminal.text()).toBe(whole.replace('first 980', 'changed'));
    screen.stop({ preserveScreen: true });
  });

  it('takes a change far above without clearing the terminal', async () => {
    const { terminal, screen, notes, below } = longScreen(1000);
    notes[3]?.setText('one\nmore\nline');
    below.setText('still below');
    screen.renderNow();
    expect(screen.fullRedraws).toBe(1);
    expect(await terminal.text()).toMatch(/second 999\nstill below$/);
    screen.stop({ preserveScreen: true });
  });

  it('keeps the cursor in the input line', async () => {
    open = await openTui();
    const { terminal, app, send } = open;
    for (let turn = 0; turn < 12; turn++) {
      app.scripts.push(say(Array.from({ length: 60 }, (_, line) => `- turn ${turn} line ${line}`).join('\n')));
      send(`go ${turn}`);
      await terminal.shows(`turn ${turn} line 59`);
    }
    terminal.type('here');
    await expect.poll(async () => (await terminal.screen())[(await terminal.cursor()).y]).toBe(' here');
    const text = await terminal.text();
    for (let turn = 0; turn < 12; turn++) expect(text.split(`turn ${turn} line 7\n`)).toHaveLength(2);
  });
});
