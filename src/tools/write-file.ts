/** `write_file`: a whole file, new or replaced. */
import { absolutePath, type FileDeps, workingFolder } from './files/deps.ts';
import { shortPath } from './files/paths.ts';
import { boolean, optional, parameters, string } from './parameters.ts';
import { defineTool, failure, jsonOutcome, type Tool, type ToolContext, type ToolOutcome } from './tool.ts';

interface Request {
  readonly path: string;
  readonly content: string;
  readonly crossProfile: boolean;
}

export function writeFileTool(deps: FileDeps): Tool {
  return defineTool({
    name: 'write_file',
    toolset: 'file',
    description: 'Write a whole file, replacing what is there; folders are made. To change a part use patch.',
    parameters: parameters({ path: string(), content: string(), cross_profile: optional(boolean()) }),
    rewrite: ({ file_path, ...raw }) => ({ ...(file_path !== undefined && { path: file_path }), ...raw }),
    plan(args, ctx) {
      const path = absolutePath(deps, ctx.session, args.path);
      return {
        summary: `write ${shortPath(path, workingFolder(deps, ctx.session))}`,
        concurrency: { reads: [], writes: [path] },
        run: () => write(deps, ctx, { path, content: args.content, crossProfile: args.cross_profile ?? false }),
      };
    },
  });
}

async function write(deps: FileDeps, ctx: ToolContext, request: Request): Promise<ToolOutcome> {
  const { path, content, crossProfile } = request;
  if (isNumberedDisplay(content)) {
    return failure('display-text', 'The content has the line numbers of read_file (`N|`). Send it without them.');
  }
  const { isSaved, loadForWriting, saveText, withPathLock, writeRefusal } = await import('./files/save.ts');
  const { toLf } = await import('./files/text-format.ts');
  const refused = await writeRefusal(deps, ctx, 'write_file', path, crossProfile);
  if (refused !== undefined) return refused;
  return withPathLock(path, async () => {
    const loaded = await loadForWriting(path);
    if ('refused' in loaded) return loaded.refused;
    const { file } = loaded;
    if (file !== undefined && deps.ledger.compare(ctx.session.id, path, file.stamp) === 'changed') {
      return failure(
        'stale',
        `${path} was changed on disk since you last read it, so it was left alone. Read it again, then write.`,
      );
    }
    const text = file === undefined ? content : toLf(content.replace(/^\ufeff/, ''), file.format.lineEnd);
    const saved = await saveText(deps, ctx, { path, before: file, text });
    if (!isSaved(saved)) return saved;
    const { diff, bytes, notes } = saved;
    return jsonOutcome(
      { success: true, bytes_written: bytes, resolved_path: path, files_modified: [path], ...notes },
      {
        forUser: `${file === undefined ? 'wrote new' : 'wrote'} ${path} (+${diff.added} −${diff.removed})`,
        detail: diff.text,
        filesChanged: [path],
        masked: true,
      },
    );
  });
}

/** Every line numbered in a row, as read_file shows them. */
function isNumberedDisplay(content: string): boolean {
  const lines = content.trimEnd().split('\n');
  const first = Number(/^\s*(\d+)\|/.exec(lines[0] ?? '')?.[1]);
  if (lines.length < 2 || Number.isNaN(first)) return false;
  return lines.every((line, index) => line.trimStart().startsWith(`${first + index}|`));
}
