/** Decides what the conversation flags ask for: one turn printed in some form, or the interactive door. */
import { resolve } from 'node:path';
import { REASONING_EFFORTS, type ReasoningEffort } from '../model/client.ts';
import { parseCount } from './args.ts';
import type { ConversationFlags } from './chat-flags.ts';
import { type CliContext, type InteractiveOptions, inputKind } from './context.ts';
import type { TurnRequest } from './run-turn.ts';
import { usageError } from './usage-error.ts';
import { type OpenApp, openRealApp } from './with-app.ts';

export interface ConverseFlags extends ConversationFlags {
  /** `-z TEXT` at the top level; a plain switch under `chat`. */
  readonly oneshot?: string | boolean;
}

export async function converse(flags: ConverseFlags, ctx: CliContext, openApp: OpenApp = openRealApp): Promise<number> {
  const request = turnRequest(flags, ctx);
  if (wantsTerminal(flags, ctx)) return openTerminal(request, ctx);
  const { readInput } = await import('./prompt-input.ts');
  const input = await readInput(
    { prompt: promptText(flags), queryFile: flags.queryFile, images: flags.image ?? [] },
    ctx,
    { quiet: request.form === 'answer' },
  );
  const { runTurn } = await import('./run-turn.ts');
  return runTurn({ ...request, input }, ctx, openApp);
}

function promptText(flags: ConverseFlags): string | undefined {
  return typeof flags.oneshot === 'string' ? flags.oneshot : flags.query;
}

/** A prompt, a form made for programs, or a missing terminal each mean one turn. */
function wantsTerminal(flags: ConverseFlags, ctx: CliContext): boolean {
  if (flags.oneshot !== undefined || flags.query !== undefined || flags.queryFile !== undefined) return false;
  if (flags.json || flags.quiet || inputKind(ctx) !== 'terminal') return false;
  return ctx.stdout.isTTY === true && ctx.openInteractive !== undefined;
}

function openTerminal(request: Omit<TurnRequest, 'input'>, ctx: CliContext): Promise<number> {
  const options: InteractiveOptions = {
    cwd: request.cwd,
    selection: request.selection,
    resume: request.resume,
    restoreCwd: request.restoreCwd,
    toolsets: request.toolsets,
    maxTurns: request.maxTurns,
    reasoning: request.reasoning,
    yolo: request.yolo,
    ignoreRules: request.ignoreRules,
    ignoreUserConfig: request.ignoreUserConfig,
  };
  if (ctx.openInteractive === undefined) throw usageError('There is no terminal to open a conversation in.');
  return ctx.openInteractive(options, ctx);
}

/** @throws AppError `usage` when flags contradict each other or hold no usable value */
function turnRequest(flags: ConverseFlags, ctx: CliContext): Omit<TurnRequest, 'input'> {
  const isAnswer = typeof flags.oneshot === 'string';
  exclusive(flags);
  if (isAnswer && flags.provider !== undefined && flags.model === undefined)
    throw usageError('--provider needs a model with -z.', 'Add `-m MODEL`.');
  return {
    form: isAnswer ? (flags.json ? 'json' : 'answer') : flags.json ? 'json' : flags.quiet ? 'quiet' : 'feed',
    verbose: flags.verbose === true,
    cwd: flags.in === undefined ? ctx.cwd : resolve(ctx.cwd, flags.in),
    cwdGiven: flags.in !== undefined,
    restoreCwd: flags.in === undefined && !flags.noRestoreCwd,
    resume: flags.resume ?? (flags.continue === '' ? 'latest' : flags.continue),
    selection: { model: flags.model, provider: flags.provider },
    toolsets: flags.toolsets
      ?.split(',')
      .map((name) => name.trim())
      .filter((name) => name !== ''),
    maxTurns: flags.maxTurns === undefined ? undefined : parseCount('--max-turns', flags.maxTurns, 1),
    reasoning: reasoningLevel(flags.reasoning),
    source: flags.source ?? (isAnswer ? 'oneshot' : 'cli'),
    usageFile: flags.usageFile === undefined ? undefined : resolve(ctx.cwd, flags.usageFile),
    yolo: isAnswer || flags.yolo === true,
    ignoreRules: flags.ignoreRules === true || flags.safeMode === true,
    ignoreUserConfig: flags.ignoreUserConfig === true || flags.safeMode === true,
  };
}

function exclusive(flags: ConverseFlags): void {
  const given = [
    ['-q', flags.query],
    ['--query-file', flags.queryFile],
    ['-z', typeof flags.oneshot === 'string' ? flags.oneshot : undefined],
  ].filter(([, value]) => value !== undefined);
  if (given.length > 1)
    throw usageError(`${given[0]?.[0]} and ${given[1]?.[0]} both give the question.`, 'Use one of them.');
  if (flags.resume !== undefined && flags.continue !== undefined)
    throw usageError('-r and -c both name a session.', 'Use one of them.');
}

function reasoningLevel(text: string | undefined): ReasoningEffort | undefined {
  if (text === undefined) return undefined;
  const level = REASONING_EFFORTS.find((candidate) => candidate === text);
  if (level === undefined)
    throw usageError(
      `--reasoning does not know ${JSON.stringify(text)}.`,
      `Use one of ${REASONING_EFFORTS.join(', ')}.`,
    );
  return level;
}
