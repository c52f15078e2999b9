/** `read_file`: a window of lines of a text file. */
import { absolutePath, type FileDeps, maskFor, workingFolder } from './files/deps.ts';
import { shortPath } from './files/paths.ts';
import { integer, optional, parameters, string } from './parameters.ts';
import { defineTool, failure, jsonOutcome, type Tool, type ToolContext, type ToolOutcome } from './tool.ts';

const DEFAULT_LIMIT = 500;
const MAX_LIMIT = 2_000;
const MAX_LINE_CHARS = 2_000;
const MAX_READ_CHARS = 100_000;
/** From here on a wide read of only a part deserves a word about narrower ones. */
const LARGE_BYTES = 512_000;

interface Request {
  readonly path: string;
  readonly offset: number;
  readonly limit: number;
}

export function readFileTool(deps: FileDeps): Tool {
  return defineTool({
    name: 'read_file',
    toolset: 'file',
    description: 'Read a text file as `N|line`. Use it instead of cat, head or tail.',
    parameters: parameters({
      path: string(),
      offset: optional(integer('first line, from 1')),
      limit: optional(integer('lines, default 500, at most 2000')),
    }),
    rewrite: ({ file_path, ...raw }) => ({ ...(file_path !== undefined && { path: file_path }), ...raw }),
    maxResultChars: Number.POSITIVE_INFINITY,
    plan(args, ctx) {
      const path = absolutePath(deps, ctx.session, args.path);
      const offset = Math.max(1, args.offset ?? 1);
      const limit = Math.min(MAX_LIMIT, Math.max(1, args.limit ?? DEFAULT_LIMIT));
      const where = offset === 1 && args.limit === undefined ? '' : `:${offset}-${offset + limit - 1}`;
      return {
        summary: `read ${shortPath(path, workingFolder(deps, ctx.session))}${where}`,
        concurrency: { reads: [path], writes: [] },
        run: () => readWindow(deps, ctx, { path, offset, limit }),
      };
    },
  });
}

async function readWindow(deps: FileDeps, ctx: ToolContext, request: Request): Promise<ToolOutcome> {
  const { path } = request;
  const denied = deps.guard.readProblem(path);
  if (denied !== undefined) return failure('read-denied', denied);
  const { loadFile } = await import('./files/load.ts');
  const file = await loadFile(path);
  switch (file.kind) {
    case 'missing':
      return missing(path);
    case 'folder':
      return failure('is-folder', `${path} is a folder. List it with search_files (target files).`);
    case 'special':
      return failure('not-a-file', `${path} is a device, socket or pipe, not a file.`);
    case 'binary':
      return (await extracted(deps, request, file.stamp)) ?? binary(path, file.what, file.stamp.size);
    case 'large':
    case 'text':
      break;
  }
  deps.ledger.note(ctx.session.id, path, file.stamp);
  const repeated = repeatedRead(deps, ctx, request, file.stamp);
  if (repeated !== undefined) return repeated;
  if (file.kind === 'text') {
    const notebook = await notebookCells(path, file.text);
    const encoding = notebook === undefined ? file.format.encoding : 'text of the cells; the file itself is JSON';
    return present(deps, request, linesOf(notebook ?? file.text), { size: file.stamp.size, encoding });
  }
  const { readLineWindow } = await import('./files/line-window.ts');
  const { offset, limit } = request;
  const { signal } = ctx.io;
  const window = await readLineWindow(path, { offset, limit, maxLineBytes: MAX_LINE_CHARS * 4, signal });
  return present(deps, request, window.lines, {
    size: file.stamp.size,
    encoding: 'utf-8',
    firstLine: offset,
    totalLines: window.totalLines,
  });
}

/** The same lines of an unchanged file are in the conversation already. */
function repeatedRead(
  deps: FileDeps,
  ctx: ToolContext,
  { path, offset, limit }: Request,
  stamp: { readonly mtimeMs: number; readonly size: number; readonly hash?: string },
): ToolOutcome | undefined {
  const { id } = ctx.session;
  const call = `read ${path} ${offset} ${limit}`;
  const answer = stamp.hash ?? `${stamp.mtimeMs} ${stamp.size}`;
  const times = deps.ledger.repeats(id, call, answer);
  if (!deps.ledger.served(id, call, answer)) return undefined;
  if (times > 2) {
    return failure('blocked', 'BLOCKED: these lines were read already and the file has not changed. Go on with them.');
  }
  return jsonOutcome({
    status: 'unchanged',
    dedup: true,
    content_returned: false,
    message: 'These lines are in the conversation already and the file has not changed since.',
  });
}

interface Facts {
  readonly size: number;
  readonly encoding: string;
  /** Number of the first of the given lines, when they are a window already. */
  readonly firstLine?: number;
  /** Undefined: reading stopped before the end. */
  readonly totalLines?: number | undefined;
}

function present(deps: FileDeps, request: Request, lines: readonly string[], facts: Facts): ToolOutcome {
  const { path, offset, limit } = request;
  const windowed = facts.firstLine !== undefined;
  const total = windowed ? facts.totalLines : lines.length;
  if (total !== undefined && offset > Math.max(1, total)) {
    return failure('past-end', `${path} has ${total} lines; there is none at offset ${offset}.`, {
      total_lines: total,
    });
  }
  const wanted = windowed ? lines : lines.slice(offset - 1, offset - 1 + limit);
  const masked = maskFor(deps, path, wanted.join('\n'));
  const shown = numbered(masked.split('\n'), offset, deps.maxReadChars ?? MAX_READ_CHARS);
  const next = offset + (wanted.length === 0 ? 0 : shown.count);
  const truncated = total === undefined || next <= total;
  const all = total === undefined ? 'more' : String(total);
  return jsonOutcome(
    {
      content: wanted.length === 0 ? '' : shown.text,
      ...(total !== undefined && { total_lines: total }),
      file_size: facts.size,
      truncated,
      ...(truncated && { hint: `Lines ${offset}-${next - 1} of ${all}. Go on with offset=${next}.` }),
      ...(facts.encoding !== 'utf-8' && { encoding: facts.encoding }),
      ...(truncated &&
        facts.size > LARGE_BYTES &&
        limit > 200 && { _hint: 'Large file: search_files finds the place.' }),
    },
    { masked: true, forUser: `read ${path} (${Math.max(0, next - offset)} lines)` },
  );
}

/** As many lines as fit, at least one. */
function numbered(lines: readonly string[], offset: number, maxChars: number): { text: string; count: number } {
  const out: string[] = [];
  let chars = 0;
  for (const [index, line] of lines.entries()) {
    const cut = line.length > MAX_LINE_CHARS ? `${line.slice(0, MAX_LINE_CHARS)}... [truncated]` : line;
    const row = `${offset + index}|${cut}`;
    chars += row.length + 1;
    if (chars > maxChars && out.length > 0) break;
    out.push(row);
  }
  return { text: out.join('\n'), count: out.length };
}

function linesOf(text: string): readonly string[] {
  if (text === '') return [];
  const lines = text.split('\n');
  if (lines.at(-1) === '') lines.pop();
  return lines;
}

async function notebookCells(path: string, text: string): Promise<string | undefined> {
  if (!path.toLowerCase().endsWith('.ipynb')) return undefined;
  const { notebookText } = await import('./files/notebook-text.ts');
  return notebookText(text);
}

async function extracted(
  deps: FileDeps,
  request: Request,
  stamp: { readonly size: number },
): Promise<ToolOutcome | undefined> {
  if (!/\.(docx|xlsx)$/i.test(request.path)) return undefined;
  const { extractOfficeText } = await import('./files/office-text.ts');
  const text = await extractOfficeText(request.path);
  if (text === undefined) return undefined;
  return present(deps, request, linesOf(text), { size: stamp.size, encoding: 'text extracted from the document' });
}

async function missing(path: string): Promise<ToolOutcome> {
  const { similarPaths } = await import('./files/paths.ts');
  const similar = await similarPaths(path);
  return failure('not-found', `There is no file ${path}.`, similar.length > 0 ? { similar_files: similar } : {});
}

function binary(path: string, what: string, size: number): ToolOutcome {
  return failure('binary', `${path} is no text: ${what}, ${size.toLocaleString('en-US')} bytes.`);
}
