/** The `terminal` tool: shell commands, in the foreground or as background processes. */
import { isAbsolute, resolve } from 'node:path';
import type { SessionRef } from '../contracts/turn.ts';
import { AppError, describeError } from '../lib/errors.ts';
import type { Approvals } from '../security/approvals.ts';
import type { AssessContext, Assessment } from '../security/command/assessment.ts';
import type { Redact } from '../security/redact.ts';
import type { ExecResult, ExecutionBackend } from '../terminal/backend.ts';
import type { BackgroundProcesses } from '../terminal/background.ts';
import { cleanOutput } from '../terminal/clean-output.ts';
import { exitMeaning } from '../terminal/exit-codes.ts';
import { foregroundProblem, interactionHint } from '../terminal/foreground.ts';
import { type CollectedOutput, createOutputCollector } from '../terminal/output.ts';
import type { SessionFolders } from '../terminal/session-folders.ts';
import { boolean, integer, list, optional, parameters, string } from './parameters.ts';
import { defineTool, failure, jsonOutcome, type Tool, type ToolContext, type ToolOutcome } from './tool.ts';

export interface TerminalToolDeps {
  readonly backend: ExecutionBackend;
  readonly background: Pick<BackgroundProcesses, 'start'>;
  readonly approvals: Approvals;
  assess(command: string, context: AssessContext): Promise<Assessment>;
  /** The whole environment of a session's commands. */
  env(session: SessionRef): Readonly<Record<string, string>>;
  readonly folders: SessionFolders;
  readonly redact: Redact;
  /** Full texts of long outputs. */
  readonly spillDir: string;
  readonly userHome: string;
  readonly hermesHome: string;
  /** Milliseconds of a call that names none, and of the longest allowed. Default 180,000 and 600,000. */
  readonly timeoutMs?: number;
  readonly maxTimeoutMs?: number;
  /** Characters of one result. Default 50,000. */
  readonly maxChars?: number;
}

interface TerminalArgs {
  readonly command: string;
  readonly background?: boolean;
  readonly timeout?: number;
  readonly workdir?: string;
  readonly notify_on_complete?: boolean;
  readonly watch_patterns?: readonly string[];
}

/** Spellings of "no particular folder". */
const unset = new Set(['', '.', './', 'auto', 'cwd']);

export function terminalTool(deps: TerminalToolDeps): Tool {
  return defineTool({
    name: 'terminal',
    toolset: 'terminal',
    description:
      'Run a bash command. Folder, exported variables and functions carry over. Input is closed: use non-interactive flags. For servers and long jobs set background, then use process.',
    parameters: parameters({
      command: string(),
      background: optional(boolean()),
      timeout: optional(integer('seconds, default 180')),
      workdir: optional(string('for this call')),
      notify_on_complete: optional(boolean('background: tell at the end')),
      watch_patterns: optional(list(string(), 'background: tell when a line holds one')),
    }),
    maxResultChars: Number.POSITIVE_INFINITY,
    plan: (args: TerminalArgs, ctx) => ({
      summary: summaryOf(args),
      concurrency: 'barrier',
      run: () => runCommand(deps, args, ctx),
    }),
  });
}

function summaryOf({ command, background }: TerminalArgs): string {
  const [first = '', ...more] = command.trim().split('\n');
  return `${background ? 'background: ' : '$ '}${first}${more.length > 0 ? ` … (${more.length + 1} lines)` : ''}`;
}

async function runCommand(deps: TerminalToolDeps, args: TerminalArgs, ctx: ToolContext): Promise<ToolOutcome> {
  const { session, io } = ctx;
  const maxSeconds = Math.floor((deps.maxTimeoutMs ?? 600_000) / 1000);
  if (args.command.trim() === '') return failure('empty-command', 'The command is empty.');
  if (args.timeout !== undefined && args.timeout < 1)
    return failure('bad-timeout', 'timeout must be at least 1 second.');
  if (!args.background) {
    if (args.timeout !== undefined && args.timeout > maxSeconds) {
      return failure(
        'bad-timeout',
        `timeout may be at most ${maxSeconds} seconds; run longer work with background=true.`,
      );
    }
    const problem = foregroundProblem(args.command);
    if (problem !== undefined) return failure('use-background', problem);
  }
  const here = deps.folders.get(session.id, session.cwd);
  const given = unset.has(args.workdir?.trim() ?? '') ? undefined : args.workdir?.trim();
  if (given !== undefined && /[\0\n\r]/.test(given)) return failure('bad-workdir', 'workdir must be a plain path.');
  const cwd = given === undefined ? here : toPath(given, here, deps.userHome);

  const approved = await approve(deps, args, ctx, cwd);
  if (!approved.allowed) {
    return failure('not-approved', approved.reason, { output: '', exit_code: -1, status: 'blocked' });
  }
  const more = approved.asked ? { approval: 'The user approved this command.' } : {};
  if (args.background) return startBackground(deps, args, session, cwd, more);
  const collector = createOutputCollector({
    name: `terminal-${ctx.callId}`,
    spillDir: deps.spillDir,
    ...(deps.maxChars !== undefined && { maxChars: deps.maxChars }),
  });
  const progress = createProgress((text) => ctx.progress(deps.redact(text)));
  const timeoutMs = args.timeout === undefined ? (deps.timeoutMs ?? 180_000) : args.timeout * 1000;
  const result = await deps.backend.exec(session.id, args.command, {
    cwd,
    env: deps.env(session),
    timeoutMs,
    signal: io.signal,
    onOutput: (text) => {
      collector.push(text);
      progress.push(text);
    },
  });
  progress.flush();
  if (given === undefined) deps.folders.set(session.id, result.cwd);
  return present(deps, args, { result, collected: collector.finish(), timeoutMs, more, moved: result.cwd !== cwd });
}

async function approve(deps: TerminalToolDeps, args: TerminalArgs, ctx: ToolContext, cwd: string) {
  const listCommands = deps.approvals.wantsCommands;
  const assessment = await deps.assess(args.command, {
    home: deps.userHome,
    hermesHome: deps.hermesHome,
    cwd,
    listCommands,
  });
  return deps.approvals.check({ ...assessment, session: ctx.session, tool: 'terminal', action: args.command }, ctx.io);
}

function toPath(given: string, here: string, home: string): string {
  if (given === '~' || given.startsWith('~/')) return home + given.slice(1);
  return isAbsolute(given) ? given : resolve(here, given);
}

async function startBackground(
  deps: TerminalToolDeps,
  args: TerminalArgs,
  session: SessionRef,
  cwd: string,
  more: Record<string, unknown>,
): Promise<ToolOutcome> {
  try {
    const view = await deps.background.start({
      sessionId: session.id,
      command: args.command,
      cwd,
      env: deps.env(session),
      notifyOnComplete: args.notify_on_complete ?? false,
      watchPatterns: args.watch_patterns ?? [],
    });
    const both = args.notify_on_complete && (args.watch_patterns?.length ?? 0) > 0;
    const note = both ? { note: 'watch_patterns is ignored beside notify_on_complete.' } : {};
    const value = {
      output: 'Started in the background.',
      session_id: view.id,
      pid: view.pid,
      exit_code: 0,
      error: null,
      ...more,
      ...note,
    };
    return jsonOutcome(value, { forUser: `started ${view.id}` });
  } catch (error) {
    if (error instanceof AppError) return failure(error.code, describeError(error));
    throw error;
  }
}

interface Finished {
  readonly result: ExecResult;
  readonly collected: CollectedOutput;
  readonly timeoutMs: number;
  readonly more: Record<string, unknown>;
  readonly moved: boolean;
}

function present(deps: TerminalToolDeps, args: TerminalArgs, finished: Finished): ToolOutcome {
  const { result, collected, timeoutMs, more, moved } = finished;
  const output = deps.redact(collected.text).trimEnd();
  const { exitCode } = result;
  const error = result.timedOut
    ? `The command was ended after ${timeoutMs / 1000} seconds. Give it a longer timeout, or run it with background=true.`
    : result.aborted
      ? '[Command interrupted]'
      : null;
  const meaning = error === null ? exitMeaning(args.command, exitCode) : undefined;
  const hint = exitCode === 0 ? undefined : interactionHint(output);
  const value = {
    output,
    exit_code: exitCode,
    error,
    ...(meaning !== undefined && { exit_code_meaning: meaning.text }),
    ...(hint !== undefined && { hint }),
    ...(moved && args.workdir === undefined && { cwd: result.cwd }),
    ...(collected.spillPath !== undefined && { full_output: collected.spillPath, total_chars: collected.totalChars }),
    ...more,
  };
  const failed = exitCode !== 0 && meaning?.benign !== true;
  const code = result.timedOut ? 'timed-out' : result.aborted ? 'interrupted' : 'exit-code';
  return jsonOutcome(value, {
    masked: true,
    exitCode,
    forUser: `exit ${exitCode}${meaning === undefined ? '' : ` (${meaning.text})`}`,
    ...(output !== '' && { detail: output }),
    ...(failed && { isError: true, code }),
  });
}

/** A door that shows live output needs no more of it, in characters; the result holds the rest. */
const maxProgressChars = 64_000;

/** Whole lines for the door, so that no secret is cut in two before it is masked. */
function createProgress(show: (text: string) => void): { push(text: string): void; flush(): void } {
  let rest = '';
  let sent = 0;
  const send = (text: string): void => {
    sent += text.length;
    if (text !== '') show(cleanOutput(text));
  };
  return {
    push: (text) => {
      if (sent > maxProgressChars) return;
      rest += text;
      const end = rest.lastIndexOf('\n') + 1;
      if (end === 0 && rest.length < 4000) return;
      send(end === 0 ? rest : rest.slice(0, end));
      rest = end === 0 ? '' : rest.slice(end);
    },
    flush: () => {
      send(rest);
      rest = '';
    },
  };
}
