/** Unified diffs on the screen. */
import { clampMiddle, visibleText } from '../sanitize.ts';
import type { Theme } from '../theme.ts';

const EDGE_LINES = 20;

export function isDiff(text: string): boolean {
  return /^@@ .* @@/m.test(text) || (/^--- /m.test(text) && /^\+\+\+ /m.test(text));
}

/** @param whole show every line instead of the first and the last ones */
export function drawDiff(diff: string, theme: Theme, whole: boolean): readonly string[] {
  const lines = visibleText(diff).trimEnd().split('\n');
  const shown = whole ? lines : clampMiddle(lines, EDGE_LINES, EDGE_LINES);
  return shown.map((line) => {
    if (line.startsWith('+++') || line.startsWith('---')) return theme.bold(line);
    if (line.startsWith('@@')) return theme.dim(line);
    if (line.startsWith('+')) return theme.added(line);
    if (line.startsWith('-')) return theme.removed(line);
    return theme.dim(line);
  });
}

export function countChanges(diff: string): { readonly added: number; readonly removed: number } {
  const lines = diff.split('\n');
  return {
    added: lines.filter((line) => line.startsWith('+') && !line.startsWith('+++ ')).length,
    removed: lines.filter((line) => line.startsWith('-') && !line.startsWith('--- ')).length,
  };
}
