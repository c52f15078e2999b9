/** What is there before the app is open: the screen, the input line and its keys. */

import type { App } from '../app.ts';
import { commands } from '../commands/index.ts';
import type { SessionRef } from '../contracts/turn.ts';
import { describeError } from '../lib/errors.ts';
import { MarkdownBlock } from './blocks/markdown-block.ts';
import { NoteBlock } from './blocks/text-blocks.ts';
import { createCompletion } from './completion.ts';
import { editExternally } from './external-editor.ts';
import { appendHistory, readHistory } from './history.ts';
import { createKeys } from './keys.ts';
import { createLineRouter, type LineRouter } from './line-router.ts';
import type { TuiOptions, TuiStreams } from './options.ts';
import { createModals, type Modals } from './panels/modals.ts';
import { createScreen, type Screen } from './screen.ts';
import { createSessionFacts, type SessionFacts } from './session-facts.ts';
import { createTheme, type Paint, type Theme } from './theme.ts';

const GUARD_MS = 300;

/** What the open app adds to keys and completion. */
export interface Guest {
  /** Stops what the person waits for; false when nothing does. */
  interrupt(): boolean;
  context(): { readonly app: App; readonly session: SessionRef };
}

export interface Desk {
  readonly theme: Theme;
  readonly screen: Screen;
  readonly modals: Modals;
  readonly router: LineRouter;
  readonly facts: SessionFacts;
  say(markdown: string): void;
  note(text: string, paint?: Paint): void;
  /** Puts text into the input line, behind what is there. */
  keepText(text: string): void;
  attach(guest: Guest): void;
  useHistory(file: string): Promise<void>;
  bellOnPrompt: boolean;
  leave(): void;
  /** Resolves when the person, or the process, wants to go. */
  readonly leaving: Promise<void>;
  /** Resolves when they said so twice: nothing may be waited for any more. */
  readonly forced: Promise<void>;
}

export function createDesk(options: TuiOptions, streams: TuiStreams): Desk {
  const theme = createTheme(streams.env);
  const facts = createSessionFacts(options.yolo === true);
  const screen = createScreen({ theme, terminal: options.terminal, status: facts.status });
  const leaving = Promise.withResolvers<void>();
  const forced = Promise.withResolvers<void>();
  let left = false;
  let guest: Guest | undefined;
  let historyFile: string | undefined;
  const router = createLineRouter((waiting) => screen.setQueued(waiting));

  const keepText = (text: string) => {
    screen.editor.insertTextAtCursor(text);
    screen.redraw();
  };
  const modals = createModals(
    {
      setPanel: screen.setPanel,
      keepText,
      bell: () => {
        if (desk.bellOnPrompt) screen.bell();
      },
    },
    options.guardMs ?? GUARD_MS,
  );

  const desk: Desk = {
    theme,
    screen,
    modals,
    router,
    facts,
    bellOnPrompt: false,
    say: (markdown) => screen.append(new MarkdownBlock(markdown, theme), true),
    note: (text, paint = theme.dim) => screen.append(new NoteBlock(text, paint)),
    keepText,
    attach(next) {
      guest = next;
    },
    async useHistory(file) {
      historyFile = file;
      for (const entry of (await readHistory(file)).slice(-100)) screen.editor.addToHistory(entry);
    },
    leave() {
      if (left) forced.resolve();
      left = true;
      leaving.resolve();
    },
    leaving: leaving.promise,
    forced: forced.promise,
  };

  screen.editor.setAutocompleteProvider(
    createCompletion({
      commands,
      cwd: () => guest?.context().session.cwd ?? options.cwd,
      context: () => guest?.context(),
    }),
  );
  screen.editor.onSubmit = (text) => {
    if (text === '') return;
    screen.editor.addToHistory(text);
    if (historyFile !== undefined) {
      // What cannot be remembered is no reason to hold the message back.
      appendHistory(historyFile, text, new Date()).catch(() => undefined);
    }
    router.send(text, screen.editor.lastShown.trim());
  };
  screen.onKey(
    createKeys(
      {
        panelOpen: () => screen.panelOpen,
        lineEmpty: () => screen.editor.getText() === '',
        completing: () => screen.editor.isShowingAutocomplete(),
        clearLine() {
          screen.editor.setText('');
          screen.redraw();
        },
        interrupt: () => guest?.interrupt() ?? false,
        leave: desk.leave,
        repaint: screen.repaint,
        suspend: () => suspend(screen, desk),
        openEditor: () => void openEditor(screen, streams.env, desk),
        hint: (text) => desk.note(text),
      },
      () => performance.now(),
    ),
  );
  return desk;
}

/** The whole process group stops, as with any program; `fg` brings it back. */
function suspend(screen: Screen, desk: Desk): void {
  if (process.platform === 'win32') {
    desk.note('Ctrl+Z cannot suspend on this system.');
    return;
  }
  screen.stop();
  // While the terminal is somebody else's nothing else keeps the process alive.
  const alive = setInterval(() => {}, 60_000);
  process.once('SIGCONT', () => {
    clearInterval(alive);
    screen.start();
  });
  process.kill(0, 'SIGTSTP');
}

async function openEditor(screen: Screen, env: TuiStreams['env'], desk: Desk): Promise<void> {
  const before = screen.editor.getExpandedText();
  screen.stop();
  try {
    const edited = await editExternally(before, env);
    screen.editor.setText(edited);
  } catch (error) {
    desk.note(describeError(error), desk.theme.error);
  } finally {
    screen.start();
  }
}
