/**
 * A streaming model, resolved and authenticated. Retry, and later key pools and fallback, wrap it from outside:
 * each is a `ModelClient` around another.
 */
import type { AssistantMessage, ChatMessage, ToolSchema } from '../contracts/message.ts';
import type { StatusKind } from '../contracts/turn.ts';

/** Least first. */
export const REASONING_EFFORTS = ['none', 'minimal', 'low', 'medium', 'high', 'xhigh', 'max'] as const;
export type ReasoningEffort = (typeof REASONING_EFFORTS)[number];

/** USD per million tokens; undefined where the price is not known. */
export interface ModelPrice {
  readonly input: number;
  readonly output: number;
  readonly cacheRead: number;
  readonly cacheWrite: number;
  /** Above so many prompt tokens the whole request costs this instead. */
  readonly tiers?: readonly (Omit<ModelPrice, 'tiers'> & { readonly inputTokensAbove: number })[];
}

export interface ModelInfo {
  /** Provider id of the table in `providers.ts`. */
  readonly provider: string;
  readonly model: string;
  readonly apiMode: string;
  readonly baseUrl: string;
  /** Tokens. */
  readonly contextWindow: number;
  /** Where `contextWindow` comes from: `config`, `catalog`, `endpoint`, `family`, `default`. */
  readonly contextSource: string;
  readonly maxOutputTokens: number | undefined;
  readonly price: ModelPrice | undefined;
  readonly images: boolean;
  readonly reasoning: boolean;
  /** The built-in rule-based stand-in: every answer surface says so and names `hermes setup`. */
  readonly demo: boolean;
}

/** Equal requests give equal bytes: the prefix cache depends on it. */
export interface ModelRequest {
  readonly system: string;
  /** Empty: none are offered (the grace call). */
  readonly tools: readonly ToolSchema[];
  /** Sanitised: roles alternate, every call is answered once. */
  readonly messages: readonly ChatMessage[];
  /** Affinity key of the provider's prefix cache. */
  readonly sessionId: string;
  /** Output cap for this call; the model's own when absent. */
  readonly maxOutputTokens?: number;
  readonly reasoning?: ReasoningEffort;
}

export type ModelEvent =
  | { readonly type: 'text_delta'; readonly text: string }
  | { readonly type: 'reasoning_delta'; readonly text: string }
  /** A tool call is recognisable in the stream; its arguments are still coming. */
  | { readonly type: 'toolcall_start'; readonly name: string }
  /** Out-of-band news for the user (waiting, rotating ...), never part of the transcript. */
  | { readonly type: 'status'; readonly kind: StatusKind; readonly text: string }
  /**
   * A try failed after it had shown something, and the next try starts over: what was shown since the last
   * `restart` is void.
   */
  | { readonly type: 'restart' }
  /**
   * The last event, exactly once, whatever happened. `message.stopReason` is `stop`, `length`, `toolUse`,
   * `error` or `aborted`; with `error`, `failure` says what to do about it and `message.content` holds what
   * had arrived.
   */
  | { readonly type: 'end'; readonly message: AssistantMessage; readonly failure?: ModelFailure };

export type Recovery = 'retry' | 'rotate' | 'fallback' | 'compress' | 'abort';

export interface ModelFailure {
  /** The `reason` column of the error table: `auth`, `rate_limit`, `context_overflow`, `model_not_found` ... */
  readonly reason: string;
  readonly recovery: Recovery;
  /** One sentence for a person, without secrets. */
  readonly message: string;
  /** The command or step that mends it. */
  readonly hint?: string;
  readonly status?: number;
  /** Milliseconds the provider asked to wait. */
  readonly retryAfterMs?: number;
}

export interface ModelClient {
  readonly info: ModelInfo;
  /** Never throws and never rejects: failures arrive in the `end` event. */
  stream(request: ModelRequest, signal: AbortSignal): AsyncIterable<ModelEvent>;
}
