/**
 * The one way to disk for tools that write files: rights, staleness, format, atomic replacement, syntax check and
 * the ledger. Callers hold the path's lock from loading to saving.
 */
import { mkdir, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { writeFileAtomic } from '../../lib/atomic-file.ts';
import { canonicalPath } from '../segments.ts';
import { failure, type ToolContext, type ToolOutcome } from '../tool.ts';
import { type FileDeps, maskFor, workingFolder } from './deps.ts';
import { type FileStamp, hashOf } from './ledger.ts';
import { newSyntaxErrors } from './lint.ts';
import { type LoadedFile, loadFile } from './load.ts';
import { isInside, shortPath } from './paths.ts';
import { encodeText, PLAIN, type TextFormat } from './text-format.ts';
import { type DiffSummary, unifiedDiff } from './unified-diff.ts';

export type TextFile = Extract<LoadedFile, { kind: 'text' }>;

export interface Saved {
  readonly path: string;
  readonly bytes: number;
  readonly diff: DiffSummary;
  /** For the model: syntax errors that are new, and where the file lies when that may surprise. */
  readonly notes: { readonly lint?: readonly string[]; readonly _warning?: string };
}

export interface SaveRequest {
  readonly path: string;
  /** The file as it was loaded; undefined for a new one. */
  readonly before: TextFile | undefined;
  /** With `\n` line ends, unless the file mixes them. */
  readonly text: string;
}

const locks = new Map<string, Promise<unknown>>();

/** One writer per file at a time in this process, subagents included. */
export async function withPathLock<T>(path: string, work: () => Promise<T>): Promise<T> {
  const key = canonicalPath(path);
  const before = locks.get(key) ?? Promise.resolve();
  const mine = before.then(work, work);
  const settled = mine.catch(() => {}); // the failure is the caller's; the next in line only waits
  locks.set(key, settled);
  try {
    return await mine;
  } finally {
    if (locks.get(key) === settled) locks.delete(key);
  }
}

/** Locks several at once, always in the same order. */
export function withPathLocks<T>(paths: readonly string[], work: () => Promise<T>): Promise<T> {
  const [first, ...rest] = [...new Set(paths.map(canonicalPath))].sort();
  return first === undefined ? work() : withPathLock(first, () => withPathLocks(rest, work));
}

/** Undefined when the path may be written; asks the user where that is the rule. */
export async function writeRefusal(
  deps: FileDeps,
  ctx: ToolContext,
  tool: string,
  path: string,
  crossProfile: boolean,
): Promise<ToolOutcome | undefined> {
  const problem = deps.guard.writeProblem(path, crossProfile);
  if (problem === undefined) return undefined;
  if (problem !== 'ask') return failure('write-denied', problem.message);
  const choice = await ctx.io.ask({
    kind: 'approval',
    tool,
    action: `write ${path}`,
    risks: [{ id: 'ssh-config', why: 'changes how SSH connects' }],
    choices: ['once', 'deny'],
  });
  return choice === 'deny' ? failure('write-denied', `The user did not allow a change of ${path}.`) : undefined;
}

/** A file to be written or edited; the outcome says why it cannot be. */
export async function loadForWriting(
  path: string,
): Promise<{ readonly file: TextFile | undefined } | { readonly refused: ToolOutcome }> {
  const file = await loadFile(path);
  switch (file.kind) {
    case 'missing':
      return { file: undefined };
    case 'text':
      return { file };
    case 'folder':
      return { refused: failure('is-folder', `${path} is a folder.`) };
    case 'special':
      return { refused: failure('not-a-file', `${path} is a device, socket or pipe.`) };
    case 'binary':
      return { refused: failure('binary', `${path} is no text (${file.what}) and was left alone.`) };
    case 'large':
      return { refused: failure('too-large', `${path} is too large to edit here; use a command for it.`) };
  }
}

/** Writes and reports; an outcome when the text cannot or must not be written. */
export async function saveText(deps: FileDeps, ctx: ToolContext, request: SaveRequest): Promise<Saved | ToolOutcome> {
  const { path, before, text } = request;
  const masked = maskedSecret(deps, path, before?.text, text);
  if (masked !== undefined) {
    return failure(
      'masked-secret',
      `The new text holds a masked secret (${masked}), which would replace the real one. Leave that line as it is, with patch.`,
    );
  }
  const format = before?.format ?? PLAIN;
  const bytes = encodeText(text, format);
  if (bytes === undefined || (before !== undefined && !survives(before))) return unencodable(path, format);
  await mkdir(dirname(path), { recursive: true });
  await writeFileAtomic(path, bytes);
  deps.ledger.note(ctx.session.id, path, await stampOf(path, bytes));
  const cwd = workingFolder(deps, ctx.session);
  const [diff, errors] = await Promise.all([
    unifiedDiff(shortPath(path, cwd), before?.text ?? '', text),
    newSyntaxErrors(path, before?.text, text, ctx.io.signal),
  ]);
  return {
    path,
    bytes: bytes.length,
    diff: { ...diff, text: maskFor(deps, path, diff.text) },
    notes: {
      ...(errors !== undefined && errors.length > 0 && { lint: errors }),
      ...(!isInside(canonicalPath(path), canonicalPath(cwd)) && {
        _warning: `${path} is outside the working folder ${cwd}.`,
      }),
    },
  };
}

export function isSaved(value: Saved | ToolOutcome): value is Saved {
  return 'notes' in value;
}

/** A line of the file as it was shown, masked, where the file never had that text. */
function maskedSecret(deps: FileDeps, path: string, before: string | undefined, after: string): string | undefined {
  if (before === undefined) return undefined;
  const shown = maskFor(deps, path, before);
  if (shown === before) return undefined;
  const real = new Set(before.split('\n'));
  const hidden = new Set(shown.split('\n').filter((line) => !real.has(line)));
  return after
    .split('\n')
    .find((line) => hidden.has(line))
    ?.trim()
    .slice(0, 80);
}

/** Bytes of the parts nobody touched must come back as they were. */
function survives({ text, format, bytes }: TextFile): boolean {
  return format.encoding.startsWith('utf-') || encodeText(text, format)?.equals(bytes) === true;
}

function unencodable(path: string, { encoding }: TextFormat): ToolOutcome {
  return failure(
    'encoding',
    `${path} is ${encoding}, which cannot hold this text. Keep to its characters, or convert the file to UTF-8 first with a command.`,
  );
}

async function stampOf(path: string, bytes: Buffer): Promise<FileStamp> {
  const { mtimeMs, size } = await stat(path);
  return { mtimeMs, size, hash: hashOf(bytes) };
}
