/** `patch`: an edit of a part of a file, or a patch over several. */
import { absolutePath, type FileDeps, workingFolder } from './files/deps.ts';
import { shortPath } from './files/paths.ts';
import { boolean, oneOf, optional, parameters, string } from './parameters.ts';
import { type FileOperation, parsePatch, pathsOf } from './patch/v4a.ts';
import {
  defineTool,
  failure,
  type Invocation,
  jsonOutcome,
  type Tool,
  type ToolContext,
  type ToolOutcome,
} from './tool.ts';

interface EditRequest {
  readonly path: string;
  readonly old: string;
  readonly new: string;
  readonly all: boolean;
  readonly crossProfile: boolean;
}

export function patchTool(deps: FileDeps): Tool {
  return defineTool({
    name: 'patch',
    toolset: 'file',
    description:
      'Edit files. mode replace: path, old_string (unique in the file), new_string. mode patch: several files in the ' +
      '`*** Begin Patch` format. Gives the diff back. Use it instead of sed.',
    parameters: parameters({
      mode: optional(oneOf(['replace', 'patch'])),
      path: optional(string()),
      old_string: optional(string()),
      new_string: optional(string()),
      replace_all: optional(boolean()),
      patch: optional(
        string('*** Begin Patch\n*** Update|Add|Delete File: p\n@@ line above\n context\n-old\n+new\n*** End Patch'),
      ),
      cross_profile: optional(boolean()),
    }),
    rewrite: ({ file_path, ...raw }) => ({ ...(file_path !== undefined && { path: file_path }), ...raw }),
    plan(args, ctx) {
      const crossProfile = args.cross_profile ?? false;
      if (args.mode === 'patch' || (args.mode === undefined && args.patch !== undefined)) {
        return planPatch(deps, ctx, args.patch ?? '', crossProfile);
      }
      const { path, old_string: old, new_string: wanted } = args;
      if (path === undefined || old === undefined || wanted === undefined) {
        return refused('patch', 'Mode replace needs path, old_string and new_string.');
      }
      const absolute = absolutePath(deps, ctx.session, path);
      return {
        summary: `edit ${shortPath(absolute, workingFolder(deps, ctx.session))}`,
        concurrency: { reads: [], writes: [absolute] },
        run: () => edit(deps, ctx, { path: absolute, old, new: wanted, all: args.replace_all ?? false, crossProfile }),
      };
    },
  });
}

function refused(summary: string, message: string): Invocation {
  return { summary, concurrency: 'barrier', run: async () => failure('invalid-arguments', message) };
}

function planPatch(deps: FileDeps, ctx: ToolContext, text: string, crossProfile: boolean): Invocation {
  const parsed = parsePatch(text);
  if (!parsed.ok) return refused('patch', parsed.message);
  const absolute = (path: string) => absolutePath(deps, ctx.session, path);
  const operations = parsed.operations.map(
    (operation): FileOperation => ({
      ...operation,
      path: absolute(operation.path),
      ...('moveTo' in operation && operation.moveTo !== undefined && { moveTo: absolute(operation.moveTo) }),
    }),
  );
  const writes = operations.flatMap(pathsOf);
  const cwd = workingFolder(deps, ctx.session);
  return {
    summary: `patch ${writes.map((path) => shortPath(path, cwd)).join(', ')}`,
    concurrency: { reads: [], writes },
    async run() {
      const { applyPatch } = await import('./patch/apply-patch.ts');
      const { withPathLocks } = await import('./files/save.ts');
      return withPathLocks(writes, () => applyPatch(deps, ctx, { operations, crossProfile }));
    },
  };
}

async function edit(deps: FileDeps, ctx: ToolContext, request: EditRequest): Promise<ToolOutcome> {
  const { path } = request;
  const { isSaved, loadForWriting, saveText, withPathLock, writeRefusal } = await import('./files/save.ts');
  const { replaceText } = await import('./patch/replace.ts');
  const { toLf } = await import('./files/text-format.ts');
  const denied = await writeRefusal(deps, ctx, 'patch', path, request.crossProfile);
  if (denied !== undefined) return denied;
  return withPathLock(path, async () => {
    const loaded = await loadForWriting(path);
    if ('refused' in loaded) return loaded.refused;
    const { file } = loaded;
    if (file === undefined) return missing(path);
    const { lineEnd } = file.format;
    const replaced = replaceText(file.text, {
      old: toLf(request.old, lineEnd),
      new: toLf(request.new, lineEnd),
      all: request.all,
    });
    if (!replaced.ok) return notFound(deps, ctx, path, replaced);
    deps.ledger.failures(ctx.session.id, path, false);
    const changedOutside = deps.ledger.compare(ctx.session.id, path, file.stamp) === 'changed';
    if (replaced.text === file.text)
      return jsonOutcome({ success: true, message: replaced.note ?? 'Nothing changed.' });
    const saved = await saveText(deps, ctx, { path, before: file, text: replaced.text });
    if (!isSaved(saved)) return saved;
    const { diff, notes } = saved;
    return jsonOutcome(
      {
        success: true,
        diff: diff.text,
        files_modified: [path],
        ...(replaced.count > 1 && { replacements: replaced.count }),
        ...(replaced.strategy !== 'exact' && { matched_by: replaced.strategy }),
        ...notes,
        ...(changedOutside && {
          _warning: `${path} was changed on disk since you last read it; the edit was made on the new state.`,
        }),
      },
      {
        forUser: `edited ${path} (+${diff.added} −${diff.removed})`,
        detail: diff.text,
        filesChanged: [path],
        masked: true,
      },
    );
  });
}

function notFound(
  deps: FileDeps,
  ctx: ToolContext,
  path: string,
  { code, message, places }: { code: string; message: string; places?: readonly string[] },
): ToolOutcome {
  const times = deps.ledger.failures(ctx.session.id, path, true);
  const hint =
    times >= 3
      ? `This is failure ${times} in a row on this file. Stop guessing: read_file the place now and copy old_string from it, or write the file whole.`
      : undefined;
  return failure(code, `${path}: ${message}`, { ...(places && { places }), ...(hint !== undefined && { hint }) });
}

async function missing(path: string): Promise<ToolOutcome> {
  const { similarPaths } = await import('./files/paths.ts');
  const similar = await similarPaths(path);
  return failure('not-found', `There is no file ${path}. Make it with write_file.`, {
    ...(similar.length > 0 && { similar_files: similar }),
  });
}
