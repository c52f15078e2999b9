/** Search by reading the messages themselves: what no index covers, short CJK words and whole tool output. */
import { likeableContent } from './content-column.ts';
import { escapeLike } from './lineage.ts';
import { type QueryToken, type SearchTerm, terms } from './query.ts';

const SNIPPET_CHARS = 120;
const SNIPPET_LEAD_CHARS = 40;

export interface Condition {
  readonly sql: string;
  readonly values: readonly string[];
}

const HAS_TERM = String.raw`(COALESCE(${likeableContent('m')}, '') LIKE ? ESCAPE '\' OR COALESCE(m.tool_name, '') LIKE ? ESCAPE '\' OR COALESCE(m.tool_calls, '') LIKE ? ESCAPE '\')`;

/** Any of the terms. */
export function anyTerm(tokens: readonly QueryToken[]): Condition {
  const wanted = terms(tokens);
  return { sql: `(${wanted.map(() => HAS_TERM).join(' OR ')})`, values: wanted.flatMap(pattern) };
}

/** The operators' meaning: all terms between two ORs, and none that follows NOT. */
export function booleanTerms(tokens: readonly QueryToken[]): Condition {
  const groups: string[][] = [[]];
  const values: string[] = [];
  let negated = false;
  for (const token of tokens) {
    if (token.kind === 'operator') {
      if (token.text === 'OR') groups.push([]);
      negated = token.text === 'NOT';
      continue;
    }
    groups.at(-1)?.push(negated ? `NOT ${HAS_TERM}` : HAS_TERM);
    values.push(...pattern(token));
    negated = false;
  }
  return { sql: `(${groups.map((group) => `(${group.join(' AND ')})`).join(' OR ')})`, values };
}

function pattern(term: SearchTerm): string[] {
  const text = `%${escapeLike(term.text)}%`;
  return [text, text, text];
}

/** 120 characters around the first term that is found, marked as the indexes mark theirs. */
export function likeSnippet(fields: readonly string[], tokens: readonly QueryToken[]): string {
  const wanted = terms(tokens).map((term) => term.text);
  const text = fields.find((field) => wanted.some((word) => indexOf(field, word) >= 0)) ?? fields[0] ?? '';
  const word = wanted.find((candidate) => indexOf(text, candidate) >= 0);
  const at = word === undefined ? 0 : indexOf(text, word);
  const start = Math.max(0, at - SNIPPET_LEAD_CHARS);
  const end = Math.min(text.length, Math.max(start + SNIPPET_CHARS, at + (word?.length ?? 0)));
  const marked =
    word === undefined
      ? text.slice(start, end)
      : `${text.slice(start, at)}>>>${text.slice(at, at + word.length)}<<<${text.slice(at + word.length, end)}`;
  return `${start > 0 ? '...' : ''}${marked}${end < text.length ? '...' : ''}`.toWellFormed();
}

/** Like LIKE: upper and lower case of ASCII letters are one. */
function indexOf(text: string, word: string): number {
  return foldAscii(text).indexOf(foldAscii(word));
}

function foldAscii(text: string): string {
  return text.replace(/[A-Z]+/g, (letters) => letters.toLowerCase());
}
