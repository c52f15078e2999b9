/** `search_files`: in contents or for names, with all hits counted and one page shown. */
import { errorCode } from '../lib/errors.ts';
import { absolutePath, type FileDeps, maskFor, workingFolder } from './files/deps.ts';
import { shortPath } from './files/paths.ts';
import { integer, oneOf, optional, parameters, string } from './parameters.ts';
import type { FileHits, SearchRequest } from './search/search.ts';
import { defineTool, failure, jsonOutcome, type Tool, type ToolContext, type ToolOutcome } from './tool.ts';

const DEFAULT_LIMIT = 50;
const MAX_LIMIT = 500;
const MAX_CONTEXT = 20;
const MAX_LINE_CHARS = 500;
const MAX_SHOWN_CHARS = 60_000;
const TIME_LIMIT_MS = 60_000;

export interface SearchDeps extends FileDeps {
  /** Default 60,000. */
  readonly searchTimeLimitMs?: number;
}

export function searchFilesTool(deps: SearchDeps): Tool {
  return defineTool({
    name: 'search_files',
    toolset: 'file',
    description:
      'Search file contents (regex) or, with target files, names (glob). Passes over node_modules, .git and ignored ' +
      'files unless path lies in them. Use it instead of grep, find or ls.',
    parameters: parameters({
      pattern: string(),
      target: optional(oneOf(['content', 'files'])),
      path: optional(string('file or folder, default the working folder')),
      file_glob: optional(string('only such files, e.g. *.ts')),
      limit: optional(integer('default 50')),
      offset: optional(integer()),
      output_mode: optional(oneOf(['content', 'files_only', 'count'])),
      context: optional(integer('lines around a match')),
    }),
    rewrite(raw) {
      const target = { grep: 'content', find: 'files' }[String(raw.target)] ?? raw.target;
      return { ...raw, ...(target !== undefined && { target }) };
    },
    plan(args, ctx) {
      const path = absolutePath(deps, ctx.session, args.path ?? '.');
      const request: SearchRequest = {
        pattern: args.pattern,
        target: args.target ?? 'content',
        path,
        fileGlob: args.file_glob,
        limit: clamp(args.limit ?? DEFAULT_LIMIT, 1, MAX_LIMIT),
        offset: Math.max(0, args.offset ?? 0),
        mode: args.output_mode ?? 'content',
        context: clamp(args.context ?? 0, 0, MAX_CONTEXT),
        everything: /[\\/](node_modules|\.git|\.venv|venv|\.cache)([\\/]|$)/.test(path),
      };
      const where = shortPath(path, workingFolder(deps, ctx.session));
      return {
        summary: `search ${JSON.stringify(args.pattern)} in ${where}`,
        concurrency: { reads: [path], writes: [] },
        run: () => search(deps, ctx, request),
      };
    },
  });
}

async function search(deps: SearchDeps, ctx: ToolContext, request: SearchRequest): Promise<ToolOutcome> {
  if (request.pattern === '') return failure('invalid-arguments', 'The pattern is empty.');
  const { searchContent, searchNames } = await import('./search/search.ts');
  const options = {
    signal: ctx.io.signal,
    timeLimitMs: deps.searchTimeLimitMs ?? TIME_LIMIT_MS,
    isDenied: (path: string) => deps.guard.readProblem(path) !== undefined,
  };
  try {
    const outcome =
      request.target === 'files'
        ? names(deps, ctx, request, await searchNames(request, options))
        : content(deps, ctx, request, await searchContent(request, options));
    return repeated(deps, ctx, request, outcome);
  } catch (error) {
    if (errorCode(error) !== 'ENOENT' && errorCode(error) !== 'ENOTDIR') throw error;
    const { similarPaths } = await import('./files/paths.ts');
    const similar = await similarPaths(request.path);
    return failure('not-found', `There is no ${request.path} to search in.`, {
      ...(similar.length > 0 && { similar }),
    });
  }
}

/** The same answer a third time is said, a fourth time refused. */
function repeated(deps: SearchDeps, ctx: ToolContext, request: SearchRequest, outcome: ToolOutcome): ToolOutcome {
  const [block] = outcome.forModel;
  if (block?.type !== 'text') return outcome;
  const times = deps.ledger.repeats(ctx.session.id, `search ${JSON.stringify(request)}`, block.text);
  if (times < 3) return outcome;
  if (times > 3) {
    return failure(
      'blocked',
      'BLOCKED: this very search was made three times and nothing has changed. Use what it found.',
    );
  }
  const value: unknown = JSON.parse(block.text);
  const warned = { ...(value as object), _warning: 'This very search was made before and its result has not changed.' };
  return { ...jsonOutcome(warned), ...(outcome.forUser !== undefined && { forUser: outcome.forUser }), masked: true };
}

type Names = Awaited<ReturnType<typeof import('./search/search.ts').searchNames>>;
type Contents = Awaited<ReturnType<typeof import('./search/search.ts').searchContent>>;

function names(deps: SearchDeps, ctx: ToolContext, request: SearchRequest, found: Names): ToolOutcome {
  const cwd = workingFolder(deps, ctx.session);
  const page = found.paths.slice(request.offset, request.offset + request.limit);
  return jsonOutcome(
    {
      total_count: found.paths.length,
      files: page.map((path) => shortPath(path, cwd)),
      ...paging(request, page.length, found.paths.length),
      ...partialNote(found),
    },
    { forUser: `${count(found.paths.length, 'file')} found`, masked: true },
  );
}

function content(deps: SearchDeps, ctx: ToolContext, request: SearchRequest, found: Contents): ToolOutcome {
  const cwd = workingFolder(deps, ctx.session);
  const matches = found.files.reduce((sum, file) => sum + file.matches.length, 0);
  const facts = {
    total_count: matches,
    files_matched: found.files.length,
    ...partialNote(found),
    ...(found.omitted > 0 && { _omitted: `${count(found.omitted, 'file')} with credentials left out` }),
  };
  const forUser = `${count(matches, 'match')} in ${count(found.files.length, 'file')}`;
  const more = { forUser, masked: true };
  if (request.mode !== 'content') {
    const page = found.files.slice(request.offset, request.offset + request.limit);
    const shown =
      request.mode === 'count'
        ? { counts: Object.fromEntries(page.map((file) => [shortPath(file.path, cwd), file.matches.length])) }
        : { files: page.map((file) => shortPath(file.path, cwd)) };
    return jsonOutcome({ ...facts, ...shown, ...paging(request, page.length, found.files.length) }, more);
  }
  const { text, shown } = showMatches(deps, request, found.files, cwd);
  return jsonOutcome({ ...facts, matches: text, ...paging(request, shown, matches) }, more);
}

/** A page of matches, grouped by file: `N:line` for a match, `N-line` for what stands around it. */
function showMatches(
  deps: SearchDeps,
  request: SearchRequest,
  files: readonly FileHits[],
  cwd: string,
): { text: string; shown: number } {
  const parts: string[] = [];
  let skip = request.offset;
  let shown = 0;
  let chars = 0;
  for (const file of files) {
    const hits = file.matches.slice(skip, skip + request.limit - shown);
    skip = Math.max(0, skip - file.matches.length);
    if (hits.length === 0) continue;
    const rows = rowsOf(file, hits, request.context);
    const block = `${shortPath(file.path, cwd)}\n${maskFor(deps, file.path, rows.join('\n'))}`;
    if (chars + block.length > MAX_SHOWN_CHARS && parts.length > 0) break;
    parts.push(block);
    chars += block.length;
    shown += hits.length;
    if (shown >= request.limit) break;
  }
  return { text: parts.join('\n\n'), shown };
}

function rowsOf({ lines, matches }: FileHits, hits: readonly number[], context: number): readonly string[] {
  const all = new Set(matches);
  const rows: string[] = [];
  let last = -1;
  for (const hit of hits) {
    const from = Math.max(hit - context, last + 1);
    if (context > 0 && last >= 0 && from > last + 1) rows.push('--');
    for (let at = from; at <= Math.min(hit + context, lines.length - 1); at++) {
      const line = lines[at] ?? '';
      const cut = line.length > MAX_LINE_CHARS ? `${line.slice(0, MAX_LINE_CHARS)}... [truncated]` : line;
      rows.push(`${at + 1}${all.has(at) ? ':' : '-'}${cut}`);
      last = at;
    }
  }
  return rows;
}

function paging(request: SearchRequest, shown: number, total: number): Record<string, unknown> {
  const next = request.offset + shown;
  if (next >= total) return { truncated: false };
  return { truncated: true, hint: `${shown} of ${total} shown. Go on with offset=${next}, or narrow the search.` };
}

function partialNote({ partial, searched }: { partial: boolean; searched: number }): Record<string, unknown> {
  if (!partial) return {};
  return {
    partial: true,
    _note: `The time limit came first: only ${count(searched, 'file')} searched, so there may be more.`,
  };
}

function count(number: number, word: string): string {
  const plural = word.endsWith('ch') ? `${word}es` : `${word}s`;
  return `${number.toLocaleString('en-US')} ${number === 1 ? word : plural}`;
}

function clamp(value: number, least: number, most: number): number {
  return Math.min(most, Math.max(least, value));
}
