/** The terminal door on a virtual terminal, with a fake app behind it. */
import { PassThrough } from 'node:stream';
import { runTui, type TuiOptions } from '../../src/tui/index.ts';
import { createFakeApp, type FakeApp } from './tui-app.ts';
import { createVirtualTerminal, type VirtualTerminal } from './virtual-terminal.ts';

export interface TuiSession {
  readonly app: FakeApp;
  readonly terminal: VirtualTerminal;
  readonly exit: Promise<number>;
  /** What was printed after the screen was given back. */
  printed(): string;
  readonly abort: AbortController;
  /** Types a line and sends it. */
  send(line: string): void;
  /** Leaves, and waits for the end. */
  leave(): Promise<number>;
}

export interface TuiSessionOptions extends Partial<TuiOptions> {
  readonly app?: FakeApp;
  readonly columns?: number;
  readonly rows?: number;
  readonly env?: Record<string, string>;
}

/** Opens the door and waits until it is ready for a message. */
export async function openTui(options: TuiSessionOptions = {}): Promise<TuiSession> {
  const { columns, rows, env, app = createFakeApp(), ...rest } = options;
  const terminal = createVirtualTerminal(columns, rows);
  const stdout = new PassThrough();
  const chunks: string[] = [];
  stdout.on('data', (chunk) => chunks.push(String(chunk)));
  const abort = new AbortController();
  const exit = runTui(
    { openApp: async () => app, cwd: '/tmp', terminal, guardMs: 0, settleMs: 20, ...rest },
    {
      env: { PATH: process.env.PATH, ...env },
      profile: undefined,
      stdin: new PassThrough(),
      stdout,
      stderr: new PassThrough(),
      signal: abort.signal,
    },
  );
  const session: TuiSession = {
    app,
    terminal,
    exit,
    printed: () => chunks.join(''),
    abort,
    send: (line) => terminal.type(`${line}\r`),
    leave() {
      abort.abort();
      return exit;
    },
  };
  // The model's name stands in the status bar as soon as the app is open, however narrow the screen is.
  if (rest.openApp === undefined) await terminal.shows(app.model.model.slice(0, 4));
  return session;
}
