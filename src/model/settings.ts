/** What the configuration says about models, as plain data: `model`, `custom_providers`, `providers` and friends. */
import type { ReasoningEffort } from './client.ts';

export type ApiMode =
  | 'chat_completions'
  | 'anthropic_messages'
  | 'codex_responses'
  | 'bedrock_converse'
  | 'gemini'
  | 'mistral'
  | 'demo';

export interface ModelOverrides {
  /** Tokens. */
  readonly contextLength?: number;
  readonly maxTokens?: number;
  /** Whether the model reads pictures. */
  readonly vision?: boolean;
  readonly reasoning?: boolean;
  readonly requestTimeoutSeconds?: number;
  readonly staleTimeoutSeconds?: number;
}

/** One entry of `providers.<id>` or, with a `name`, of `custom_providers`. */
export interface ProviderSettings {
  readonly baseUrl?: string;
  readonly apiKey?: string;
  /** Environment variable that holds the key. */
  readonly keyEnv?: string;
  /** Command that prints a token, bare or as JSON with `access_token` and `expires_in`. */
  readonly keyCmd?: string;
  readonly apiMode?: string;
  /** Used when the provider is asked for without a model. */
  readonly model?: string;
  readonly extraHeaders?: Readonly<Record<string, string>>;
  readonly extraBody?: Readonly<Record<string, unknown>>;
  readonly requestTimeoutSeconds?: number;
  readonly staleTimeoutSeconds?: number;
  /** Header that carries the session id, for a balancer in front. */
  readonly sessionAffinityHeader?: string;
  readonly models?: Readonly<Record<string, ModelOverrides>>;
}

export interface CustomProvider extends ProviderSettings {
  readonly name: string;
}

export interface AliasTarget {
  readonly model: string;
  readonly provider?: string;
  readonly baseUrl?: string;
}

export interface ModelSettings {
  /** `model.default`. */
  readonly model?: string;
  /** `model.provider`; `auto` or absent looks for one. */
  readonly provider?: string;
  readonly baseUrl?: string;
  readonly apiKey?: string;
  readonly apiMode?: string;
  readonly contextLength?: number;
  readonly maxTokens?: number;
  readonly ollamaNumCtx?: number;
  /** Default true. */
  readonly streaming?: boolean;
  readonly defaultHeaders?: Readonly<Record<string, string>>;
  /** `model.aliases` and `model_aliases` together; a string is `provider/model` or a model. */
  readonly aliases?: Readonly<Record<string, string | AliasTarget>>;
  readonly customProviders?: readonly CustomProvider[];
  readonly providers?: Readonly<Record<string, ProviderSettings>>;
  /** OpenRouter's `provider` object of a request. */
  readonly providerRouting?: Readonly<Record<string, unknown>>;
  readonly reasoningEffort?: ReasoningEffort;
  readonly reasoningOverrides?: Readonly<Record<string, ReasoningEffort>>;
  /** `fast` or `priority`: the paid fast lane, sent only to the vendor's own host. */
  readonly serviceTier?: string;
  /** `prompt_caching.cache_ttl`: `5m` (default), `1h`, or false for none. */
  readonly cacheTtl?: string | false;
  /** `agent.api_max_retries`. Default 3. */
  readonly maxRetries?: number;
}

/** Milliseconds; 0 switches a timer off. */
export interface Timeouts {
  /** Silence on the connection. `HERMES_STREAM_READ_TIMEOUT`, 120 s; local endpoints 1800 s. */
  readonly readMs: number;
  /** No useful event of the stream. `HERMES_STREAM_STALE_TIMEOUT`, 180 s; local endpoints never. */
  readonly staleMs: number;
  /** The whole call. `HERMES_API_TIMEOUT`, 1800 s. */
  readonly callMs: number;
}
