/** The `process` tool: background processes of the terminal. */
import { AppError, describeError } from '../lib/errors.ts';
import type { BackgroundProcesses, ProcessView } from '../terminal/background.ts';
import { integer, oneOf, optional, parameters, string } from './parameters.ts';
import { defineTool, failure, jsonOutcome, type Tool, type ToolContext, type ToolOutcome } from './tool.ts';

export interface ProcessToolDeps {
  readonly background: BackgroundProcesses;
  redact(text: string): string;
  /** Milliseconds of the longest wait. Default 600,000. */
  readonly maxWaitMs?: number;
}

const actions = ['list', 'poll', 'log', 'wait', 'kill', 'write', 'submit', 'close'] as const;

interface ProcessArgs {
  readonly action: (typeof actions)[number];
  readonly session_id?: string;
  readonly data?: string;
  readonly timeout?: number;
  readonly offset?: number;
  readonly limit?: number;
}

export function processTool(deps: ProcessToolDeps): Tool {
  return defineTool({
    name: 'process',
    toolset: 'terminal',
    description:
      'Background processes. poll: new output. log: lines. write: raw input; submit adds Enter; close ends it.',
    parameters: parameters({
      action: oneOf(actions),
      session_id: optional(string()),
      data: optional(string()),
      timeout: optional(integer('wait: seconds')),
      offset: optional(integer()),
      limit: optional(integer()),
    }),
    plan: (args: ProcessArgs, ctx) => ({
      summary: args.session_id === undefined ? `process ${args.action}` : `process ${args.action} ${args.session_id}`,
      concurrency: 'barrier',
      run: () => runAction(deps, args, ctx),
    }),
  });
}

async function runAction(deps: ProcessToolDeps, args: ProcessArgs, ctx: ToolContext): Promise<ToolOutcome> {
  const { background } = deps;
  try {
    if (args.action === 'list') {
      const views = await background.list(ctx.session.id);
      return jsonOutcome({ processes: views.map((view) => describe(deps, view)) }, { masked: true });
    }
    const reference = args.session_id ?? '';
    if (reference === '')
      return failure('missing-session-id', `Action ${args.action} needs session_id; action list shows the ids.`);
    const { sessionId, detached } = background.get(reference);
    if (sessionId !== ctx.session.id && !detached)
      return failure('process-unknown', `There is no background process ${reference} of this session.`);
    return await onProcess(deps, args, reference, ctx);
  } catch (error) {
    if (error instanceof AppError) return failure(error.code, describeError(error));
    throw error;
  }
}

async function onProcess(
  deps: ProcessToolDeps,
  args: ProcessArgs,
  reference: string,
  ctx: ToolContext,
): Promise<ToolOutcome> {
  const { background } = deps;
  switch (args.action) {
    case 'poll': {
      const { view, output } = background.poll(reference);
      return shown(deps, view, { output });
    }
    case 'log': {
      const { view, output, totalLines, firstLine } = background.log(reference, {
        ...(args.offset !== undefined && args.offset > 0 && { offset: args.offset - 1 }),
        ...(args.limit !== undefined && args.limit > 0 && { limit: args.limit }),
      });
      return shown(deps, view, { output, total_lines: totalLines, first_line: firstLine });
    }
    case 'wait': {
      const longest = deps.maxWaitMs ?? 600_000;
      const waitMs = Math.min(longest, args.timeout === undefined ? 180_000 : Math.max(1, args.timeout) * 1000);
      const { view, output } = await background.wait(reference, waitMs, ctx.io.signal);
      const note = view.status === 'running' ? { note: `Still running after ${waitMs / 1000} seconds.` } : {};
      return shown(deps, view, { output, ...note });
    }
    case 'kill':
      return shown(deps, await background.kill(reference), {});
    case 'write':
    case 'submit': {
      if (args.data === undefined && args.action === 'write')
        return failure('missing-data', 'Action write needs data.');
      const text = args.data ?? '';
      await background.write(reference, args.action === 'submit' ? `${text}\n` : text);
      return jsonOutcome({ status: 'ok', written: text.length });
    }
    default:
      background.closeInput(reference);
      return jsonOutcome({ status: 'ok', input: 'closed' });
  }
}

function shown(deps: ProcessToolDeps, view: ProcessView, more: Record<string, unknown>): ToolOutcome {
  const status = view.exitCode === undefined ? view.status : `${view.status}, code ${view.exitCode}`;
  return jsonOutcome({ ...describe(deps, view), ...more }, { masked: true, forUser: `${view.id}: ${status}` });
}

function describe(deps: ProcessToolDeps, view: ProcessView): Record<string, unknown> {
  return {
    session_id: view.id,
    command: deps.redact(view.command),
    status: view.status,
    pid: view.pid,
    ...(view.exitCode !== undefined && { exit_code: view.exitCode }),
    uptime_seconds: Math.max(0, Math.round(((view.endedAt ?? Date.now()) - view.startedAt) / 1000)),
    ...(view.detached && { note: 'Left by an earlier run: its output is lost, it can be killed.' }),
  };
}
