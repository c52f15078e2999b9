/** A command line as the rules see it: flat, unquoted, with what is known of its surroundings. */

/** Stands for a part of a word that only the running shell knows. */
export const UNKNOWN = '\ufffc';

export interface Word {
  /** After unquoting and expansion, with `UNKNOWN` where it cannot be known. */
  readonly text: string;
  /** Holds an unquoted glob character. */
  readonly glob: boolean;
  /** Commands inside its substitutions. */
  readonly inner: readonly SimpleCommand[];
}

export interface Redirect {
  readonly operator: string;
  readonly target: Word;
}

export type Origin = 'remote' | 'decoded';

export interface SimpleCommand {
  /** Lower case, without its folder. '' when it cannot be known. */
  readonly name: string;
  /** As given, with its folder. */
  readonly path: string;
  readonly args: readonly Word[];
  readonly redirects: readonly Redirect[];
  /** Names of variables set for this command alone, with their values. */
  readonly settings: ReadonlyMap<string, string>;
  /** Folder it runs in; undefined after a `cd` to somewhere unknown. */
  readonly cwd: string | undefined;
  /** Earlier stages of its pipeline. */
  readonly upstream: readonly SimpleCommand[];
  /** Text of a here-document or here-string. */
  readonly stdin: string | undefined;
  /** Gets its arguments or files from another command. */
  readonly via: 'xargs' | 'find' | undefined;
  /** What it executes was downloaded or decoded by the same command line. */
  readonly runs: Origin | undefined;
  /** Runs in the background (`&`, nohup, setsid). */
  readonly detached: boolean;
}

export function known(word: Word): boolean {
  return !word.text.includes(UNKNOWN);
}

export function commandText(command: SimpleCommand): string {
  const words = [command.name === '' ? '?' : command.name, ...command.args.map((word) => word.text)];
  return words.join(' ').replaceAll(UNKNOWN, '?');
}

/** Options before operands and between them; everything after `--` is an operand. */
export function splitArgs(args: readonly Word[]): { readonly options: string[]; readonly operands: Word[] } {
  const options: string[] = [];
  const operands: Word[] = [];
  let open = true;
  for (const word of args) {
    if (open && word.text === '--') open = false;
    else if (open && word.text.length > 1 && word.text.startsWith('-')) options.push(word.text);
    else operands.push(word);
  }
  return { options, operands };
}

/** Whether a short flag (`f`, also inside `-rf`) or a long one (`force`, also abbreviated to 4 letters) is there. */
export function hasFlag(options: readonly string[], short: string, long?: string): boolean {
  return options.some((option) => {
    if (!option.startsWith('--')) return short !== '' && option.slice(1).includes(short);
    const name = option.slice(2).split('=')[0] ?? '';
    return long !== undefined && (name === long || (name.length >= 3 && long.startsWith(name)));
  });
}
