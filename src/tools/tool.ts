/**
 * What a tool is. Adding one is one new file and one line in `index.ts`; a tool that needs a service is made by
 * a function that takes it: `memoryTool(memory)`.
 */
import type { ZodType } from 'zod';
import type { ImageContent, TextContent } from '../contracts/message.ts';
import type { SessionRef, TurnIO } from '../contracts/turn.ts';
import type { Parameters } from './parameters.ts';

export interface ToolContext {
  readonly session: SessionRef;
  readonly io: TurnIO;
  readonly callId: string;
  /** Live output for the door; free to call often. */
  progress(text: string): void;
}

/** How a call may run beside others of the same reply. */
export type Concurrency =
  /** Alone, in order. */
  | 'barrier'
  /** Beside any other parallel call. */
  | 'parallel'
  /** Beside calls whose paths do not overlap with what this one touches (reader/reader overlap is fine). */
  | { readonly reads: readonly string[]; readonly writes: readonly string[] };

/** Validated arguments, able to say what they would do before they do it. */
export interface Invocation {
  /** One line for a person. */
  readonly summary: string;
  readonly concurrency: Concurrency;
  /**
   * Expected failure is an outcome with a code and what to try. A throw is turned into such an outcome by the
   * registry. Ends soon after `ctx.io.signal` aborts.
   */
  run(): Promise<ToolOutcome>;
}

export interface ToolOutcome {
  readonly forModel: readonly (TextContent | ImageContent)[];
  /** One line for a person; the invocation's summary when absent. */
  readonly forUser?: string;
  /** Longer text for a person, such as a unified diff. */
  readonly detail?: string;
  readonly isError?: boolean;
  /** The tool masked secrets itself, knowing whether its text is source code; the registry leaves it alone. */
  readonly masked?: boolean;
  /** Stable, kebab-case; only with `isError`. */
  readonly code?: string;
  readonly exitCode?: number;
  /** Absolute paths really changed. */
  readonly filesChanged?: readonly string[];
}

export interface Tool<Args = unknown> {
  readonly name: string;
  readonly toolset: string;
  /** What the model reads. Every byte is paid for on every request. */
  readonly description: string;
  /**
   * `parameters({...})` of `parameters.ts`: a tool of the first request must not cost the start a validation
   * library. A zod schema works too and is converted when the tool is first offered.
   */
  readonly parameters: Parameters<Args> | ZodType<Args>;
  /** Turns spellings that are accepted but not advertised into the advertised ones, before validation. */
  rewrite?(raw: Readonly<Record<string, unknown>>): Record<string, unknown>;
  /** Cheap, cached by the registry for 30 s; the reason is what `hermes tools` prints. */
  available?(): Promise<true | { readonly reason: string }>;
  /** Longest result in characters before it is spilled to a file; `Infinity` allowed. Default 100,000. */
  readonly maxResultChars?: number;
  /** The result comes from outside and is fenced as untrusted content. */
  readonly untrusted?: boolean;
  plan(args: Args, ctx: ToolContext): Invocation;
}

/** Keeps the argument type of `parameters` tied to that of `plan`. */
export function defineTool<Args>(tool: Tool<Args>): Tool {
  return tool as Tool; // the registry parses with this very schema before it calls `plan`
}

export function textOutcome(text: string, more: Omit<ToolOutcome, 'forModel'> = {}): ToolOutcome {
  return { forModel: [{ type: 'text', text }], ...more };
}

/** A JSON result with stable key order, as the tools of the original answer. */
export function jsonOutcome(value: unknown, more: Omit<ToolOutcome, 'forModel'> = {}): ToolOutcome {
  return textOutcome(JSON.stringify(value), more);
}

/** @param message one sentence that tells the model what to try next */
export function failure(code: string, message: string, more: Record<string, unknown> = {}): ToolOutcome {
  return jsonOutcome({ error: message, ...more }, { isError: true, code, forUser: message });
}
