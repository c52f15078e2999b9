/** From what a terminal would draw to the text it shows: no escape sequences, overwritten parts gone. */

// A string sequence (title, link, ...) that is never closed swallows nothing: only its opening goes.
const sequence =
  /(?:\x1b\[|\x9b)([0-?]*)[ -/]*([@-~])|(?:\x1b[\]PX^_]|[\x90\x98\x9d-\x9f])[^\x00-\x06\x0a-\x1f\x07\x9c]*(?:\x07|\x1b\\|\x9c)|\x1b[ -/]*[0-~]?|[\x1e\x80-\x9f]/g;

/** Whether there is anything to do: any control but tab and line feed. */
const controls = /[\x00-\x08\x0b-\x1f\x7f-\x9f]/;
const overwrites = /[\r\b\x1e]/;

/** What is left holds no control characters but tab and line feed. Cleaning twice changes nothing. */
export function cleanOutput(raw: string): string {
  if (!controls.test(raw)) return raw;
  const marked = raw.replace(sequence, replaceSequence).replaceAll('\r\n', '\n');
  const lines = overwrites.test(marked) ? marked.split('\n').map(drawLine).join('\n') : marked;
  return lines.replace(/[\x00-\x08\x0b-\x1f\x7f-\x9f]/g, '');
}

/** Erasing and moving inside the line become private marks that `drawLine` obeys; colours go. */
function replaceSequence(_all: string, parameters: string | undefined, final: string | undefined): string {
  if (final === 'K') return `\x1eK${parameters === '1' || parameters === '2' ? parameters : '0'}`;
  if (final === 'G') return `\x1eG${Math.min(Number.parseInt(parameters ?? '', 10) || 1, 999)};`;
  if (final === 'C' || final === 'D')
    return `\x1e${final}${Math.min(Number.parseInt(parameters ?? '', 10) || 1, 999)};`;
  return '';
}

/** Cursor moves alone get no further: a few bytes must not become megabytes of blanks. */
const maxColumn = 1000;

const token = /\x1eK(\d)|\x1e([GCD])(\d+);|[\r\b]|[^\r\b\x1e]+|\x1e/g;

function drawLine(line: string): string {
  if (!overwrites.test(line)) return line;
  let cells: string[] = [];
  let column = 0;
  for (const [part, erase, move, count] of line.matchAll(token)) {
    if (part === '\r') column = 0;
    else if (part === '\b') column = Math.max(0, column - 1);
    else if (erase === '0') cells.length = Math.min(cells.length, column);
    else if (erase === '2') cells = [];
    else if (erase === '1') cells.fill(' ', 0, column + 1);
    else if (move === 'G') column = Number(count) - 1;
    else if (move === 'C') column = Math.min(column + Number(count), maxColumn);
    else if (move === 'D') column = Math.max(0, column - Number(count));
    else if (part !== '\x1e') {
      while (cells.length < column) cells.push(' ');
      for (const cell of part) if (!controls.test(cell)) cells[column++] = cell;
    }
  }
  return cells.join('');
}

/**
 * Whether the text comes from bytes that are no text: a NUL, or more than one character in ten that could not
 * be decoded.
 */
export function looksBinary(raw: string): boolean {
  if (raw.includes('\0')) return true;
  let bad = 0;
  for (let at = raw.indexOf('\ufffd'); at !== -1; at = raw.indexOf('\ufffd', at + 1)) bad += 1;
  return bad > 2 && bad * 10 > raw.length;
}
