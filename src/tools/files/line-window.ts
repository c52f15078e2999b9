/** Lines of a file too large to hold: read in pieces, stopped as soon as the wanted ones are there. */
import { open } from 'node:fs/promises';

export interface LineWindow {
  readonly lines: readonly string[];
  /** Lines of the whole file; undefined when reading stopped before its end. */
  readonly totalLines: number | undefined;
}

export interface WindowOptions {
  /** First line, from 1. */
  readonly offset: number;
  readonly limit: number;
  /** Bytes of one line that are kept. */
  readonly maxLineBytes: number;
  readonly signal: AbortSignal;
}

const PIECE = 256 * 1024;

/** UTF-8 with replacement of what is not. @throws the signal's reason, or the system's error */
export async function readLineWindow(path: string, options: WindowOptions): Promise<LineWindow> {
  const { offset, limit, maxLineBytes, signal } = options;
  const last = offset + limit - 1;
  const lines: string[] = [];
  const file = await open(path, 'r');
  try {
    const piece = Buffer.alloc(PIECE);
    let line = 1;
    let kept: Buffer[] = [];
    let keptBytes = 0;
    let any = false;
    const keep = (bytes: Buffer) => {
      if (bytes.length > 0) any = true;
      if (line < offset || keptBytes > maxLineBytes) return;
      kept.push(Buffer.from(bytes.subarray(0, maxLineBytes + 1 - keptBytes)));
      keptBytes += bytes.length;
    };
    const end = () => {
      if (line >= offset) lines.push(Buffer.concat(kept).toString('utf8').replace(/\r$/, ''));
      line++;
      kept = [];
      keptBytes = 0;
      any = false;
    };
    for (;;) {
      signal.throwIfAborted();
      const { bytesRead } = await file.read(piece, 0, PIECE, null);
      if (bytesRead === 0) break;
      let from = 0;
      for (let at = piece.indexOf(10); at >= 0 && at < bytesRead; at = piece.indexOf(10, from)) {
        keep(piece.subarray(from, at));
        end();
        from = at + 1;
        if (line > last) return { lines, totalLines: undefined };
      }
      keep(piece.subarray(from, bytesRead));
    }
    if (any) end();
    return { lines, totalLines: line - 1 };
  } finally {
    await file.close();
  }
}
