/** Command lines that would outlive the call they are made in: those belong in the background. */

/** One sentence for the model when `command` must not run in the foreground. */
export function foregroundProblem(command: string): string | undefined {
  const bare = withoutTexts(command);
  if (/(?:^|[^&|>\\\s])\s*&\s*$/.test(bare.replace(/(?:^|\s)#[^\n]*$/, ''))) return problem('a trailing &');
  const word = /(?:^|[;&|({\n])\s*(?:sudo\s+)?(nohup|setsid|disown)\b/.exec(bare)?.[1];
  return word === undefined ? undefined : problem(word);
}

function problem(what: string): string {
  return `The command was not run: ${what} detaches it from this call. Run it with background=true instead (without ${what.replace('a trailing ', 'the ')}).`;
}

/** Quoted text and here-documents are data. */
function withoutTexts(command: string): string {
  const kept: string[] = [];
  const open: string[] = [];
  for (const line of command.split('\n')) {
    const [delimiter] = open;
    if (delimiter !== undefined) {
      if (line.trim() === delimiter) open.shift();
      continue;
    }
    kept.push(line);
    for (const [, , word = ''] of line.matchAll(/<<-?\s*(["']?)(\w+)\1/g)) open.push(word);
  }
  return kept.join('\n').replace(/'[^']*'|"(?:[^"\\]|\\.)*"/g, '""');
}

const hints: readonly (readonly [RegExp, string])[] = [
  [
    /empty commit message|please supply the message using either -m/i,
    'No editor can open here: pass the text with -m or -F.',
  ],
  [
    /terminal prompts disabled|could not read (?:username|password)|a terminal is required|no tty present|askpass/i,
    'Nobody can type here: use stored credentials or a flag that does not ask.',
  ],
  [
    /stdin is not a tty|not a terminal|inappropriate ioctl|the input device is not a tty/i,
    "There is no terminal here: use the program's non-interactive flags.",
  ],
];

/** Advice for a command that failed because nobody is there to type. */
export function interactionHint(output: string): string | undefined {
  const end = output.slice(-4000);
  return hints.find(([pattern]) => pattern.test(end))?.[1];
}
