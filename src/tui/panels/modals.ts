/** One question at a time; others wait in line. */

import { printable } from './line-input.ts';
import { isCancel, type Panel } from './panel.ts';

const GUARD_MAX_MS = 3000;
const PASTE = /^\x1b\[200~([\s\S]*)\x1b\[201~$/;

export interface ModalHost {
  /** Shows the panel above the input and gives it the keyboard; undefined gives it back. */
  setPanel(panel: Panel | undefined): void;
  /** Puts text into the input line behind what is there. */
  keepText(text: string): void;
  bell(): void;
}

interface ModalRequest<Answer> {
  /** Answer when the signal aborts. */
  readonly fallback: Answer;
  readonly signal: AbortSignal;
  /**
   * Nobody asked for this panel, so the person may be typing when it opens: keys count only after a pause, and
   * until then they go to the input line.
   */
  readonly guarded: boolean;
  create(settle: (answer: Answer) => void): Panel;
}

export interface Modals {
  ask<Answer>(request: ModalRequest<Answer>): Promise<Answer>;
  readonly open: boolean;
}

/** @param guardMs how long the keyboard must be still before a guarded panel listens */
export function createModals(host: ModalHost, guardMs: number): Modals {
  let last: Promise<unknown> = Promise.resolve();
  let open = false;

  const show = <Answer>(request: ModalRequest<Answer>): Promise<Answer> => {
    if (request.signal.aborted) return Promise.resolve(request.fallback);
    const { promise, resolve } = Promise.withResolvers<Answer>();
    const onAbort = () => resolve(request.fallback);
    request.signal.addEventListener('abort', onAbort, { once: true });
    const panel = request.create(resolve);
    const second = panel.tick === undefined ? undefined : setInterval(() => panel.tick?.(), 1000);
    open = true;
    host.setPanel(request.guarded ? guard(panel, host, guardMs) : withPaste(panel));
    if (request.guarded) host.bell();
    return promise.finally(() => {
      clearInterval(second);
      request.signal.removeEventListener('abort', onAbort);
      open = false;
      host.setPanel(undefined);
    });
  };

  return {
    get open() {
      return open;
    },
    ask(request) {
      const turn = last.then(() => show(request));
      last = turn.catch(() => undefined); // the asker sees the failure; the line moves on
      return turn;
    },
  };
}

function withPaste(panel: Panel): Panel {
  return {
    render: (width) => panel.render(width),
    invalidate: () => panel.invalidate(),
    handleInput(data) {
      const pasted = PASTE.exec(data)?.[1];
      if (pasted === undefined) panel.handleInput(data);
      else panel.paste?.(pasted);
    },
  };
}

/** What was typed before the panel could be read is not an answer to it. */
function guard(panel: Panel, host: ModalHost, guardMs: number): Panel {
  const inner = withPaste(panel);
  const openedAt = performance.now();
  let quietSince = openedAt;
  return {
    render: inner.render,
    invalidate: inner.invalidate,
    handleInput(data) {
      const now = performance.now();
      const listening = now - quietSince >= guardMs || now - openedAt >= GUARD_MAX_MS;
      if (listening || isCancel(data)) {
        quietSince = Number.NEGATIVE_INFINITY;
        inner.handleInput(data);
        return;
      }
      quietSince = now;
      const text = PASTE.exec(data)?.[1] ?? printable(data);
      if (text !== undefined) host.keepText(text);
    },
  };
}
