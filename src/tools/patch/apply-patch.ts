/** A parsed patch carried out: everything is checked and worked out in memory before the first file is touched. */
import { unlink } from 'node:fs/promises';
import { type FileDeps, workingFolder } from '../files/deps.ts';
import { shortPath } from '../files/paths.ts';
import { isSaved, loadForWriting, saveText, type TextFile, writeRefusal } from '../files/save.ts';
import { failure, jsonOutcome, type ToolContext, type ToolOutcome } from '../tool.ts';
import { applyHunks } from './apply-hunks.ts';
import type { FileOperation } from './v4a.ts';

/** Paths of the operations are absolute. */
export interface PatchRequest {
  readonly operations: readonly FileOperation[];
  readonly crossProfile: boolean;
}

interface Change {
  readonly path: string;
  /** State to start from, for format and ledger. */
  readonly before: TextFile | undefined;
  /** Undefined: the file goes. */
  readonly text: string | undefined;
}

export async function applyPatch(deps: FileDeps, ctx: ToolContext, request: PatchRequest): Promise<ToolOutcome> {
  const changes: Change[] = [];
  for (const operation of request.operations) {
    const planned = await plan(deps, ctx, operation, changes, request.crossProfile);
    if (!Array.isArray(planned)) return planned;
    changes.push(...planned);
  }
  return carryOut(deps, ctx, merge(changes));
}

async function plan(
  deps: FileDeps,
  ctx: ToolContext,
  operation: FileOperation,
  earlier: readonly Change[],
  crossProfile: boolean,
): Promise<Change[] | ToolOutcome> {
  const { path } = operation;
  const target = 'moveTo' in operation ? operation.moveTo : undefined;
  for (const one of target === undefined ? [path] : [path, target]) {
    const refused = await writeRefusal(deps, ctx, 'patch', one, crossProfile);
    if (refused !== undefined) return refused;
  }
  const source = await stateOf(path, earlier);
  if ('refused' in source) return source.refused;
  if (operation.kind === 'add') {
    if (source.text !== undefined) return failure('exists', `${path} is there already; use "*** Update File".`);
    return [{ path, before: undefined, text: operation.text }];
  }
  if (source.text === undefined) return failure('not-found', `There is no file ${path}. No file was changed.`);
  const text = operation.kind === 'update' ? applied(path, source.text, operation) : source.text;
  if (typeof text !== 'string') return text;
  if (operation.kind === 'delete') return [{ path, before: source.before, text: undefined }];
  if (target === undefined) return [{ path, before: source.before, text }];
  const place = await stateOf(target, earlier);
  if ('refused' in place) return place.refused;
  if (place.text !== undefined) return failure('exists', `${target} is there already. No file was changed.`);
  return [
    { path: target, before: source.before, text },
    { path, before: source.before, text: undefined },
  ];
}

function applied(
  path: string,
  text: string,
  operation: Extract<FileOperation, { kind: 'update' }>,
): string | ToolOutcome {
  const result = applyHunks(text, operation.hunks);
  if (result.ok) return result.text;
  return failure('no-match', `${path}: ${result.message} No file was changed.`, {
    ...(result.places !== undefined && { places: result.places }),
  });
}

/** The file as it will be after the earlier operations of the same patch. */
async function stateOf(
  path: string,
  earlier: readonly Change[],
): Promise<
  { readonly before: TextFile | undefined; readonly text: string | undefined } | { readonly refused: ToolOutcome }
> {
  const known = earlier.findLast((change) => change.path === path);
  if (known !== undefined) return known;
  const loaded = await loadForWriting(path);
  if ('refused' in loaded) return loaded;
  return { before: loaded.file, text: loaded.file?.text };
}

/** One write per file. */
function merge(changes: readonly Change[]): readonly Change[] {
  const last = new Map<string, Change>();
  for (const change of changes)
    last.set(change.path, { ...change, before: last.get(change.path)?.before ?? change.before });
  return [...last.values()];
}

async function carryOut(deps: FileDeps, ctx: ToolContext, changes: readonly Change[]): Promise<ToolOutcome> {
  const done: string[] = [];
  const diffs: string[] = [];
  const notes: Record<string, unknown> = {};
  const cwd = workingFolder(deps, ctx.session);
  for (const { path, before, text } of changes) {
    if (text === undefined) {
      await unlink(path);
      diffs.push(`deleted ${shortPath(path, cwd)}`);
    } else {
      const saved = await saveText(deps, ctx, { path, before, text });
      if (!isSaved(saved)) return partly(saved, done);
      diffs.push(saved.diff.text);
      Object.assign(notes, saved.notes);
    }
    done.push(path);
  }
  return jsonOutcome(
    { success: true, diff: diffs.join('\n'), files_modified: done, ...notes },
    {
      forUser: `patched ${done.map((path) => shortPath(path, cwd)).join(', ')}`,
      detail: diffs.join('\n'),
      filesChanged: done,
      masked: true,
    },
  );
}

function partly(outcome: ToolOutcome, done: readonly string[]): ToolOutcome {
  if (done.length === 0) return outcome;
  const [block] = outcome.forModel;
  const text = block?.type === 'text' ? block.text : '';
  return failure('partly-applied', `Some files were changed before this failed: ${text}`, { files_modified: done });
}
