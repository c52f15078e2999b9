/**
 * All tools there are, and the way of a call through one of them. Registered is not exposed: what a model is
 * offered follows from the exposure. Nothing here throws to the loop: whatever goes wrong becomes a result.
 */
import type { ToolResultMessage, ToolSchema } from '../contracts/message.ts';
import type { Receipt, ToolResultView } from '../contracts/turn.ts';
import { errorText } from '../lib/errors.ts';
import { type Availability, createAvailability } from './availability.ts';
import { fitBatch } from './batch-budget.ts';
import { type PreparedCall, prepareCall, type ReceivedCall } from './prepare.ts';
import { runInvocation } from './run-invocation.ts';
import { toolSchema } from './schema.ts';
import { cutError, limitError, shapeResult } from './shape-result.ts';
import { createSpill } from './spill.ts';
import type { Tool, ToolContext, ToolOutcome } from './tool.ts';
import { type Exposure, exposedTools } from './toolsets.ts';

export interface ResultLimits {
  /** Characters of one result. */
  readonly resultChars: number;
  /** Characters of one result of an MCP server's tool. */
  readonly mcpResultChars: number;
  /** Characters of all results of one reply. */
  readonly batchChars: number;
}

const DEFAULT_LIMITS: ResultLimits = { resultChars: 100_000, mcpResultChars: 50_000, batchChars: 200_000 };

/** Limits for a model's window: 15 % and 30 % of it, never above the defaults, with floors that keep tools usable. */
export function limitsForWindow(contextTokens: number): ResultLimits {
  const chars = contextTokens * 4;
  const resultChars = Math.min(DEFAULT_LIMITS.resultChars, Math.max(8_000, Math.floor(chars * 0.15)));
  return {
    resultChars,
    mcpResultChars: Math.min(DEFAULT_LIMITS.mcpResultChars, resultChars),
    batchChars: Math.min(DEFAULT_LIMITS.batchChars, Math.max(16_000, Math.floor(chars * 0.3))),
  };
}

export interface RegistryOptions {
  readonly tools: readonly Tool[];
  /** Absolute: `<home>/cache/spillover`. */
  readonly spillDir: string;
  /** Masks secrets in everything shown to model or person. */
  readonly redact?: (text: string) => string;
  /** A tool that had to be left out, an unknown toolset. One sentence. */
  readonly warn?: (text: string) => void;
  /** Told after each call, in whatever order calls end. */
  readonly afterCall?: (tool: string, sessionId: string) => void;
  readonly now?: () => number;
}

export interface ExecutedCall {
  readonly result: ToolResultMessage;
  readonly view: ToolResultView;
  readonly receipt: Receipt;
}

export interface ToolStatus {
  readonly name: string;
  readonly toolset: string;
  readonly enabled: boolean;
  /** Why it is not offered. */
  readonly reason?: string;
}

export interface ToolRegistry {
  /** Same name and toolset: replaced. Same name in another toolset: refused with a warning, the old one kept. */
  add(tools: readonly Tool[]): void;
  remove(names: readonly string[]): void;
  /** What a model is offered, sorted by name. Equal exposures of equal tools give equal bytes. */
  definitions(exposure?: Exposure): Promise<readonly ToolSchema[]>;
  /** Every registered tool, with the reason where it is not offered. */
  statuses(exposure?: Exposure): Promise<readonly ToolStatus[]>;
  /**
   * Finds the tool, brings the arguments into shape and plans the call. Never throws: a call that cannot be made
   * is `rejected`, and running it gives the explanation as its result.
   * @param offered names the session's prefix holds; others are refused. All when absent.
   */
  prepare(call: ReceivedCall, ctx: ToolContext, offered?: readonly string[]): PreparedCall;
  /** Runs it. Never rejects; settles soon after the turn's signal aborts, whatever the tool does. */
  execute(prepared: PreparedCall, limits?: ResultLimits): Promise<ExecutedCall>;
  /** Spills the largest results of one reply to files until all fit together. */
  fitBatch(calls: readonly ExecutedCall[], limits?: ResultLimits): Promise<readonly ExecutedCall[]>;
  /** Removes spilled results older than a day. */
  prune(): Promise<void>;
}

export function createToolRegistry(options: RegistryOptions): ToolRegistry {
  const { redact = asIs, warn = () => {}, now = Date.now } = options;
  const tools = new Map<string, Tool>();
  const schemas = new WeakMap<Tool, ToolSchema>();
  const spill = createSpill({ dir: options.spillDir, now });
  const available = createAvailability(now);

  function add(added: readonly Tool[]): void {
    for (const tool of added) {
      const old = tools.get(tool.name);
      if (old !== undefined && old.toolset !== tool.toolset) {
        warn(`Tool ${tool.name} of ${tool.toolset} was left out: ${old.toolset} already has one of that name.`);
      } else {
        tools.set(tool.name, tool);
      }
    }
  }

  async function schemaOf(tool: Tool): Promise<ToolSchema | undefined> {
    const kept = schemas.get(tool);
    if (kept !== undefined) return kept;
    try {
      const schema = await toolSchema(tool);
      schemas.set(tool, schema);
      return schema;
    } catch (error) {
      warn(`Tool ${tool.name} was left out: its schema cannot be used (${errorText(error)}).`);
      return undefined;
    }
  }

  function maxCharsOf(tool: Tool | undefined, limits: ResultLimits): number {
    if (tool?.maxResultChars === Number.POSITIVE_INFINITY) return tool.maxResultChars;
    const base = tool?.name.startsWith('mcp_') ? limits.mcpResultChars : limits.resultChars;
    return Math.min(tool?.maxResultChars ?? base, base);
  }

  async function execute(prepared: PreparedCall, limits: ResultLimits = DEFAULT_LIMITS): Promise<ExecutedCall> {
    const started = performance.now();
    const outcome = limitOutcomeError(await runInvocation(prepared));
    const content = await shapeResult(outcome.forModel, {
      callId: prepared.callId,
      toolName: prepared.name,
      maxChars: maxCharsOf(prepared.tool, limits),
      untrusted: prepared.tool?.untrusted ?? false,
      redact: outcome.masked === true ? asIs : redact,
      spill,
    });
    if (prepared.tool !== undefined) options.afterCall?.(prepared.name, prepared.ctx.session.id);
    return report(prepared, outcome, [...content], Math.round(performance.now() - started));
  }

  function report(
    prepared: PreparedCall,
    outcome: ToolOutcome,
    content: ToolResultMessage['content'],
    durationMs: number,
  ): ExecutedCall {
    const ok = outcome.isError !== true;
    const at = now();
    const { callId, name } = prepared;
    const summary = redact(oneLine(outcome.forUser ?? prepared.view.summary));
    return {
      result: {
        role: 'toolResult',
        toolCallId: callId,
        toolName: name,
        content,
        isError: !ok,
        timestamp: at,
        durationMs,
      },
      view: {
        ok,
        summary,
        durationMs,
        ...(outcome.detail !== undefined && {
          detail: outcome.masked === true ? outcome.detail : redact(outcome.detail),
        }),
      },
      receipt: {
        callId,
        tool: name,
        at,
        ok,
        ...(outcome.exitCode !== undefined && { exitCode: outcome.exitCode }),
        ...(outcome.filesChanged !== undefined && { filesChanged: outcome.filesChanged }),
      },
    };
  }

  async function statuses(exposure: Exposure = {}): Promise<readonly ToolStatus[]> {
    const { names } = exposedTools(exposure, [...tools.values()]);
    const sorted = [...tools.values()].sort((a, b) => (a.name < b.name ? -1 : 1));
    return Promise.all(sorted.map(async (tool) => statusOf(tool, names.has(tool.name), await available(tool))));
  }

  add(options.tools);
  return {
    add,
    remove(names) {
      for (const name of names) tools.delete(name);
    },
    async definitions(exposure = {}) {
      const { names, notices } = exposedTools(exposure, [...tools.values()]);
      for (const notice of notices) warn(notice);
      const chosen = [...tools.values()].filter((tool) => names.has(tool.name));
      const found = await Promise.all(
        chosen.map(async (tool) => ((await available(tool)) === true ? schemaOf(tool) : undefined)),
      );
      return found.filter((schema) => schema !== undefined).sort((a, b) => (a.name < b.name ? -1 : 1));
    },
    statuses,
    prepare: (call, ctx, offered) => prepareCall(call, ctx, tools, offered, (tool) => schemas.get(tool)?.parameters),
    execute,
    fitBatch: (calls, limits = DEFAULT_LIMITS) => fitBatch(calls, { maxChars: limits.batchChars, spill, isPinned }),
    prune: () => spill.prune(),
  };

  function isPinned(name: string): boolean {
    return tools.get(name)?.maxResultChars === Number.POSITIVE_INFINITY;
  }
}

function statusOf(tool: Tool, exposed: boolean, available: Availability): ToolStatus {
  const { name, toolset } = tool;
  if (!exposed) return { name, toolset, enabled: false, reason: `toolset ${toolset} is off` };
  return available === true ? { name, toolset, enabled: true } : { name, toolset, enabled: false, ...available };
}

function limitOutcomeError(outcome: ToolOutcome): ToolOutcome {
  if (outcome.isError !== true || outcome.exitCode !== undefined) return outcome;
  const forModel = outcome.forModel.map((block) =>
    block.type === 'text' ? { ...block, text: limitError(block.text) } : block,
  );
  return { ...outcome, forModel, ...(outcome.forUser !== undefined && { forUser: cutError(outcome.forUser) }) };
}

function asIs(text: string): string {
  return text;
}

function oneLine(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}
