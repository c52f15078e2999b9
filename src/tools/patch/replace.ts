/** One replacement in a text: found, guarded, and refused with what the model needs to do better. */
import { similarity } from '../names.ts';
import { reindent } from './reindent.ts';
import { type Span, STRATEGIES, type Strategy, type TextLines, textLines, unescapeText } from './strategies.ts';

export type Replaced =
  | {
      readonly ok: true;
      readonly text: string;
      readonly strategy: string;
      readonly count: number;
      readonly note?: string;
    }
  | { readonly ok: false; readonly code: string; readonly message: string; readonly places?: readonly string[] };

export interface Replacement {
  readonly old: string;
  readonly new: string;
  readonly all: boolean;
}

const MAX_PLACES = 5;
const MIN_APPLIED_CHARS = 8;

/** Pure; never interprets `$` or any other sign of the new text. */
export function replaceText(text: string, replacement: Replacement): Replaced {
  const problem = askProblem(replacement);
  if (problem !== undefined) return problem;
  const lines = textLines(text);
  for (const strategy of STRATEGIES) {
    const spans = strategy.find(lines, replacement.old);
    if (spans.length > 0) return use(lines, strategy, spans, replacement);
  }
  const { new: wanted } = replacement;
  if (wanted.length >= MIN_APPLIED_CHARS && text.includes(wanted)) {
    return { ok: true, text, strategy: 'none', count: 0, note: 'The new text is already there; nothing was changed.' };
  }
  return { ok: false, code: 'no-match', message: 'old_string was not found.', ...nearest(lines, replacement.old) };
}

function askProblem({ old, new: wanted }: Replacement): Replaced | undefined {
  if (old.trim() === '') return refuse('invalid', 'old_string is empty: give the text that is to be replaced.');
  return old === wanted ? refuse('invalid', 'old_string and new_string are the same.') : undefined;
}

function use(lines: TextLines, strategy: Strategy, spans: readonly Span[], replacement: Replacement): Replaced {
  if (spans.length > 1 && (!replacement.all || strategy.daring)) return ambiguous(lines, spans, strategy);
  const edits: { span: Span; text: string }[] = [];
  for (const span of spans) {
    const found = lines.text.slice(span.start, span.end);
    const fitted = strategy.name === 'exact' ? replacement.new : adapted(strategy, replacement, found);
    if (typeof fitted !== 'string') return fitted;
    edits.push({ span, text: fitted });
  }
  let out = '';
  let at = 0;
  for (const { span, text } of edits) {
    out += lines.text.slice(at, span.start) + text;
    at = span.end;
  }
  return { ok: true, text: out + lines.text.slice(at), strategy: strategy.name, count: spans.length };
}

/** The new text for a place that is not the old text to the letter, or why it would do harm there. */
function adapted(strategy: Strategy, { old, new: wanted }: Replacement, found: string): string | Replaced {
  if (strategy.name === 'escape_normalized') return unescapeText(wanted);
  if (strategy.name === 'trimmed_boundary') return wanted.trim();
  for (const mark of ['\\"', "\\'"]) {
    if (wanted.includes(mark) && old.includes(mark) && !found.includes(mark)) {
      return refuse(
        'escaped',
        `The file has no ${mark} here: send quotes as they stand in the file, without backslashes.`,
      );
    }
  }
  const controls = controlsWritten(wanted, found);
  const signs = strategy.name === 'unicode_normalized' ? keepSigns(old, found, controls) : controls;
  return keepEnd(reindent(old, found, signs), old, found);
}

/** A written-out `\t` means a tab only where the file has tabs; likewise `\r`. */
function controlsWritten(wanted: string, found: string): string {
  const tabbed = found.includes('\t') && !found.includes('\\t') ? wanted.replaceAll('\\t', '\t') : wanted;
  return found.includes('\r') && !found.includes('\\r') ? tabbed.replaceAll('\\r', '\r') : tabbed;
}

/** Parts of the old text that the new one repeats keep the file's typographic signs. */
function keepSigns(old: string, found: string, wanted: string): string {
  const before = old.split('\n');
  const real = found.split('\n');
  if (before.length !== real.length) return wanted;
  const known = new Map(before.map((line, index) => [line, real[index] ?? line]));
  const whole = wanted.split('\n').map((line) => known.get(line) ?? line);
  if (before.length > 1 || whole.join('\n') !== wanted) return whole.join('\n');
  const head = commonLength(old, wanted, (text, index) => text.charAt(index));
  const tail = commonLength(old.slice(head), wanted.slice(head), (text, index) => text.charAt(text.length - 1 - index));
  if (found.length !== old.length) return wanted;
  return found.slice(0, head) + wanted.slice(head, wanted.length - tail) + found.slice(found.length - tail);
}

function commonLength(a: string, b: string, at: (text: string, index: number) => string): number {
  let length = 0;
  while (length < Math.min(a.length, b.length) && at(a, length) === at(b, length)) length++;
  return length;
}

/** Blank lines round the old text were no part of the place; those round the new text are not wanted either. */
function keepEnd(text: string, old: string, found: string): string {
  const trimmedStart = old.startsWith('\n') && !found.startsWith('\n') ? text.replace(/^\n+/, '') : text;
  if (found.endsWith('\n') || !old.endsWith('\n')) return trimmedStart;
  return trimmedStart.replace(/\n$/, '');
}

function ambiguous(lines: TextLines, spans: readonly Span[], strategy: Strategy): Replaced {
  const places = spans.slice(0, MAX_PLACES).map(({ start }) => placeOf(lines, start));
  const where = spans
    .slice(0, 20)
    .map(({ start }) => lineOf(lines, start))
    .join(', ');
  const how = strategy.name === 'exact' ? 'stands' : 'fits (not to the letter)';
  const advice = strategy.daring ? '' : ', or set replace_all';
  return {
    ok: false,
    code: 'ambiguous',
    message: `old_string ${how} at ${spans.length} places (lines ${where}). Give more lines around the one that is meant${advice}.`,
    places,
  };
}

function placeOf(lines: TextLines, start: number): string {
  const line = lineOf(lines, start);
  return `L${line}: ${(lines.lines[line - 1] ?? '').trim().slice(0, 120)}`;
}

/** From 1. */
export function lineOf({ starts }: TextLines, offset: number): number {
  return Math.max(1, starts.findLastIndex((start) => start <= offset) + 1);
}

/** The lines most like the old text, with the first difference marked. */
function nearest({ lines }: TextLines, old: string): { places?: readonly string[] } {
  const wanted = old.split('\n').map((line) => line.trim());
  const first = wanted.find((line) => line !== '') ?? '';
  const offset = wanted.indexOf(first);
  const scored = lines
    .map((line, index) => ({ index, score: similarity(line.trim().slice(0, 200), first.slice(0, 200)) }))
    .filter(({ score }) => score >= 0.5)
    .sort((a, b) => b.score - a.score || a.index - b.index)
    .slice(0, 3);
  if (scored.length === 0) return {};
  return { places: scored.map(({ index }) => comparison(lines, Math.max(0, index - offset), old.split('\n'))) };
}

function comparison(lines: readonly string[], from: number, old: readonly string[]): string {
  const differs = old.findIndex((line, index) => line !== lines[from + index]);
  const at = Math.max(0, differs);
  const head = `L${from + 1}`;
  return `${head}: at line ${from + at + 1} the file has ${quoted(lines[from + at])}, old_string has ${quoted(old[at])}`;
}

function quoted(line: string | undefined): string {
  return line === undefined ? 'nothing' : JSON.stringify(line.slice(0, 160));
}

function refuse(code: string, message: string): Extract<Replaced, { ok: false }> {
  return { ok: false, code, message };
}
