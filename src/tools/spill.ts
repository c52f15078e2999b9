/** Results too long for the conversation go to a file; the model gets the beginning and the way to the rest. */
import { mkdir, readdir, stat, unlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

export interface Spill {
  /** The block that stands for `text`; never rejects: without a writable folder it says that the rest is lost. */
  replace(id: string, text: string): Promise<string>;
  /** Removes spilled files older than a day; failures are ignored. */
  prune(): Promise<void>;
}

export interface SpillOptions {
  /** Absolute; made on first use. */
  readonly dir: string;
  /** Characters of the beginning that stay. */
  readonly previewChars?: number;
  readonly now?: () => number;
}

const KEPT_MS = 24 * 60 * 60 * 1000;

export function createSpill({ dir, previewChars = 1_500, now = Date.now }: SpillOptions): Spill {
  return {
    async replace(id, text) {
      const head = preview(text, previewChars);
      const path = join(dir, `${safeFileId(id)}.txt`);
      const saved = await save(dir, path, text);
      const lines = [
        '<persisted-output>',
        `Output too long: ${text.length.toLocaleString('en-US')} characters.`,
        saved
          ? `Full output saved to: ${path}\nPage through it with read_file (offset, limit) or search it with search_files; do not run the call again.`
          : 'It could not be saved to a file, so only this beginning is left. Ask for less at a time.',
        `Beginning (${head.length} characters):`,
        head,
        '</persisted-output>',
      ];
      return lines.join('\n');
    },
    async prune() {
      try {
        for (const name of await readdir(dir)) {
          const path = join(dir, name);
          if (now() - (await stat(path)).mtimeMs > KEPT_MS) await unlink(path);
        }
      } catch {
        // Nothing was spilled yet, or another process tidies up at the same moment.
      }
    },
  };
}

async function save(dir: string, path: string, text: string): Promise<boolean> {
  try {
    await mkdir(dir, { recursive: true, mode: 0o700 });
    await writeFile(path, text, { mode: 0o600 });
    return (await stat(path)).size === Buffer.byteLength(text);
  } catch {
    return false; // full or read-only disk: the block says so
  }
}

/** Cut at the last line end when that keeps more than half, never inside a surrogate pair. */
function preview(text: string, chars: number): string {
  if (text.length <= chars) return text;
  const cut = text.slice(0, chars);
  const line = cut.lastIndexOf('\n');
  if (line > chars / 2) return cut.slice(0, line);
  return /[\ud800-\udbff]$/.test(cut) ? cut.slice(0, -1) : cut;
}

/** A file name that holds for any call id; an altered id gets a hash so that two stay apart. */
function safeFileId(id: string): string {
  const safe = id
    .replace(/[^A-Za-z0-9_.-]/g, '_')
    .replace(/^\.+/, '_')
    .slice(0, 120);
  if (safe === id && safe !== '') return safe;
  const { createHash } = process.getBuiltinModule('node:crypto');
  const hash = createHash('sha256').update(id).digest('hex').slice(0, 12);
  return `${safe.slice(0, 107)}-${hash}`;
}
