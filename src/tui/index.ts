/** The door of a person at a terminal. */
import type { TuiOptions, TuiStreams } from './options.ts';

export type { TuiOptions, TuiStreams } from './options.ts';

/**
 * Talks with the person until they leave. Without a terminal that can be drawn on, reads plain lines and prints
 * plain text. The terminal is always given back as it was.
 * @returns the exit code
 * @throws AppError when the home cannot be opened or the session to go on with is not there
 */
export async function runTui(options: TuiOptions, streams: TuiStreams): Promise<number> {
  const drawable = streams.stdin.isTTY === true && streams.stdout.isTTY === true && streams.env.TERM !== 'dumb';
  if (options.terminal === undefined && !drawable) {
    const { runPlain } = await import('./plain.ts');
    return runPlain(options, streams);
  }
  const { runInteractive } = await import('./interactive.ts');
  return runInteractive(options, streams);
}
