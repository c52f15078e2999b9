/** A change as people and models read it. */

export interface DiffSummary {
  /** Unified, without the `Index` lines; '' when nothing changed. */
  readonly text: string;
  readonly added: number;
  readonly removed: number;
}

const MAX_CHARS = 1_000_000;

/** @param name what stands in the header */
export async function unifiedDiff(name: string, before: string, after: string, context = 3): Promise<DiffSummary> {
  if (before === after) return { text: '', added: 0, removed: 0 };
  if (before.length + after.length > MAX_CHARS) return { text: '(too large for a diff)', added: 0, removed: 0 };
  const { structuredPatch } = await import('diff');
  const patch = structuredPatch(`a/${name}`, `b/${name}`, before, after, undefined, undefined, {
    context,
    timeout: 2_000,
  });
  if (patch === undefined) return { text: '(too different for a diff)', added: 0, removed: 0 };
  const hunks = patch.hunks.flatMap((hunk) => [
    `@@ -${hunk.oldStart},${hunk.oldLines} +${hunk.newStart},${hunk.newLines} @@`,
    ...hunk.lines,
  ]);
  const count = (sign: string) =>
    patch.hunks.reduce((sum, hunk) => sum + hunk.lines.filter((line) => line.startsWith(sign)).length, 0);
  return { text: [`--- a/${name}`, `+++ b/${name}`, ...hunks].join('\n'), added: count('+'), removed: count('-') };
}
