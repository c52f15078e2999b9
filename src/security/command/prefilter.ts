/** A quick look that spares harmless commands the parser. It may only err on the side of a closer look. */
import { isInterpreter } from './interpreters.ts';

/** Characters with which a word can be other than it looks, or a file be written. */
const tricky = /[\\`$(){}<>*?[\]!]|[^\x09\x0a\x20-\x7e\u00a0-\u024f\u0370-\u1fff\u3000-\ud7ff]/;

export function needsCloserLook(command: string, watched: ReadonlySet<string>): boolean {
  if (tricky.test(command) || !closed(command, '"') || !closed(command, "'")) return true;
  // Without expansions a command's name is one of these words, whatever quotes it is cut up with.
  const words = command
    .replace(/["']/g, '')
    .toLowerCase()
    .split(/[^a-z0-9_.+-]+/);
  return words.some(
    (word) =>
      watched.has(word) ||
      watched.has(word.replace(/\.exe$/, '')) ||
      word.startsWith('mkfs') ||
      isInterpreter(word) ||
      word.endsWith('awk'),
  );
}

function closed(command: string, quote: string): boolean {
  return command.split(quote).length % 2 === 1;
}
