/** Columns that line up, for Latin and East Asian text alike. */

const WIDE =
  /[\u1100-\u115f\u2e80-\u303e\u3041-\u33ff\u3400-\u4dbf\u4e00-\ua4cf\ua960-\ua97f\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff01-\uff60\uffe0-\uffe6]|\p{Emoji_Presentation}|[\u{20000}-\u{3fffd}]/u;
const NOTHING = /\p{Mark}|\p{Default_Ignorable_Code_Point}/u;

/** Terminal columns that a text takes; it must hold no control characters. */
export function columns(text: string): number {
  let width = 0;
  for (const char of text) width += NOTHING.test(char) ? 0 : WIDE.test(char) ? 2 : 1;
  return width;
}

/** Cut to at most `max` columns, an ellipsis in place of what went. */
export function clip(text: string, max: number): string {
  if (columns(text) <= max) return text;
  let out = '';
  let width = 0;
  for (const char of text) {
    const next = columns(char);
    if (width + next > max - 1) break;
    out += char;
    width += next;
  }
  return `${out}…`;
}

/** Rows as text, two blanks between columns; the last column is not padded. */
export function table(rows: readonly (readonly string[])[], indent = ''): string {
  const widths: number[] = [];
  for (const row of rows)
    for (const [index, cell] of row.entries()) widths[index] = Math.max(widths[index] ?? 0, columns(cell));
  return rows
    .map((row) => {
      const cells = row.map((cell, index) => cell + ' '.repeat((widths[index] ?? 0) - columns(cell)));
      return `${`${indent}${cells.join('  ')}`.trimEnd()}\n`;
    })
    .join('');
}
