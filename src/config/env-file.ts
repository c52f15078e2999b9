/** The `.env` format: read exactly, and edited in place with comments, order and line ends kept. */
import { AppError } from '../lib/errors.ts';

export interface EnvEntry {
  readonly name: string;
  readonly value: string;
  /** Offsets of the whole assignment: from the start of its line to after its line end. */
  readonly start: number;
  readonly end: number;
  /** Offsets of the value as written, quotes included. */
  readonly valueStart: number;
  readonly valueEnd: number;
}

const ASSIGNMENT = /^[ \t]*(?:export[ \t]+)?([A-Za-z_][A-Za-z0-9_.-]*)[ \t]*=[ \t]*/;
const REST_OF_LINE = /[ \t]*(?:#[^\r\n]*)?(?=\r?\n|\r|$)/y;
const LINE_END = /\r\n|\n|\r/g;
const ESCAPES: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t', '"': '"', '\\': '\\', $: '$' };

/**
 * Every assignment in order; lines that are none are skipped. Values may be bare (a comment begins with ` #`),
 * in single quotes (`\'` and `\\` escape) or in double quotes (`\n \r \t \" \\ \$` too), quoted ones over
 * several lines. A quote that is never closed is part of a bare value.
 */
export function parseEnvFile(text: string): EnvEntry[] {
  const entries: EnvEntry[] = [];
  let at = text.startsWith('\uFEFF') ? 1 : 0;
  while (at < text.length) {
    const lineEnd = endOfLine(text, at);
    const head = ASSIGNMENT.exec(text.slice(at, lineEnd));
    if (!head?.[1]) {
      at = afterLine(text, lineEnd);
      continue;
    }
    const valueStart = at + head[0].length;
    const { value, valueEnd } = readQuoted(text, valueStart) ?? readBare(text, valueStart, lineEnd);
    const end = afterLine(text, endOfLine(text, valueEnd));
    entries.push({ name: head[1], value, start: at, end, valueStart, valueEnd });
    at = end;
  }
  return entries;
}

/** What reads like a mistake, one sentence for each line; values are never told. */
export function envFaults(text: string): string[] {
  const entries = parseEnvFile(text);
  const faults: string[] = [];
  let line = 1;
  for (let at = text.startsWith('\uFEFF') ? 1 : 0; at < text.length; ) {
    const entry = entries.find(({ start }) => start === at);
    const end = entry?.end ?? afterLine(text, endOfLine(text, at));
    const whole = text.slice(at, end);
    if (entry === undefined && !/^\s*(#|$)/.test(whole)) faults.push(`line ${line} is not NAME=value and is left out`);
    if (entry !== undefined && opensQuote(entry, text))
      faults.push(`line ${line}: the quotes of ${entry.name} do not match up`);
    line += whole.split(LINE_END).length - 1;
    at = end;
  }
  return faults;
}

/** Quotes that were understood are no longer part of the value. */
const opensQuote = ({ value, valueStart, valueEnd }: EnvEntry, text: string): boolean =>
  /^["']/.test(value) && text.slice(valueStart, valueEnd) === value;

/** Names and values; the last assignment of a name wins. */
export function envValues(text: string): Map<string, string> {
  return new Map(parseEnvFile(text).map(({ name, value }) => [name, value]));
}

/**
 * The text with `name` set, or with its assignments removed when `value` is undefined. All else stays as it is.
 * @throws AppError `env-name`, `env-value` for what no environment can hold
 */
export function editEnvText(text: string, name: string, value: string | undefined): string {
  if (!/^[A-Za-z_][A-Za-z0-9_.-]*$/.test(name))
    throw new AppError('env-name', `"${name}" cannot be the name of an environment variable.`, {
      hint: 'Use letters, digits and _, not beginning with a digit.',
    });
  if (value?.includes('\0'))
    throw new AppError('env-value', `The value for ${name} holds a NUL character, which no environment can hold.`);
  const entries = parseEnvFile(text).filter((entry) => entry.name === name);
  if (value === undefined)
    return entries.reduceRight((rest, { start, end }) => rest.slice(0, start) + rest.slice(end), text);
  const last = entries.at(-1);
  if (last) {
    const after = text.slice(last.valueEnd);
    // Where there was no value, a comment may follow at once: it must not become part of the new one.
    const gap = value !== '' && after.startsWith('#') ? ' ' : '';
    return text.slice(0, last.valueStart) + formatEnvValue(value) + gap + after;
  }
  const newline = text.includes('\r\n') ? '\r\n' : '\n';
  const body = text === '' || /[\r\n]$/.test(text) ? text : text + newline;
  return `${body}${name}=${formatEnvValue(value)}${newline}`;
}

/** The value as written: bare where that is safe, else in the quotes that other readers of the format agree on. */
export function formatEnvValue(value: string): string {
  if (/^[\w./:@%+,=~-]*$/.test(value)) return value;
  if (!/['\\\r\n]/.test(value)) return `'${value}'`;
  const escaped = value.replace(/[\\"]/g, '\\$&').replaceAll('\n', '\\n').replaceAll('\r', '\\r');
  return `"${escaped}"`;
}

function readQuoted(text: string, start: number): { value: string; valueEnd: number } | undefined {
  const quote = text[start];
  if (quote !== '"' && quote !== "'") return undefined;
  let value = '';
  for (let i = start + 1; i < text.length; i++) {
    const char = text[i];
    if (char === quote) {
      REST_OF_LINE.lastIndex = i + 1;
      return REST_OF_LINE.test(text) ? { value, valueEnd: i + 1 } : undefined;
    }
    const escaped = char === '\\' ? readEscape(text[i + 1], quote) : undefined;
    if (escaped !== undefined) i++;
    value += escaped ?? char;
  }
  return undefined;
}

function readEscape(char: string | undefined, quote: string): string | undefined {
  if (char === undefined) return undefined;
  if (quote === "'") return char === "'" || char === '\\' ? char : undefined;
  return ESCAPES[char];
}

function readBare(text: string, start: number, lineEnd: number): { value: string; valueEnd: number } {
  const line = text.slice(start, lineEnd);
  // A value that is nothing but a comment follows the `=` and its spaces, which the head has taken.
  const comment = line.startsWith('#') && /[ \t]/.test(text[start - 1] ?? '') ? 0 : line.search(/[ \t]#/);
  const value = (comment < 0 ? line : line.slice(0, comment)).trimEnd();
  return { value, valueEnd: start + value.length };
}

function endOfLine(text: string, from: number): number {
  LINE_END.lastIndex = from;
  return LINE_END.exec(text)?.index ?? text.length;
}

function afterLine(text: string, lineEnd: number): number {
  return lineEnd + (text.startsWith('\r\n', lineEnd) ? 2 : lineEnd < text.length ? 1 : 0);
}
