/** Text of a model or a tool, made safe for a terminal: it may not move the cursor, clear or retitle anything. */
export function visible(text: string): string {
  return text
    .replace(/\x1b\[[0-?]*[ -/]*[@-~]|\x1b[\]P^_X][^\x07\x1b]*(?:\x07|\x1b\\)?|\x1b[ -/]*[0-~]/g, '')
    .replace(/[\x00-\x08\x0b-\x1f\x7f-\x9f]/g, '');
}

/** The same on a single line of at most `maxChars` characters. */
export function visibleLine(text: string, maxChars = 200): string {
  const line = visible(text.replace(/\r?\n|\t/g, ' ')).trim();
  const chars = Array.from(line);
  return chars.length <= maxChars ? line : `${chars.slice(0, maxChars - 1).join('')}…`;
}
