/** `memory`: notes that outlive the session. */
import type { MemoryOperation, MemoryTarget, MemoryUsage, MemoryWrite, PromptMemory } from '../memory/prompt-memory.ts';
import { list, object, oneOf, optional, parameters, string } from './parameters.ts';
import { defineTool, failure, jsonOutcome, type Tool, type ToolContext, type ToolOutcome } from './tool.ts';

export interface MemoryToolDeps {
  readonly memory: PromptMemory;
  /** Stores that are on; none = no tool. */
  readonly targets: readonly MemoryTarget[];
}

interface GivenOperation {
  readonly action?: string | undefined;
  readonly content?: string | undefined;
  readonly old_text?: string | undefined;
}

const ACTIONS = ['add', 'replace', 'remove'] as const;
const MAX_FAILED_CONSOLIDATIONS = 3;

export function memoryTool({ memory, targets }: MemoryToolDeps): Tool {
  const [first = 'memory', ...more] = targets;
  const failed = consolidationCounter();
  return defineTool({
    name: 'memory',
    toolset: 'memory',
    description:
      `Keep short durable facts for later sessions (they enter the prompt then). ${describe(targets)} ` +
      'old_text: a unique part of the entry meant; replace needs the whole new entry as content. Several changes: operations.',
    parameters: parameters({
      target: oneOf([first, ...more]),
      action: optional(oneOf(ACTIONS)),
      content: optional(string()),
      old_text: optional(string()),
      operations: optional(
        list(object({ action: oneOf(ACTIONS), content: optional(string()), old_text: optional(string()) })),
      ),
    }),
    rewrite: (raw) => ({
      ...aliased(raw),
      ...(Array.isArray(raw.operations) && { operations: raw.operations.map(aliased) }),
    }),
    available: async () => targets.length > 0 || { reason: 'both memory stores are switched off' },
    plan(args, ctx) {
      const { target } = args;
      // A read comes in as no action at all: see `aliased`.
      const reads = args.action === undefined && args.operations === undefined;
      const given: readonly GivenOperation[] = args.operations ?? [args];
      return {
        summary: reads ? `read ${target} notes` : `${given.map(({ action }) => action).join(', ')} ${target} note`,
        concurrency: 'barrier',
        run: () => (reads ? read(memory, target) : write(memory, ctx, { target, given, failed })),
      };
    },
  });
}

function describe(targets: readonly MemoryTarget[]): string {
  const parts = targets.map((target) =>
    target === 'user'
      ? 'user: who they are, what they prefer.'
      : 'memory: your notes on environment, conventions, lessons.',
  );
  return parts.join(' ');
}

/** `delete` for remove; `read` for nothing to do. */
function aliased(raw: unknown): Record<string, unknown> {
  if (typeof raw !== 'object' || raw === null) return {};
  const { action, ...rest } = raw as Record<string, unknown>;
  const word = typeof action === 'string' ? action.trim().toLowerCase() : action;
  if (word === undefined || word === 'read') return rest;
  return { ...rest, action: word === 'delete' ? 'remove' : word };
}

async function read(memory: PromptMemory, target: MemoryTarget): Promise<ToolOutcome> {
  const { screened, usage } = await memory.entries(target);
  return jsonOutcome({
    success: true,
    target,
    entries: screened,
    usage: usageText(usage),
    entry_count: screened.length,
  });
}

interface WriteRequest {
  readonly target: MemoryTarget;
  readonly given: readonly GivenOperation[];
  readonly failed: ConsolidationCounter;
}

async function write(memory: PromptMemory, ctx: ToolContext, request: WriteRequest): Promise<ToolOutcome> {
  const { target, given, failed } = request;
  const operations: MemoryOperation[] = [];
  for (const one of given) {
    const operation = toOperation(one);
    if (typeof operation === 'string') return incomplete(memory, target, operation);
    operations.push(operation);
  }
  const written = await memory.write(target, operations);
  if (written.ok) {
    failed.reset(ctx);
    return success(target, written, operations);
  }
  if (written.code !== 'over-limit') return refusal(written);
  const times = failed.count(ctx);
  if (times < MAX_FAILED_CONSOLIDATIONS) return refusal(written);
  return failure(
    'over-limit',
    `Notes could not be made to fit in ${times} tries. Leave them as they are now and go on with your reply.`,
    { success: false, done: true, usage: usageText(written.usage) },
  );
}

function toOperation({ action, content, old_text: oldText }: GivenOperation): MemoryOperation | string {
  if (action === 'add') return { action, content: content ?? '' };
  if (action === 'remove') return oldText === undefined ? 'remove needs old_text.' : { action, oldText };
  if (action !== 'replace') return 'An operation needs an action: add, replace or remove.';
  if (oldText === undefined) return 'replace needs old_text, a part of the entry that is meant.';
  return { action, oldText, content: content ?? '' };
}

async function incomplete(memory: PromptMemory, target: MemoryTarget, message: string): Promise<ToolOutcome> {
  const { screened, usage } = await memory.entries(target);
  return failure('invalid', message, { success: false, current_entries: screened, usage: usageText(usage) });
}

function success(
  target: MemoryTarget,
  written: Extract<MemoryWrite, { ok: true }>,
  operations: readonly MemoryOperation[],
): ToolOutcome {
  return jsonOutcome(
    {
      success: true,
      done: true,
      target,
      usage: usageText(written.usage),
      entry_count: written.entryCount,
      message: written.message,
      note: 'Saved; nothing more to do for it. It enters the prompt of later sessions.',
    },
    {
      forUser: `${target} notes: ${written.message}`,
      detail: operations.map((one) => ('content' in one ? `+ ${one.content}` : `- ${one.oldText}`)).join('\n'),
    },
  );
}

function refusal({ code, message, usage, entries, backup }: Extract<MemoryWrite, { ok: false }>): ToolOutcome {
  return failure(code, message, {
    success: false,
    ...(backup !== undefined && { drift_backup: backup }),
    ...(entries !== undefined && { current_entries: entries }),
    usage: usageText(usage),
  });
}

/** `67% — 1,474/2,200 chars`; over the limit the true numbers show it. */
function usageText({ used, limit }: MemoryUsage): string {
  const percent = limit > 0 ? Math.min(100, Math.floor((used * 100) / limit)) : 100;
  return `${percent}% — ${used.toLocaleString('en-US')}/${limit.toLocaleString('en-US')} chars`;
}

interface ConsolidationCounter {
  count(ctx: ToolContext): number;
  reset(ctx: ToolContext): void;
}

/** Counted per turn: each turn has its own surroundings, so nothing has to be told when one begins. */
function consolidationCounter(): ConsolidationCounter {
  const failed = new WeakMap<AbortSignal, number>();
  return {
    count({ io }) {
      const times = (failed.get(io.signal) ?? 0) + 1;
      failed.set(io.signal, times);
      return times;
    },
    reset: ({ io }) => void failed.delete(io.signal),
  };
}
