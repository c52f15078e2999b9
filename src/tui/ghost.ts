/** The rest of an earlier line, offered dimly behind what is typed. */
import { CURSOR_MARKER, renderFakeCursor, truncateToWidth, visibleWidth } from '@earendil-works/pi-tui';
import { visibleLine } from './sanitize.ts';
import type { Paint } from './theme.ts';

/** How the library's editor draws a cursor that stands behind the text. */
const CURSOR_AT_END = CURSOR_MARKER + renderFakeCursor(' ');

/**
 * @param history newest first
 * @returns what the newest line that begins with `typed` adds to it; '' when there is none
 */
export function ghostOf(typed: string, history: readonly string[]): string {
  if (typed.trim() === '' || typed.includes('\n')) return '';
  const found = history.find((line) => line.length > typed.length && line.startsWith(typed) && !line.includes('\n'));
  return found?.slice(typed.length) ?? '';
}

/** Puts it behind the cursor, as far as the row has room. */
export function drawGhost(lines: readonly string[], ghost: string, width: number, paint: Paint): readonly string[] {
  const at = lines.findIndex((line) => line.includes(CURSOR_AT_END));
  const line = lines[at];
  if (ghost === '' || line === undefined) return lines;
  const before = line.slice(0, line.indexOf(CURSOR_AT_END));
  const room = width - visibleWidth(before) - 1;
  if (room < 2) return lines;
  return lines.with(at, before + CURSOR_MARKER + paint(truncateToWidth(visibleLine(ghost), room, '…')));
}
