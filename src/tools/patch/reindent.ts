/** New text brought to the depth that the file uses, when the old text was found at another. */

/**
 * @param old the text as the model believed it stands in the file
 * @param found the same lines as they do stand there
 * @param replacement what the model wants instead, at the depth of `old`
 */
export function reindent(old: string, found: string, replacement: string): string {
  const map = indentMap(old.split('\n'), found.split('\n'));
  if (map.every(([from, to]) => from === to)) return replacement;
  return replacement
    .split('\n')
    .map((line) => (line.trim() === '' ? line : moved(line, map)))
    .join('\n');
}

type IndentMap = readonly (readonly [from: string, to: string])[];

/** Pairs of what a line is indented by in the old text and in the file, shallow first. */
function indentMap(old: readonly string[], found: readonly string[]): IndentMap {
  const first = (lines: readonly string[]) => lines.findIndex((line) => line.trim() !== '');
  const a = old.slice(first(old));
  const b = found.slice(first(found));
  const pairs = new Map<string, string>();
  a.forEach((line, index) => {
    const other = b[index];
    if (line.trim() === '' || other === undefined || other.trim() === '') return;
    const from = indentOf(line);
    if (!pairs.has(from)) pairs.set(from, indentOf(other));
  });
  return [...pairs].sort(([x], [y]) => x.length - y.length);
}

function moved(line: string, map: IndentMap): string {
  const indent = indentOf(line);
  const base = map.findLast(([from]) => from.length <= indent.length) ?? map[0];
  if (base === undefined) return line;
  const [from, to] = base;
  const rest = line.slice(indent.length);
  if (indent.length >= from.length) return to + asFile(indent.slice(from.length), map) + rest;
  return to.slice(0, Math.max(0, to.length - (from.length - indent.length))) + rest;
}

/** Deeper steps than any seen: in tabs where the file has tabs. */
function asFile(extra: string, map: IndentMap): string {
  const usesTabs = map.some(([, to]) => to.includes('\t'));
  if (!usesTabs || !/^ +$/.test(extra)) return extra;
  return '\t'.repeat(Math.max(1, Math.round(extra.length / spacesPerTab(map))));
}

function spacesPerTab(map: IndentMap): number {
  for (const [from, to] of map) {
    const tabs = to.split('\t').length - 1;
    if (tabs > 0 && /^ +$/.test(from)) return from.length / tabs;
  }
  return 4;
}

function indentOf(line: string): string {
  return line.slice(0, line.length - line.trimStart().length);
}
