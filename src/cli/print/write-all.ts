import type { Writable } from 'node:stream';

/** Writes piece after piece at the speed of the reader. Stops quietly when the reader is gone. */
export async function writeAll(
  stream: Writable,
  pieces: Iterable<string> | AsyncIterable<string>,
  signal: AbortSignal,
): Promise<void> {
  for await (const piece of pieces) {
    if (signal.aborted || stream.destroyed) return;
    if (stream.write(piece)) continue;
    await new Promise<void>((resolve) => {
      const go = () => {
        signal.removeEventListener('abort', go);
        stream.off('drain', go).off('close', go).off('error', go);
        resolve();
      };
      signal.addEventListener('abort', go, { once: true });
      stream.on('drain', go).on('close', go).on('error', go);
    });
  }
}
