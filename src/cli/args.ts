/** Flags as a table, parsed into typed values. A wrong flag is a usage error that names the nearest right one. */
import { nearest } from '../lib/nearest.ts';
import { usageError } from './usage-error.ts';

export interface Flag {
  /** One letter, without the dash. */
  readonly short?: string;
  /** What the value is called in help (`MODEL`); a switch when absent. */
  readonly value?: string;
  /** The value may be left out, which gives `''`. */
  readonly optional?: boolean;
  /** May be given several times; the values are collected. */
  readonly repeat?: boolean;
  readonly help: string;
}

/** Keys are the long names in camelCase: `maxTurns` is `--max-turns`. */
export type FlagTable = Readonly<Record<string, Flag>>;

type FlagValue<F extends Flag> = F extends { value: string }
  ? F extends { repeat: true }
    ? readonly string[]
    : string
  : boolean;

export type FlagValues<T extends FlagTable> = { readonly [K in keyof T]?: FlagValue<T[K]> };

export interface ParsedArgs<T extends FlagTable> {
  readonly values: FlagValues<T>;
  readonly positionals: readonly string[];
}

export interface ParseOptions {
  /** What the user called, for the sentence of an error: `hermes chat`. */
  readonly command: string;
  /** Ends an optional value: a word that must not be taken for it, such as a command's name. */
  isReserved?(word: string): boolean;
  /** Everything from the first positional on is left alone. */
  readonly stopAtPositional?: boolean;
}

export function longName(key: string): string {
  return `--${key.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
}

/** @throws AppError `usage` for an unknown flag, a missing value, or a value given to a switch */
export function parseArgs<const T extends FlagTable>(
  flags: T,
  args: readonly string[],
  options: ParseOptions,
): ParsedArgs<T> {
  const parser = new ArgParser(flags, args, options);
  return parser.parse() as ParsedArgs<T>;
}

class ArgParser {
  readonly #flags: FlagTable;
  readonly #args: readonly string[];
  readonly #options: ParseOptions;
  readonly #values: Record<string, boolean | string | string[]> = {};
  readonly #positionals: string[] = [];
  #at = 0;

  constructor(flags: FlagTable, args: readonly string[], options: ParseOptions) {
    this.#flags = flags;
    this.#args = args;
    this.#options = options;
  }

  parse(): { values: object; positionals: string[] } {
    while (this.#at < this.#args.length) {
      const arg = this.#args[this.#at++] ?? '';
      if (arg === '--') {
        this.#positionals.push(...this.#args.slice(this.#at));
        break;
      }
      if (arg.startsWith('--')) this.#long(arg);
      else if (arg.startsWith('-') && arg.length > 1) this.#short(arg);
      else {
        this.#positionals.push(arg);
        if (!this.#options.stopAtPositional) continue;
        this.#positionals.push(...this.#args.slice(this.#at));
        break;
      }
    }
    return { values: this.#values, positionals: this.#positionals };
  }

  #long(arg: string): void {
    const equals = arg.indexOf('=');
    const name = equals < 0 ? arg : arg.slice(0, equals);
    const key = Object.keys(this.#flags).find((candidate) => longName(candidate) === name);
    if (key === undefined) throw this.#unknown(name);
    this.#set(key, name, equals < 0 ? undefined : arg.slice(equals + 1));
  }

  /** `-q TEXT`, `-qTEXT`, and switches run together: `-Qv`. */
  #short(arg: string): void {
    for (let index = 1; index < arg.length; index++) {
      const letter = arg[index] ?? '';
      const key = Object.keys(this.#flags).find((candidate) => this.#flags[candidate]?.short === letter);
      if (key === undefined) throw this.#unknown(index === 1 ? arg : `-${letter}`);
      const rest = arg.slice(index + 1);
      if (this.#flags[key]?.value !== undefined && rest !== '') {
        this.#set(key, `-${letter}`, rest.startsWith('=') ? rest.slice(1) : rest);
        return;
      }
      this.#set(key, `-${letter}`, undefined);
    }
  }

  #set(key: string, shown: string, attached: string | undefined): void {
    const flag = this.#flags[key];
    if (flag === undefined) return;
    if (flag.value === undefined) {
      if (attached !== undefined) throw usageError(`${shown} takes no value.`, this.#help());
      this.#values[key] = true;
      return;
    }
    const value = attached ?? this.#next(flag);
    if (value === undefined) throw usageError(`${shown} needs a value (${flag.value}).`, this.#help());
    if (!flag.repeat) this.#values[key] = value;
    else {
      const list = this.#values[key];
      this.#values[key] = Array.isArray(list) ? [...list, value] : [value];
    }
  }

  /**
   * A required value may begin with a dash (`-q "- a list"`) as long as it is not itself a known flag; an
   * optional one may not, and stops before a reserved word.
   */
  #next(flag: Flag): string | undefined {
    const next = this.#args[this.#at];
    const taken = flag.optional
      ? next !== undefined && !next.startsWith('-') && !this.#options.isReserved?.(next)
      : next !== undefined && !this.#isFlag(next);
    if (!taken) return flag.optional ? '' : undefined;
    this.#at++;
    return next;
  }

  #isFlag(word: string): boolean {
    if (word === '--') return true;
    const name = word.split('=', 1)[0];
    return Object.entries(this.#flags).some(([key, flag]) => longName(key) === name || `-${flag.short}` === word);
  }

  #unknown(name: string): Error {
    const known = Object.keys(this.#flags).map(longName);
    const guess = name.startsWith('--') ? nearest(name, known) : undefined;
    const hint = guess === undefined ? this.#help() : `Did you mean ${guess}?`;
    return usageError(`${this.#options.command} has no flag ${name}.`, hint);
  }

  #help(): string {
    return `See \`${this.#options.command} --help\`.`;
  }
}

/** A whole number in a flag's value. @throws AppError `usage` */
export function parseCount(flag: string, text: string, min: number): number {
  const value = Number(text);
  if (!/^\d+$/.test(text.trim()) || !Number.isSafeInteger(value) || value < min)
    throw usageError(`${flag} needs a whole number of at least ${min}, not ${JSON.stringify(text)}.`);
  return value;
}
