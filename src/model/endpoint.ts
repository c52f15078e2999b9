/** A model that was resolved: where it is, how it is spoken to and with which secret. Input of the client. */
import type { ModelInfo, ReasoningEffort } from './client.ts';
import type { Timeouts } from './settings.ts';

/** Protocol modules of the model library. */
export type LibraryApi =
  | 'openai-completions'
  | 'openai-responses'
  | 'openai-codex-responses'
  | 'anthropic-messages'
  | 'google-generative-ai'
  | 'mistral-conversations'
  | 'bedrock-converse-stream';

/** What the catalog knows of a model beyond `ModelInfo`. */
export interface CatalogTraits {
  /** The vendor's names of the effort levels; `null` marks one that does not exist. */
  readonly thinkingLevelMap?: Readonly<Record<string, string | null>>;
  /** Quirks of the endpoint, as the library names them. */
  readonly compat?: Readonly<Record<string, unknown>>;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface Endpoint {
  readonly info: ModelInfo;
  /** Of the provider, for a person: `Anthropic`, `The endpoint`. */
  readonly name: string;
  /** Variables that may hold the key, for hints. */
  readonly envVars: readonly string[];
  readonly api: LibraryApi;
  /** The library's id of the provider; `hermes` when it knows none. */
  readonly vendorId: string;
  /** Asked for before every call: a token may be short-lived. Undefined: the endpoint wants none. */
  readonly credential: () => Promise<{ readonly value: string; readonly source: string } | undefined>;
  readonly headers: Readonly<Record<string, string>>;
  /** Header that takes the key beside the usual one (`api-key` of Azure). */
  readonly authHeader?: string;
  /** Merged into every request body. */
  readonly extraBody: Readonly<Record<string, unknown>>;
  readonly traits: CatalogTraits;
  readonly timeouts: Timeouts;
  /** False: plain answers instead of streams. */
  readonly streaming: boolean;
  readonly cacheRetention: 'none' | 'short' | 'long';
  /** Header that carries the session id to a balancer. */
  readonly affinityHeader?: string;
  /** For requests that name no effort. */
  readonly reasoning: ReasoningEffort;
  /** News for the user with the first request, such as a small context window. */
  readonly notice?: string;
}
