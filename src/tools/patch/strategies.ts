/**
 * Ways to find an old text that does not stand in the file to the letter, from careful to daring. Each gives every
 * place it finds; more than one place is for the caller to refuse.
 */
import { similarity } from '../names.ts';

/** Offsets into the text, end excluded. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

export interface Strategy {
  readonly name: string;
  /** Found by likeness: never to be used on several places at once. */
  readonly daring: boolean;
  find(text: TextLines, old: string): readonly Span[];
}

/** A text with the offsets of its lines, made once for all strategies. */
export interface TextLines {
  readonly text: string;
  readonly lines: readonly string[];
  readonly starts: readonly number[];
}

export function textLines(text: string): TextLines {
  const lines = text.split('\n');
  const starts: number[] = [];
  let at = 0;
  for (const line of lines) {
    starts.push(at);
    at += line.length + 1;
  }
  return { text, lines, starts };
}

const ANCHOR_LIKENESS = 0.6;
const CONTEXT_SHARE = 0.5;
const LINE_LIKENESS = 0.4;
/** By how much the best of several places must be better to be taken. */
const CONTEXT_MARGIN = 0.3;

export const STRATEGIES: readonly Strategy[] = [
  { name: 'exact', daring: false, find: ({ text }, old) => occurrences(text, old) },
  { name: 'line_trimmed', daring: false, find: (text, old) => byLine(text, old, (line) => line.trim()) },
  {
    name: 'whitespace_normalized',
    daring: false,
    find: (text, old) => byLine(text, old, (line) => line.replace(/\s+/g, ' ').trim()),
  },
  { name: 'indentation_flexible', daring: false, find: byRelativeIndent },
  { name: 'escape_normalized', daring: false, find: ({ text }, old) => changed(text, old, unescapeText(old)) },
  { name: 'trimmed_boundary', daring: false, find: ({ text }, old) => changed(text, old, old.trim()) },
  { name: 'unicode_normalized', daring: false, find: byPlainSigns },
  { name: 'block_anchor', daring: true, find: byAnchors },
  { name: 'context_aware', daring: true, find: byContext },
];

/** Not overlapping, left to right. */
function occurrences(text: string, wanted: string): readonly Span[] {
  const spans: Span[] = [];
  if (wanted === '') return spans;
  for (let at = text.indexOf(wanted); at >= 0; at = text.indexOf(wanted, at + wanted.length)) {
    spans.push({ start: at, end: at + wanted.length });
  }
  return spans;
}

/** `\n`, `\t` and escaped quotes written out where the real characters are meant. */
export function unescapeText(text: string): string {
  return text.replace(/\\([ntr"'`\\])/g, (_all, sign: string) => ({ n: '\n', t: '\t', r: '\r' })[sign] ?? sign);
}

function changed(text: string, old: string, other: string): readonly Span[] {
  return other === old || other.trim() === '' ? [] : occurrences(text, other);
}

function patternLines(old: string): readonly string[] {
  const lines = old.split('\n');
  while (lines.length > 1 && lines.at(-1)?.trim() === '') lines.pop();
  while (lines.length > 1 && lines[0]?.trim() === '') lines.shift();
  return lines;
}

/** Line ends that the old text asks for belong to the span, so that the new text's own take their place. */
function lineSpan({ text, lines, starts }: TextLines, from: number, count: number, old: string): Span {
  const last = from + count - 1;
  const end = (starts[last] ?? 0) + (lines[last]?.length ?? 0);
  const takesEnd = old.endsWith('\n') && end < text.length;
  return { start: starts[from] ?? 0, end: takesEnd ? end + 1 : end };
}

function windows(text: TextLines, old: string, fits: (from: number, pattern: readonly string[]) => boolean): Span[] {
  const pattern = patternLines(old);
  const spans: Span[] = [];
  for (let from = 0; from + pattern.length <= text.lines.length; from++) {
    if (!fits(from, pattern)) continue;
    spans.push(lineSpan(text, from, pattern.length, old));
    from += pattern.length - 1;
  }
  return spans;
}

function byLine(text: TextLines, old: string, normal: (line: string) => string): readonly Span[] {
  const normalLines = text.lines.map(normal);
  const wanted = patternLines(old).map(normal);
  return windows(text, old, (from) => wanted.every((line, index) => normalLines[from + index] === line));
}

function byRelativeIndent(text: TextLines, old: string): readonly Span[] {
  const wanted = dedent(patternLines(old)).join('\n');
  return windows(
    text,
    old,
    (from, pattern) => dedent(text.lines.slice(from, from + pattern.length)).join('\n') === wanted,
  );
}

function dedent(lines: readonly string[]): readonly string[] {
  const indents = lines.filter((line) => line.trim() !== '').map((line) => line.length - line.trimStart().length);
  const least = Math.min(...indents, Number.MAX_SAFE_INTEGER);
  return lines.map((line) => line.slice(least).trimEnd());
}

const SIGNS: Readonly<Record<string, string>> = {
  '‘': "'",
  '’': "'",
  '‚': "'",
  '“': '"',
  '”': '"',
  '„': '"',
  '–': '-',
  '—': '-',
  '‐': '-',
  '‑': '-',
  '−': '-',
  '…': '...',
  '\u00a0': ' ',
  '\u2002': ' ',
  '\u2003': ' ',
  '\u2009': ' ',
  '\u202f': ' ',
  '\u3000': ' ',
};

/** Typographic signs in the text or the pattern count as their plain forms. */
function byPlainSigns({ text }: TextLines, old: string): readonly Span[] {
  const plainOld = plain(old).text;
  const { text: plainText, offsets } = plain(text);
  if (plainOld === old && plainText === text) return [];
  return occurrences(plainText, plainOld).map(({ start, end }) => ({
    start: offsets[start] ?? 0,
    end: offsets[end] ?? text.length,
  }));
}

function plain(text: string): { text: string; offsets: readonly number[] } {
  let out = '';
  const offsets: number[] = [];
  for (let at = 0; at < text.length; at++) {
    const sign = SIGNS[text.charAt(at)] ?? text.charAt(at);
    for (let index = 0; index < sign.length; index++) offsets.push(at);
    out += sign;
  }
  return { text: out, offsets };
}

/** First and last line as they are, what lies between alike. */
function byAnchors(text: TextLines, old: string): readonly Span[] {
  if (patternLines(old).length < 3) return [];
  return windows(text, old, (from, pattern) => {
    const found = text.lines.slice(from, from + pattern.length).map((line) => line.trim());
    const wanted = pattern.map((line) => line.trim());
    if (found[0] !== wanted[0] || found.at(-1) !== wanted.at(-1)) return false;
    return similarity(found.slice(1, -1).join('\n'), wanted.slice(1, -1).join('\n')) >= ANCHOR_LIKENESS;
  });
}

/** Half of the lines as they are and the others alike; among several such places only the clearly best. */
function byContext(text: TextLines, old: string): readonly Span[] {
  const wanted = patternLines(old).map((line) => line.trim());
  const solid = wanted.filter((line) => line !== '').length;
  if (solid < 3) return [];
  const scored: { from: number; score: number }[] = [];
  for (let from = 0; from + wanted.length <= text.lines.length; from++) {
    const found = text.lines.slice(from, from + wanted.length).map((line) => line.trim());
    const score = wanted.filter((line, index) => line !== '' && found[index] === line).length / solid;
    if (score >= CONTEXT_SHARE && wanted.every((line, index) => isAlike(line, found[index] ?? ''))) {
      scored.push({ from, score });
    }
  }
  scored.sort((a, b) => b.score - a.score || a.from - b.from);
  const [best] = scored;
  const apart = scored.filter(({ from }) => from === best?.from || Math.abs(from - (best?.from ?? 0)) >= wanted.length);
  const clear = best !== undefined && best.score - (apart[1]?.score ?? 0) >= CONTEXT_MARGIN;
  return (clear ? apart.slice(0, 1) : apart)
    .sort((a, b) => a.from - b.from)
    .map(({ from }) => lineSpan(text, from, wanted.length, old));
}

function isAlike(a: string, b: string): boolean {
  if (a === b) return true;
  return a !== '' && b !== '' && similarity(a, b) >= LINE_LIKENESS;
}
