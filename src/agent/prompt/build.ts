/**
 * The system prompt of a session: three tiers from what never changes to what differs at every rebuild, joined
 * once and then frozen on the session row. Nothing in it depends on the time of day.
 */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { SessionRef } from '../../contracts/turn.ts';
import { localDate, utcOffset, zoneName } from '../../lib/local-time.ts';
import type { ModelInfo } from '../../model/client.ts';
import { environmentHints, type MachineFacts } from './environment.ts';
import {
  DEFAULT_IDENTITY,
  PARALLEL_TOOLS,
  platformHint,
  STEERING,
  TASK_COMPLETION,
  TOOL_GUIDANCE,
} from './guidance.ts';
import { type GuidanceFor, modelGuidance } from './model-guidance.ts';
import { capMiddle, loadProjectFiles } from './project-files.ts';

export interface PromptOptions {
  /** Absolute path of the profile's home. */
  readonly home: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** No SOUL.md, project files or memory. */
  readonly ignoreRules: boolean;
  readonly taskCompletionGuidance: boolean;
  readonly parallelToolGuidance: boolean;
  readonly environmentHint: string;
  /** `agent.tool_use_enforcement` and `agent.execution_guidance`. */
  readonly guidanceFor: GuidanceFor;
  readonly machine: MachineFacts;
  /** `agent.system_prompt`: the user's own addition. */
  readonly addition: string;
  /** Per source: text to append to the platform hint, or to replace it. */
  readonly platformHints: Readonly<Record<string, { readonly append?: string; readonly replace?: string }>>;
  /** undefined: 20,000 characters, more for wide windows. */
  readonly contextFileMaxChars?: number;
  readonly contextFileReadTimeoutMs: number;
  readonly scan: (text: string) => readonly string[];
  /** Blocks of the volatile tier, in order: skills index, memory, external memory. */
  readonly volatile: readonly { readonly name: string; readonly text: () => Promise<string> }[];
}

export interface PromptBlock {
  readonly name: string;
  readonly text: string;
}

export interface BuiltPrompt {
  readonly text: string;
  readonly blocks: readonly PromptBlock[];
  /** For the user, once. */
  readonly warnings: readonly string[];
}

export async function buildPrompt(
  options: PromptOptions,
  session: SessionRef,
  model: ModelInfo,
  toolNames: readonly string[],
): Promise<BuiltPrompt> {
  const warnings: string[] = [];
  const maxChars = options.contextFileMaxChars ?? contextFileCap(model.contextWindow);
  const stable = stableBlocks(options, session, model, toolNames, await identity(options, maxChars, warnings));
  const context = options.ignoreRules ? [] : await contextBlocks(options, session, maxChars, warnings);
  const blocks = [...stable, ...context, ...(await volatileBlocks(options, session, model))].filter(
    ({ text }) => text !== '',
  );
  return { text: blocks.map(({ text }) => text).join('\n\n'), blocks, warnings };
}

/** 20,000 characters, or 6 % of a wide window, never over 500,000. */
function contextFileCap(contextWindow: number): number {
  return Math.max(20_000, Math.min(Math.floor(contextWindow * 4 * 0.06), 500_000));
}

async function identity(options: PromptOptions, maxChars: number, warnings: string[]): Promise<string> {
  if (options.ignoreRules) return DEFAULT_IDENTITY;
  const path = join(options.home, 'SOUL.md');
  const text = (await readFile(path, 'utf8').catch(() => '')).replace(/^\uFEFF/, '').trim(); // absent: built-in identity
  if (text === '') return DEFAULT_IDENTITY;
  const ids = options.scan(text);
  // The user's own file: a rule against injections may quote one, so it is loaded, and the user is told.
  if (ids.length > 0)
    warnings.push(
      `${path} holds wording that looks like a prompt injection (${ids.join(', ')}); it was loaded because it is yours.`,
    );
  return capMiddle(text, maxChars, path);
}

function stableBlocks(
  options: PromptOptions,
  session: SessionRef,
  model: ModelInfo,
  toolNames: readonly string[],
  soul: string,
): readonly PromptBlock[] {
  const guidance = [
    options.taskCompletionGuidance && toolNames.length > 0 ? TASK_COMPLETION : '',
    options.parallelToolGuidance && toolNames.length > 1 ? PARALLEL_TOOLS : '',
    ...TOOL_GUIDANCE.filter(([tool]) => toolNames.includes(tool)).map(([, text]) => text),
    session.door.interactive && toolNames.length > 0 ? STEERING : '',
    ...(toolNames.length > 0 ? modelGuidance(model.model, options.guidanceFor) : []),
  ];
  const hint = options.platformHints[session.source];
  return [
    { name: 'identity', text: soul },
    { name: 'guidance', text: guidance.filter((text) => text !== '').join('\n') },
    {
      name: 'environment',
      text: [...environmentHints(options.machine), options.environmentHint].filter(Boolean).join('\n'),
    },
    {
      name: 'platform',
      text: hint?.replace ?? [platformHint(session.source), hint?.append ?? ''].filter(Boolean).join(' '),
    },
    { name: 'user addition', text: options.addition },
  ];
}

async function contextBlocks(
  options: PromptOptions,
  session: SessionRef,
  maxChars: number,
  warnings: string[],
): Promise<readonly PromptBlock[]> {
  const files = await loadProjectFiles({
    cwd: session.cwd,
    home: options.home,
    maxChars,
    readTimeoutMs: options.contextFileReadTimeoutMs,
    scan: options.scan,
  });
  warnings.push(...files.warnings);
  return [{ name: 'project files', text: files.text }];
}

async function volatileBlocks(
  options: PromptOptions,
  session: SessionRef,
  model: ModelInfo,
): Promise<readonly PromptBlock[]> {
  const now = new Date();
  const facts = [
    `Date: ${localDate(now)} (${zoneName(options.env)}, ${utcOffset(now)})`,
    `Model: ${model.model} (${model.provider})`,
    `System: ${process.platform} ${process.arch}, working directory ${session.cwd}`,
    ...(session.profile === 'default' ? [] : [`Profile: ${session.profile}`]),
  ];
  const given = options.ignoreRules
    ? []
    : await Promise.all(options.volatile.map(async ({ name, text }) => ({ name, text: await text() })));
  return [...given, { name: 'facts', text: facts.join('\n') }];
}
