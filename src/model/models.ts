/** From configuration to a streaming model. */
import type { ModelClient, ModelInfo } from './client.ts';

/** What a person or a session asks for; absent fields fall back to the configuration. */
export interface ModelSelection {
  /** `claude-sonnet-4-5`, `provider:model`, `custom:<name>:<model>`, an alias; undefined = configured default. */
  readonly model?: string;
  readonly provider?: string;
  readonly baseUrl?: string;
}

export interface ProviderStatus {
  readonly id: string;
  readonly name: string;
  readonly configured: boolean;
  /** Where the credential comes from: `OPENROUTER_API_KEY in .env`, `local server found at …`; never the value. */
  readonly source?: string;
  /** Environment variables that would configure it, in order. */
  readonly envVars: readonly string[];
}

export interface Models {
  /** @throws AppError `model-*` with a hint when nothing fits; never asks the network unless `auto` has to look for local servers */
  resolve(selection?: ModelSelection): Promise<ModelClient>;
  providers(): Promise<readonly ProviderStatus[]>;
  /** Known models of a provider: catalog, or the endpoint's own list for local and custom ones. */
  list(
    provider: string,
    signal: AbortSignal,
  ): Promise<readonly { readonly id: string; readonly contextWindow?: number }[]>;
  /** One small real request. Resolves with its info, rejects with an AppError in one sentence. */
  test(selection: ModelSelection, signal: AbortSignal): Promise<ModelInfo>;
}
