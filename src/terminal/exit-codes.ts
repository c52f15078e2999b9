/** What an exit code says, where the number alone misleads or tells little. */
import { constants } from 'node:os';

/** Codes by which a program answers a question rather than reports a failure. */
const answers: readonly (readonly [RegExp, number, string])[] = [
  [/^(?:e|f|z|p)?grep$|^rg$|^ag$|^ack$/, 1, 'no match found'],
  [/^(?:z?diff|cmp|colordiff)$/, 1, 'the files differ'],
  [/^git$/, 1, 'differences or no match (for git diff --exit-code, grep, check-ignore)'],
  [/^(?:test|\[)$/, 1, 'the condition is false'],
  [/^(?:which|command|type|pgrep|pidof)$/, 1, 'not found'],
  [/^find$/, 1, 'some folders could not be read'],
  [/^curl$/, 6, 'the host name could not be resolved'],
  [/^curl$/, 7, 'the connection was refused'],
  [/^curl$/, 22, 'the server answered with an error status'],
  [/^curl$/, 28, 'the transfer timed out'],
];

export interface ExitMeaning {
  readonly text: string;
  /** The program did its work. */
  readonly benign: boolean;
}

/** @param command the whole command line; its last simple command gave the code */
export function exitMeaning(command: string, exitCode: number): ExitMeaning | undefined {
  if (exitCode === 0) return undefined;
  const program = lastProgram(command);
  const answer = answers.find(([name, code]) => code === exitCode && name.test(program));
  if (answer !== undefined) return { text: answer[2], benign: exitCode === 1 && isPlainAnswer(program, command) };
  if (exitCode === 126) return { text: 'found, but it may not be executed', benign: false };
  if (exitCode === 127) return { text: 'command not found', benign: false };
  const signal = exitCode > 128 ? signalName(exitCode - 128) : undefined;
  return signal === undefined ? undefined : { text: `ended by ${signal}`, benign: false };
}

function isPlainAnswer(program: string, command: string): boolean {
  return program !== 'find' && (program !== 'git' || /\bgit\b[^|;&]*\b(?:diff|grep|check-ignore)\b/.test(command));
}

function lastProgram(command: string): string {
  const bare = command.replace(/'[^']*'|"(?:[^"\\]|\\.)*"/g, 'x').replace(/\d?>&\d|\|&/g, ' ');
  const last =
    bare
      .split(/\|\||&&|[|;&\n]/)
      .filter((part) => part.trim() !== '')
      .at(-1) ?? '';
  const words = last
    .trim()
    .split(/\s+/)
    .filter((word) => !/^(?:[A-Za-z_]\w*=|sudo$|time$|env$|!$)/.test(word));
  return words[0]?.slice(words[0].lastIndexOf('/') + 1) ?? '';
}

function signalName(number: number): string | undefined {
  return Object.entries(constants.signals).find(([, value]) => value === number)?.[0];
}
