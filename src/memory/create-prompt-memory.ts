/** The store behind the memory tool and the prompt: two files that the user may edit at any time. */
import { mkdir } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { withFileLock } from '../lib/file-lock.ts';
import { group, usageOf } from './entries.ts';
import { backUp, hasDrifted, type Notes, readNotes, writeNotes } from './notes-file.ts';
import { type Applied, applyOperations } from './operations.ts';
import type { MemoryOperation, MemoryTarget, MemoryWrite, PromptMemory } from './prompt-memory.ts';
import { type Scan, screenEntries, snapshotBlock } from './snapshot.ts';

export interface PromptMemoryOptions {
  /** Absolute: `<home>/memories`. Made on the first write. */
  readonly dir: string;
  /** Characters. Default 2,200. */
  readonly memoryLimit?: number;
  /** Characters. Default 1,375. */
  readonly userLimit?: number;
  /** A store that is off reads as empty and refuses writes. Default on. */
  readonly memoryEnabled?: boolean;
  readonly userEnabled?: boolean;
  /** Ids of the threat patterns in a text (strict scope). */
  readonly scan?: Scan;
  readonly now?: () => number;
}

interface Store {
  readonly path: string;
  readonly limit: number;
  readonly enabled: boolean;
}

type Guarded =
  | { readonly refusal: string; readonly backup: string; readonly note?: undefined }
  | { readonly refusal?: undefined; readonly note: string };

export function createPromptMemory(options: PromptMemoryOptions): PromptMemory {
  const { dir, scan = () => [], now = Date.now } = options;
  const stores: Readonly<Record<MemoryTarget, Store>> = {
    memory: {
      path: join(dir, 'MEMORY.md'),
      limit: options.memoryLimit ?? 2_200,
      enabled: options.memoryEnabled ?? true,
    },
    user: { path: join(dir, 'USER.md'), limit: options.userLimit ?? 1_375, enabled: options.userEnabled ?? true },
  };

  async function block(target: MemoryTarget): Promise<string> {
    const { path, limit, enabled } = stores[target];
    if (!enabled) return '';
    const notes = await readNotes(path);
    const file = basename(path);
    return snapshotBlock(target, notes.entries, {
      limit,
      file,
      scan,
      ...(notes.foreign && { warning: foreignWarning(file) }),
    });
  }

  async function write(target: MemoryTarget, operations: readonly MemoryOperation[]): Promise<MemoryWrite> {
    const store = stores[target];
    if (!store.enabled) {
      const usage = { used: 0, limit: store.limit };
      return { ok: false, code: 'invalid', message: `The ${target} store is switched off.`, usage };
    }
    await mkdir(dir, { recursive: true, mode: 0o700 });
    return withFileLock(store.path, () => writeLocked(store, operations));
  }

  async function writeLocked(store: Store, operations: readonly MemoryOperation[]): Promise<MemoryWrite> {
    const notes = await readNotes(store.path);
    const usage = usageOf(notes.entries, store.limit);
    const drift = await guard(store, notes, operations);
    if (drift?.refusal !== undefined)
      return { ok: false, code: 'drift', message: drift.refusal, usage, backup: drift.backup };
    const applied = applyOperations(notes.entries, operations, { limit: store.limit, scan });
    if (!applied.ok)
      return { ok: false, code: applied.code, message: applied.message, usage, ...shown(applied, notes, store) };
    if (applied.entries !== notes.entries) await writeNotes(store.path, applied.entries);
    return {
      ok: true,
      usage: usageOf(applied.entries, store.limit),
      entryCount: applied.entries.length,
      message: [...new Set(applied.notes), ...(drift?.note === undefined ? [] : [drift.note])].join(' '),
    };
  }

  function shown(
    applied: Extract<Applied, { ok: false }>,
    notes: Notes,
    { path }: Store,
  ): { entries?: readonly string[] } {
    const entries = applied.matches ?? (applied.showEntries ? notes.entries : undefined);
    return entries === undefined ? {} : { entries: screenEntries(entries, basename(path), scan) };
  }

  /** A hand-edited file is never rewritten without a copy; changing its entries waits until it is clean again. */
  async function guard(
    store: Store,
    notes: Notes,
    operations: readonly MemoryOperation[],
  ): Promise<Guarded | undefined> {
    const drifted = hasDrifted(notes, store.limit);
    if (!notes.foreign && !drifted) return undefined;
    const [only] = operations;
    const plainAdd = operations.length === 1 && only?.action === 'add';
    if (plainAdd && !notes.foreign && isKept(notes)) return undefined;
    const copy = await backUp(store.path, now());
    if (notes.foreign) return { note: `The file was not UTF-8; its original bytes are kept in ${copy}.` };
    if (plainAdd) return { note: `The file had been edited by hand; a copy of it is kept in ${copy}.` };
    const file = basename(store.path);
    return {
      backup: copy,
      refusal:
        `${file} was edited by hand in a way that this change could lose, so nothing was changed; a copy is in ${copy}. ` +
        `Rewrite ${store.path} with write_file so that entries stand apart by a line "§" and each fits the limit of ` +
        `${group(store.limit)} characters, then try again.`,
    };
  }

  return {
    async snapshot() {
      const blocks = await Promise.all([block('memory'), block('user')]);
      return blocks.filter((one) => one !== '').join('\n\n');
    },
    async entries(target) {
      const { path, limit, enabled } = stores[target];
      const { entries } = enabled ? await readNotes(path) : { entries: [] };
      return { entries, screened: screenEntries(entries, basename(path), scan), usage: usageOf(entries, limit) };
    },
    write,
  };
}

/** Only blank lines and outer spaces of entries would change: adding to such a file loses nothing. */
function isKept(notes: Notes): boolean {
  const squeeze = (text: string) => text.replace(/^\ufeff/, '').replace(/\s+/g, '');
  return squeeze(notes.text) === squeeze(notes.entries.join('\n§\n'));
}

function foreignWarning(file: string): string {
  return `[${file} is not UTF-8; it was read as Latin-1, so some characters may be wrong]`;
}
