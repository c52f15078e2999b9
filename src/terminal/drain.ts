/** Reading a pipe whose writer has ended, but which another process may still hold open. */

export interface PipeState {
  /** Read so far. */
  bytes: number;
  ended: boolean;
}

/** The most that the system may have buffered at the exit, in bytes. */
const pipeLimit = 1 << 20;

/** Waits for what was written before the exit, and a moment for a process substitution that still writes. */
export async function drained(pipe: Readonly<PipeState>): Promise<void> {
  const before = pipe.bytes;
  for (let idle = 0, last = before; idle < 3 && !pipe.ended; ) {
    await new Promise((resolve) => setImmediate(resolve));
    if (pipe.bytes - before > pipeLimit) return;
    idle = pipe.bytes === last ? idle + 1 : 0;
    last = pipe.bytes;
  }
  for (let waited = 0; waited < 30 && !pipe.ended; waited += 5) await new Promise((resolve) => setTimeout(resolve, 5));
}
