/**
 * Second chance for tool call arguments that are not the JSON object they should be. The model library has
 * already tolerated raw control characters and bad escapes; this mends structure. Never guesses a value: what
 * cannot be read to the end is given up, and the model is told.
 */
import { isRecord } from '../lib/record.ts';

/** The library reports the text it could not read after this line of `argumentsError`. */
const RECEIVED = '\n\nReceived arguments:\n';
const MAX_SURPLUS_CLOSERS = 50;

/** The text that a model sent, out of the library's report of why it could not be read. */
export function receivedArguments(argumentsError: string): string | undefined {
  const at = argumentsError.indexOf(RECEIVED);
  return at < 0 ? undefined : argumentsError.slice(at + RECEIVED.length);
}

/** @returns the object, or undefined when the text cannot be mended without guessing */
export function repairArguments(text: string): Record<string, unknown> | undefined {
  const trimmed = text.trim();
  if (/^(|null|None|undefined)$/.test(trimmed)) return {};
  for (const candidate of [trimmed, withoutTrailingCommas(trimmed), closed(withoutTrailingCommas(trimmed))]) {
    const value = candidate === undefined ? undefined : parseObject(candidate);
    if (value !== undefined) return value;
  }
  return undefined;
}

function parseObject(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === 'string') return parseObject(value); // arguments encoded twice
    return isRecord(value) ? value : undefined;
  } catch {
    return undefined; // the caller tries the next mending
  }
}

interface Step {
  readonly char: string;
  readonly at: number;
  /** Part of a string's content. */
  readonly inString: boolean;
  /** Opens or closes a string. */
  readonly quote: boolean;
}

/** Walks over `text`, telling string content from structure. */
function* structure(text: string): Generator<Step> {
  let inString = false;
  for (let at = 0; at < text.length; at++) {
    const char = text.charAt(at);
    const quote = char === '"';
    yield { char, at, inString: inString && !quote, quote };
    if (quote) inString = !inString;
    if (char !== '\\' || !inString || at + 1 >= text.length) continue;
    at++;
    yield { char: text.charAt(at), at, inString, quote: false };
  }
}

function withoutTrailingCommas(text: string): string {
  let out = '';
  for (const { char, at, inString } of structure(text)) {
    if (!inString && char === ',' && /^\s*([}\]]|$)/.test(text.slice(at + 1))) continue;
    out += char;
  }
  return out;
}

/** Closes what is still open in stack order, or drops surplus closers; undefined inside an unfinished string. */
function closed(text: string): string | undefined {
  const open: string[] = [];
  let out = '';
  let surplus = 0;
  let quotes = 0;
  for (const { char, inString, quote } of structure(text)) {
    if (quote) quotes++;
    if (!inString && (char === '{' || char === '[')) open.push(char === '{' ? '}' : ']');
    if (!inString && (char === '}' || char === ']')) {
      if (open.at(-1) !== char) {
        if (++surplus > MAX_SURPLUS_CLOSERS) return undefined;
        continue;
      }
      open.pop();
    }
    out += char;
  }
  if (quotes % 2 === 1) return undefined; // cut inside a value: completing it would invent one
  return out + open.reverse().join('');
}
