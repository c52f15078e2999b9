/** Text from models, tools and files on its way to the screen. */

// CSI, then the string sequences (OSC, DCS, SOS, PM, APC) up to their end, then any two-byte escape.
const ESCAPES =
  /\x1b\[[0-?]*[ -/]*[@-~]|\x1b[\]PX^_][^\x07\x1b\x9c]*(?:\x07|\x1b\\|\x9c)?|\x9b[0-?]*[ -/]*[@-~]|\x1b[ -/]*[0-~]?/g;
const CONTROLS = /[\x00-\x08\x0b-\x1f\x7f-\x9f]/g;
// Marks that reorder what is read: a command could look like another one.
const BIDI = /[\u202a-\u202e\u2066-\u2069]/g;

/**
 * Only what can be seen: no control sequence of the text reaches the terminal, no half surrogate either.
 * Newlines stay, tabs become spaces.
 */
export function visibleText(text: string): string {
  return text
    .replaceAll('\r\n', '\n')
    .replace(ESCAPES, '')
    .replaceAll('\t', '    ')
    .replace(CONTROLS, '')
    .replace(BIDI, '')
    .toWellFormed();
}

export function visibleLine(text: string): string {
  return visibleText(text)
    .replace(/\s*\n\s*/g, ' ')
    .trim();
}

/** The first and the last lines, with a note about what lies between. */
export function clampMiddle(lines: readonly string[], first: number, last: number): readonly string[] {
  if (lines.length <= first + last + 1) return lines;
  const hidden = lines.length - first - last;
  return [...lines.slice(0, first), `… ${hidden} more lines …`, ...lines.slice(lines.length - last)];
}
