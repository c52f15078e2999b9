/** The library draws a rule between all rows of a table; where every row is one line, the one under the head is enough. */
import { stripVTControlCharacters } from 'node:util';

export function compactTables(lines: readonly string[]): readonly string[] {
  const kept: string[] = [];
  for (let index = 0; index < lines.length; index++) {
    const end = kind(lines[index]) === '┌' ? tableEnd(lines, index) : undefined;
    if (end === undefined) {
      kept.push(lines[index] ?? '');
      continue;
    }
    const table = lines.slice(index, end + 1);
    // Top edge, head and its rule; then a row and a rule in turn; bottom edge.
    kept.push(...table.filter((_, row) => row < 3 || row % 2 === 1 || row === table.length - 1));
    index = end;
  }
  return kept;
}

/** Index of the bottom edge of a table whose rows are one line each; undefined for any other. */
function tableEnd(lines: readonly string[], top: number): number | undefined {
  for (let row = 1; ; row++) {
    const found = kind(lines[top + row]);
    if (found === '└' && row % 2 === 0) return top + row;
    if (found !== (row % 2 === 1 ? '│' : '├')) return undefined;
  }
}

function kind(line: string | undefined): string | undefined {
  if (line === undefined || !/[┌├└│]/.test(line)) return undefined;
  const text = stripVTControlCharacters(line).trimEnd();
  if (/^┌[─┬]+┐$/.test(text)) return '┌';
  if (/^├[─┼]+┤$/.test(text)) return '├';
  if (/^└[─┴]+┘$/.test(text)) return '└';
  return /^│.*│$/.test(text) ? '│' : undefined;
}
