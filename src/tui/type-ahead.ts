/**
 * Keys pressed before the screen was there. Until the terminal is raw, its driver turns Enter into a line feed,
 * which later means "new line": in the first piece of input after the start it means Enter.
 */

const EARLY_MS = 1500;

/** @returns a function that gives back each key as it was pressed */
export function createTypeAhead(now: () => number): (data: string) => string {
  const startedAt = now();
  let state: 'waiting' | 'first' | 'over' = 'waiting';
  return (data) => {
    if (state === 'waiting') {
      state = now() - startedAt < EARLY_MS ? 'first' : 'over';
      // One piece of input is handed out key by key before anything else runs.
      setImmediate(() => {
        state = 'over';
      });
    }
    return state === 'first' && data === '\n' ? '\r' : data;
  };
}
