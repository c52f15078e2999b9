/** Background processes of the agent: how many run, and what they report. */
import type { AppProcesses } from '../app.ts';
import type { SessionRef } from '../contracts/turn.ts';
import type { ProcessNotice } from '../terminal/background.ts';

const LOOK_MS = 1000;

export interface BackgroundOptions {
  readonly processes: AppProcesses;
  session(): SessionRef;
  /** False while a command is at work, which may be about to leave the session. */
  ready(): boolean;
  /** To the agent, as its next input. */
  deliver(text: string): void;
  /** News of a session that is not in front of the person; it is delivered when they come back to it. */
  onElsewhere(notice: ProcessNotice): void;
  onCount(running: number): void;
}

export interface Background {
  /** Hears of processes from now on. */
  listen(): void;
  /** Delivers what was held back, and counts again. */
  refresh(): void;
  close(): void;
}

export function createBackground(options: BackgroundOptions): Background {
  const { processes } = options;
  let held: ProcessNotice[] = [];
  let timer: NodeJS.Timeout | undefined;
  let shown = 0;
  let closed = false;

  const isHere = (notice: ProcessNotice) => notice.sessionId === options.session().id;

  const flush = (): void => {
    if (!options.ready()) return;
    const due = held.filter(isHere);
    held = held.filter((notice) => !isHere(notice));
    for (const { text } of due) options.deliver(text);
  };

  const count = async (): Promise<void> => {
    const { id } = options.session();
    const views = await processes.list(id);
    if (closed || id !== options.session().id) return;
    const running = views.filter(({ status, sessionId }) => status === 'running' && sessionId === id).length;
    if (running !== shown) options.onCount(running);
    shown = running;
    // Most processes end without a word, so the count is looked at as long as there is one.
    clearTimeout(timer);
    if (running > 0) timer = setTimeout(look, LOOK_MS).unref();
  };

  const look = (): void => {
    // A number in the status bar is not worth an error: it stays as it was.
    count().catch(() => undefined);
  };

  return {
    listen() {
      processes.listen((notice) => {
        held.push(notice);
        if (!isHere(notice)) options.onElsewhere(notice);
        flush();
        look();
      });
    },
    refresh() {
      flush();
      look();
    },
    close() {
      closed = true;
      clearTimeout(timer);
    },
  };
}
