/** One question, worked through to its answer, printed in the form that was asked for. */
import { statSync } from 'node:fs';
import type { App, AppOptions } from '../app.ts';
import type { AgentEvent, SessionRef, TurnResult, UserInput } from '../contracts/turn.ts';
import { AppError } from '../lib/errors.ts';
import type { ReasoningEffort } from '../model/client.ts';
import type { ModelSelection } from '../model/models.ts';
import { createAsk } from './ask.ts';
import { type CliContext, inputKind } from './context.ts';
import { interruptionCode } from './interruption.ts';
import { createPrinter, type Form } from './print/printer.ts';
import { usageError } from './usage-error.ts';
import type { OpenApp } from './with-app.ts';

export interface TurnRequest {
  readonly form: Form;
  readonly verbose: boolean;
  readonly input: UserInput;
  /** Absolute path. */
  readonly cwd: string;
  /** The user named `cwd`, so a resumed session moves there. */
  readonly cwdGiven: boolean;
  readonly restoreCwd: boolean;
  readonly resume: string | undefined;
  readonly selection: ModelSelection;
  readonly toolsets: readonly string[] | undefined;
  readonly maxTurns: number | undefined;
  readonly reasoning: ReasoningEffort | undefined;
  readonly source: string;
  readonly usageFile: string | undefined;
  readonly yolo: boolean;
  readonly ignoreRules: boolean;
  readonly ignoreUserConfig: boolean;
}

export async function runTurn(request: TurnRequest, ctx: CliContext, openApp: OpenApp): Promise<number> {
  if (request.cwdGiven && !isFolder(request.cwd)) throw usageError(`There is no folder ${request.cwd}.`);
  const record = new TurnRecord();
  let failure: unknown;
  let code = 1;
  try {
    code = await withApp(request, ctx, openApp, record);
    return code;
  } catch (error) {
    failure = error;
    if (request.form === 'json') await printJsonFailure(error, ctx);
    throw error;
  } finally {
    if (request.usageFile !== undefined) {
      const { writeUsageFile } = await import('./usage-file.ts');
      await writeUsageFile(request.usageFile, { ...record, failure });
    }
  }
}

/** What the usage file tells, as far as the turn got. */
class TurnRecord {
  sessionId: string | undefined;
  model: string | undefined;
  provider: string | undefined;
  result: TurnResult | undefined;

  note(event: AgentEvent): void {
    if (event.type !== 'turn_start') return;
    this.model = event.model;
    this.provider = event.provider;
  }
}

async function withApp(request: TurnRequest, ctx: CliContext, openApp: OpenApp, record: TurnRecord): Promise<number> {
  const interactive = request.form === 'feed' && inputKind(ctx) === 'terminal' && ctx.stderr.isTTY === true;
  const app = await openApp(appOptions(request, ctx, interactive));
  try {
    if (request.toolsets !== undefined && request.toolsets.length > 0) await checkToolsets(request.toolsets, app);
    await tellFaults(app, request, ctx);
    const session = await openSession(app, request);
    record.sessionId = session.id;
    if (request.reasoning !== undefined) app.agent.setReasoning(session.id, request.reasoning);
    let printer = createPrinter(request.form, ctx, { verbose: request.verbose });
    for (const text of app.warnings) printer.emit({ type: 'status', kind: 'warning', text });
    const emit = (event: AgentEvent) => {
      record.note(event);
      printer.emit(event);
    };
    const ask = createAsk(ctx, { interactive, notice: (text) => printer.notice(text) });
    const turn = async (ref: SessionRef, input: UserInput): Promise<TurnResult> => {
      const result = await app.agent.run(ref, input, { emit, ask, signal: ctx.signal });
      record.result = result;
      record.sessionId = result.sessionId;
      // Whoever read along has left (`| head -1`) and knows all that was wanted.
      if (interruptionCode(ctx.signal) !== 0) printer.end(result);
      return result;
    };
    let result = await turn(session, request.input);
    // Only the terminal tool leaves processes behind; without one there is nothing to look for.
    if (result.stop === 'done' && result.receipts.some(({ tool }) => tool === 'terminal')) {
      const { linger, longestWaitMs } = await import('./linger.ts');
      result = await linger(result, {
        app,
        signal: ctx.signal,
        maxWaitMs: () => longestWaitMs(ctx, request.ignoreUserConfig),
        run(text) {
          printer = createPrinter(request.form, ctx, { verbose: request.verbose });
          return turn({ ...session, id: record.sessionId ?? session.id }, { content: [{ type: 'text', text }] });
        },
        onGivenUp: (running) =>
          printer.notice(`Waited long enough: ${running} of the background processes had not ended and were stopped.`),
      });
    }
    await writeDown(app.warnings, record, ctx);
    return interruptionCode(ctx.signal) ?? turnCode(result);
  } finally {
    await app.close();
  }
}

/** The forms for scripts show no warnings, but the demo must not stand in for the model of a file nobody could read. */
async function tellFaults({ faults, models }: App, request: TurnRequest, ctx: CliContext): Promise<void> {
  const [first] = faults;
  if (first === undefined) return;
  const chosen = Object.values(request.selection).some((value) => value !== undefined);
  if (!chosen && (await models.resolve()).info.demo) throw new AppError('config-unreadable', first);
  if (request.form === 'answer') for (const text of faults) ctx.stderr.write(`hermes: ${text}\n`);
}

/** A wrong name among right ones is skipped with a notice; a turn without any of what was asked for is no use. */
async function checkToolsets(names: readonly string[], app: App): Promise<void> {
  const { exposedTools } = await import('../tools/toolsets.ts');
  const { notices } = exposedTools({ enabled: names, custom: app.customToolsets }, await app.tools());
  if (notices.length < names.length) return;
  throw usageError(notices[0] ?? `There is no toolset ${names.join(', ')}.`);
}

/** Comes after the answer, which nobody should wait for. A log that cannot be opened stops nothing. */
async function writeDown(warnings: readonly string[], record: TurnRecord, ctx: CliContext): Promise<void> {
  const { result, model, provider } = record;
  if (result === undefined) return;
  try {
    const { openLog } = await import('./open-log.ts');
    const log = openLog(ctx);
    const tokens = `${result.usage.input} tokens in, ${result.usage.output} out`;
    const facts = `turn ${result.stop}: ${provider}:${model}, ${result.iterations} model calls, ${tokens}`;
    for (const warning of warnings) log.warn('cli', warning, result.sessionId);
    if (result.error === undefined) log.info('cli', facts, result.sessionId);
    else log.error('cli', `${facts}; ${result.error.code}: ${result.error.message}`, result.sessionId);
  } catch {
    // the turn itself went well
  }
}

/** 2: failed or stopped partway. 1: ended well but said nothing. */
function turnCode(result: TurnResult): number {
  if (result.stop !== 'done') return 2;
  return result.text.trim() === '' ? 1 : 0;
}

function appOptions(request: TurnRequest, ctx: CliContext, interactive: boolean): AppOptions {
  return {
    env: ctx.env,
    cwd: request.cwd,
    profile: ctx.profile,
    source: request.source,
    door: { interactive, markdown: 'plain', images: false, edits: 'apply' },
    selection: request.selection,
    toolsets: request.toolsets,
    maxTurns: request.maxTurns,
    yolo: request.yolo,
    ignoreRules: request.ignoreRules,
    ignoreUserConfig: request.ignoreUserConfig,
  };
}

async function openSession(app: App, request: TurnRequest): Promise<SessionRef> {
  if (request.resume === undefined) return app.newSession(request.cwd);
  const { session } = await app.resumeSession(request.resume);
  // A stored folder may be gone by now; a turn that starts nowhere helps nobody.
  const stay = !request.restoreCwd || !isFolder(session.cwd);
  return stay ? { ...session, cwd: request.cwd } : session;
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}

async function printJsonFailure(error: unknown, ctx: CliContext): Promise<void> {
  const { jsonFailure } = await import('./print/json.ts');
  ctx.stdout.write(jsonFailure(error));
}
