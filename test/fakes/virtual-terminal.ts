/** A real terminal emulator instead of a screen: what is written is laid out, and can be read back. */
import { StdinBuffer, type Terminal } from '@earendil-works/pi-tui';
import headless from '@xterm/headless';

export interface VirtualTerminal extends Terminal {
  /** Bytes from the keyboard, in one chunk. */
  type(data: string): void;
  resize(columns: number, rows: number): void;
  /** Rows of the screen without trailing blanks. */
  screen(): Promise<readonly string[]>;
  /** Everything, scrolled-away rows too, as one text. */
  text(): Promise<string>;
  cursor(): Promise<{ readonly x: number; readonly y: number }>;
  /** Everything that was written, escape sequences too. */
  readonly written: string;
  readonly raw: boolean;
  readonly cursorVisible: boolean;
  /** Polls until the text holds, or stops holding, `wanted`. */
  shows(wanted: string | RegExp): Promise<string>;
  hides(unwanted: string | RegExp): Promise<string>;
}

const PATIENCE_MS = 8000;
const POLL_MS = 5;

export function createVirtualTerminal(columns = 80, rows = 24): VirtualTerminal {
  const emulator = new headless.Terminal({ cols: columns, rows, allowProposedApi: true, scrollback: 5000 });
  let buffer = new StdinBuffer();
  let onInput: ((data: string) => void) | undefined;
  let onResize: (() => void) | undefined;
  let written = '';
  let raw = false;
  let cursorVisible = true;

  const flushed = () => new Promise<void>((resolve) => emulator.write('', resolve));
  const row = (index: number) => emulator.buffer.active.getLine(index)?.translateToString(true).trimEnd() ?? '';
  const text = async () => {
    await flushed();
    return Array.from({ length: emulator.buffer.active.length }, (_, index) => row(index))
      .join('\n')
      .trimEnd();
  };
  const until = async (fits: (text: string) => boolean, failure: string): Promise<string> => {
    const deadline = performance.now() + PATIENCE_MS;
    for (;;) {
      const now = await text();
      if (fits(now)) return now;
      if (performance.now() > deadline) throw new Error(`${failure}:\n${now}`);
      await new Promise((resolve) => setTimeout(resolve, POLL_MS));
    }
  };
  const holds = (now: string, wanted: string | RegExp) =>
    typeof wanted === 'string' ? now.includes(wanted) : wanted.test(now);

  return {
    start(input, resized) {
      onInput = input;
      onResize = resized;
      raw = true;
      buffer = new StdinBuffer();
      buffer.on('data', (sequence) => onInput?.(sequence));
      buffer.on('paste', (content) => onInput?.(`\x1b[200~${content}\x1b[201~`));
    },
    stop() {
      raw = false;
      onInput = undefined;
      buffer.destroy();
    },
    drainInput: async () => {},
    write(data) {
      written += data;
      emulator.write(data);
    },
    get columns() {
      return emulator.cols;
    },
    get rows() {
      return emulator.rows;
    },
    kittyProtocolActive: false,
    moveBy: (lines) => emulator.write(lines > 0 ? `\x1b[${lines}B` : lines < 0 ? `\x1b[${-lines}A` : ''),
    hideCursor() {
      cursorVisible = false;
      emulator.write('\x1b[?25l');
    },
    showCursor() {
      cursorVisible = true;
      emulator.write('\x1b[?25h');
    },
    clearLine: () => emulator.write('\x1b[K'),
    clearFromCursor: () => emulator.write('\x1b[J'),
    clearScreen: () => emulator.write('\x1b[2J\x1b[H'),
    setTitle: () => {},
    setProgress: () => {},
    setProgramStatus: () => {},
    type: (data) => buffer.process(data),
    resize(nextColumns, nextRows) {
      emulator.resize(nextColumns, nextRows);
      onResize?.();
    },
    async screen() {
      await flushed();
      const top = emulator.buffer.active.baseY;
      return Array.from({ length: emulator.rows }, (_, index) => row(top + index));
    },
    text,
    async cursor() {
      await flushed();
      return { x: emulator.buffer.active.cursorX, y: emulator.buffer.active.cursorY };
    },
    get written() {
      return written;
    },
    get raw() {
      return raw;
    },
    get cursorVisible() {
      return cursorVisible;
    },
    shows: (wanted) => until((now) => holds(now, wanted), `The screen never showed ${wanted}`),
    hides: (unwanted) => until((now) => !holds(now, unwanted), `The screen never lost ${unwanted}`),
  };
}
