/** The terminal: what is on it from top to bottom, and who has the keyboard. */
import {
  type Component,
  Container,
  KeybindingsManager,
  ProcessTerminal,
  Spacer,
  setKeybindings,
  type Terminal,
  TUI_KEYBINDINGS,
} from '@earendil-works/pi-tui';
import { Block } from './blocks/block.ts';
import { MainScreen } from './main-screen.ts';
import type { Panel } from './panels/panel.ts';
import { PromptEditor } from './prompt-editor.ts';
import { clampMiddle, visibleLine } from './sanitize.ts';
import { type StatusFacts, statusLine } from './status-bar.ts';
import type { Theme } from './theme.ts';
import { TranscriptView } from './transcript.ts';
import { createTypeAhead } from './type-ahead.ts';

const SPINNER = ['⠋', '⠙', '⠹', '⠸', '⠼', '⠴', '⠦', '⠧', '⠇', '⠏'];
const SPIN_MS = 120;
const IDLE_MS = 10_000;

export interface Activity {
  readonly text: string;
  /** `performance.now()` when it began. */
  readonly since: number;
}

export interface Screen {
  readonly editor: PromptEditor;
  append(block: Component, gap?: boolean): void;
  redraw(): void;
  /** Clears the terminal and draws everything anew. */
  repaint(): void;
  setActivity(activity: Activity | undefined): void;
  setQueued(texts: readonly string[]): void;
  setPanel(panel: Panel | undefined): void;
  readonly panelOpen: boolean;
  /** @param listener returns true when the key was for it */
  onKey(listener: (data: string) => boolean): void;
  bell(): void;
  setWindowTitle(title: string): void;
  start(): void;
  /** Gives the terminal back as it was; `start` takes it again. Safe to call twice. */
  stop(): void;
  /** `stop` for good: only what was said is left on the screen. */
  close(): void;
  /** Late replies of the terminal must not end up in the shell. */
  drain(): Promise<void>;
}

export interface ScreenOptions {
  readonly theme: Theme;
  readonly terminal: Terminal | undefined;
  status(): StatusFacts;
}

export function createScreen({ theme, terminal, status }: ScreenOptions): Screen {
  setKeybindings(
    new KeybindingsManager(TUI_KEYBINDINGS, { 'tui.input.newLine': ['shift+enter', 'alt+enter', 'ctrl+j'] }),
  );
  const transcript = new TranscriptView();
  const tui = new MainScreen(terminal ?? new ProcessTerminal(), transcript);
  const activityLine = new ActivityLine(theme);
  const queued = new QueuedLines(theme);
  const panelSlot = new Container();
  const statusBar = new StatusLine(status, theme);
  const editor = new PromptEditor(tui, theme, { paddingX: 1, autocompleteMaxVisible: 8 });
  for (const part of [transcript, activityLine, queued, panelSlot, statusBar, editor]) tui.addChild(part);
  tui.setFocus(editor);
  let timer: NodeJS.Timeout | undefined;
  let running = false;
  let drawn = false;

  const beat = () => {
    clearInterval(timer);
    if (!running) return;
    timer = setInterval(
      () => {
        activityLine.invalidate();
        statusBar.invalidate();
        tui.requestRender();
      },
      activityLine.busy ? SPIN_MS : IDLE_MS,
    );
    timer.unref();
  };

  const asPressed = createTypeAhead(() => performance.now());
  tui.addInputListener((data) => ({ data: asPressed(data) }));

  return {
    editor,
    append(block, gap = false) {
      if (gap && !transcript.empty) transcript.append(new Spacer(1));
      transcript.append(block);
      tui.requestRender();
    },
    redraw() {
      statusBar.invalidate();
      tui.requestRender();
    },
    repaint() {
      tui.invalidate();
      tui.requestRender(true);
    },
    setActivity(activity) {
      const wasBusy = activityLine.busy;
      activityLine.set(activity);
      if (wasBusy !== activityLine.busy) beat();
      tui.requestRender();
    },
    setQueued(texts) {
      queued.set(texts);
      tui.requestRender();
    },
    setPanel(panel) {
      panelSlot.clear();
      if (panel !== undefined) panelSlot.addChild(panel);
      tui.setFocus(panel ?? editor);
      tui.requestRender();
    },
    get panelOpen() {
      return panelSlot.children.length > 0;
    },
    onKey(listener) {
      tui.addInputListener((data) => (listener(data) ? { consume: true } : undefined));
    },
    bell: () => tui.terminal.write('\x07'),
    setWindowTitle: (title) => tui.terminal.setTitle(visibleLine(title)),
    start() {
      if (running) return;
      running = true;
      tui.start();
      // Somebody else may have written on the terminal meanwhile.
      tui.renderNow(drawn);
      drawn = true;
      beat();
    },
    stop() {
      if (!running) return;
      running = false;
      clearInterval(timer);
      tui.stop();
    },
    close() {
      for (const part of [activityLine, queued, panelSlot, statusBar, editor]) tui.removeChild(part);
      if (!running) return;
      running = false;
      clearInterval(timer);
      tui.renderNow();
      // The library's own farewell would write over the last line.
      tui.terminal.write('\r\n\r\n');
      tui.stop({ preserveScreen: true });
    },
    drain: () => tui.terminal.drainInput(200, 30),
  };
}

class ActivityLine extends Block {
  readonly #theme: Theme;
  #activity: Activity | undefined;

  constructor(theme: Theme) {
    super();
    this.#theme = theme;
  }

  get busy(): boolean {
    return this.#activity !== undefined;
  }

  set(activity: Activity | undefined): void {
    this.#activity = activity;
    this.invalidate();
  }

  protected override draw(): readonly string[] {
    if (this.#activity === undefined) return [];
    const elapsed = performance.now() - this.#activity.since;
    const frame = SPINNER[Math.floor(elapsed / SPIN_MS) % SPINNER.length] ?? '';
    const seconds = Math.floor(elapsed / 1000);
    return ['', `${this.#theme.accent(frame)} ${this.#theme.dim(`${visibleLine(this.#activity.text)} ${seconds}s`)}`];
  }
}

class QueuedLines extends Block {
  readonly #theme: Theme;
  #texts: readonly string[] = [];

  constructor(theme: Theme) {
    super();
    this.#theme = theme;
  }

  set(texts: readonly string[]): void {
    this.#texts = texts;
    this.invalidate();
  }

  protected override draw(): readonly string[] {
    return clampMiddle(this.#texts, 2, 1).map((text) => this.#theme.dim(`⏳ ${visibleLine(text)}`));
  }
}

class StatusLine extends Block {
  readonly #facts: () => StatusFacts;
  readonly #theme: Theme;

  constructor(facts: () => StatusFacts, theme: Theme) {
    super();
    this.#facts = facts;
    this.#theme = theme;
  }

  protected override draw(width: number): readonly string[] {
    return ['', statusLine(this.#facts(), width, this.#theme)];
  }
}
