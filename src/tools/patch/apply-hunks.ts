/** The hunks of one file, applied in memory. */

import { lineOf, replaceText } from './replace.ts';
import { textLines } from './strategies.ts';
import type { Hunk } from './v4a.ts';

export type Applied =
  | { readonly ok: true; readonly text: string }
  | { readonly ok: false; readonly message: string; readonly places?: readonly string[] };

/** All of them or none. Each is looked for after the one before, then anywhere. */
export function applyHunks(text: string, hunks: readonly Hunk[]): Applied {
  let current = text;
  let from = 0;
  for (const [index, hunk] of hunks.entries()) {
    const step = applyHunk(current, hunk, from);
    if (!step.ok) return { ...step, message: `Hunk ${index + 1} of ${hunks.length}: ${step.message}` };
    current = step.text;
    from = step.from;
  }
  return { ok: true, text: current };
}

type Step = Applied & { readonly ok: true; readonly from: number };

function applyHunk(text: string, hunk: Hunk, from: number): Step | Extract<Applied, { ok: false }> {
  const start = afterHint(text, hunk.hint, from);
  if (start === undefined)
    return { ok: false, message: `the line ${JSON.stringify(hunk.hint)} after @@ was not found.` };
  if (hunk.before.length === 0) return insert(text, hunk, start);
  const replacement = { old: hunk.before.join('\n'), new: hunk.after.join('\n'), all: false };
  if (replacement.old.trim() === '') return insert(text, hunk, start);
  const later = tryFrom(text, start, replacement);
  if (later.ok) return later;
  // Models often put hunks in another order than the file; without a hint the whole file may be meant.
  const anywhere = start > 0 && hunk.hint === '' ? tryFrom(text, 0, replacement) : later;
  return anywhere.ok ? anywhere : { ok: false, message: later.message, ...(later.places && { places: later.places }) };
}

type Failed = Extract<Applied, { ok: false }>;

function tryFrom(text: string, start: number, replacement: Parameters<typeof replaceText>[1]): Step | Failed {
  const replaced = replaceText(text.slice(start), replacement);
  if (!replaced.ok) return shifted(text, start, replaced);
  const tail = text.length - start;
  const next = text.slice(0, start) + replaced.text;
  const place = firstDifference(text.slice(start), replaced.text);
  return {
    ok: true,
    text: next,
    from: Math.min(next.length, start + place + Math.max(0, replaced.text.length - tail)),
  };
}

/** Line numbers of the message hold for the part that was searched. */
function shifted(text: string, start: number, failed: { message: string; places?: readonly string[] }): Failed {
  if (start === 0) return { ok: false, message: failed.message, ...(failed.places && { places: failed.places }) };
  const offset = lineOf(textLines(text), start) - 1;
  const places = failed.places?.map((place) =>
    place.replace(/^L(\d+)/, (_all, line: string) => `L${Number(line) + offset}`),
  );
  return { ok: false, message: `${failed.message} (counted from line ${offset + 1})`, ...(places && { places }) };
}

function firstDifference(a: string, b: string): number {
  let at = 0;
  while (at < a.length && a[at] === b[at]) at++;
  return at;
}

function insert(text: string, hunk: Hunk, start: number): Step {
  const added = hunk.after.map((line) => `${line}\n`).join('');
  const at = hunk.hint === '' ? text.length : start;
  const needsEnd = at === text.length && text !== '' && !text.endsWith('\n');
  const piece = needsEnd ? `\n${added.slice(0, -1)}` : added;
  return { ok: true, text: text.slice(0, at) + piece + text.slice(at), from: at + piece.length };
}

/** Offset behind the line that the hint names; `from` without a hint. */
function afterHint(text: string, hint: string, from: number): number | undefined {
  if (hint === '') return from;
  const { lines, starts } = textLines(text);
  const behind = (index: number) =>
    index < 0 ? undefined : Math.min(text.length, (starts[index] ?? 0) + (lines[index]?.length ?? 0) + 1);
  const matches = (test: (line: string) => boolean) => {
    const later = lines.findIndex((line, index) => (starts[index] ?? 0) >= from && test(line));
    return behind(later >= 0 ? later : lines.findIndex(test));
  };
  return matches((line) => line.trim() === hint) ?? matches((line) => line.includes(hint));
}
