/** The configuration's words about models, as the model room takes them. */
import type { Config } from '../config/schema.ts';
import { isRecord } from '../lib/record.ts';
import { REASONING_EFFORTS, type ReasoningEffort } from '../model/client.ts';
import type {
  AliasTarget,
  CustomProvider,
  ModelOverrides,
  ModelSettings,
  ProviderSettings,
} from '../model/settings.ts';

export function modelSettings(config: Config, env: Readonly<Record<string, string | undefined>>): ModelSettings {
  const { model, agent } = config;
  const effort = toEffort(agent.reasoning_effort);
  return {
    ...some({
      model:
        env.HERMES_INFERENCE_MODEL !== undefined && model.default === '' ? env.HERMES_INFERENCE_MODEL : model.default,
      provider: model.provider === 'auto' ? (env.HERMES_INFERENCE_PROVIDER ?? 'auto') : model.provider,
      baseUrl: model.base_url,
      apiKey: model.api_key,
      apiMode: model.api_mode,
      contextLength: model.context_length,
      maxTokens: model.max_tokens,
      ollamaNumCtx: model.ollama_num_ctx,
      reasoningEffort: effort,
      serviceTier: agent.service_tier,
    }),
    streaming: model.streaming,
    defaultHeaders: model.default_headers,
    aliases: aliases(config),
    customProviders: config.custom_providers.filter(isRecord).map(customProvider),
    providers: mapValues(config.providers, (entry) => providerSettings(entry as Record<string, unknown>)),
    providerRouting: routing(config),
    reasoningOverrides: efforts(agent.reasoning_overrides),
    cacheTtl: config.prompt_caching.cache_ttl === false ? 'off' : config.prompt_caching.cache_ttl,
    maxRetries: agent.api_max_retries,
  };
}

export function toEffort(value: unknown): ReasoningEffort | undefined {
  return REASONING_EFFORTS.find((effort) => effort === value);
}

function efforts(overrides: Readonly<Record<string, string>>): Readonly<Record<string, ReasoningEffort>> {
  const out: Record<string, ReasoningEffort> = {};
  for (const [model, value] of Object.entries(overrides)) {
    const effort = toEffort(value);
    if (effort !== undefined) out[model] = effort;
  }
  return out;
}

function aliases(config: Config): Readonly<Record<string, string | AliasTarget>> {
  const short: unknown = (config.model as Record<string, unknown>).aliases;
  const out: Record<string, string | AliasTarget> = {};
  for (const [name, target] of [
    ...Object.entries(isRecord(short) ? short : {}),
    ...Object.entries(config.model_aliases),
  ]) {
    if (typeof target === 'string') out[name] = target;
    else if (isRecord(target) && typeof target.model === 'string')
      out[name] = { model: target.model, ...some({ provider: text(target.provider), baseUrl: text(target.base_url) }) };
  }
  return out;
}

function customProvider(entry: Record<string, unknown>): CustomProvider {
  return { name: text(entry.name) ?? '', ...providerSettings(entry) };
}

function providerSettings(entry: Record<string, unknown>): ProviderSettings {
  return some({
    baseUrl: text(entry.base_url),
    apiKey: text(entry.api_key),
    keyEnv: text(entry.key_env),
    keyCmd: text(entry.key_cmd),
    apiMode: text(entry.api_mode),
    model: text(entry.model) ?? firstModel(entry.models),
    extraHeaders: isRecord(entry.extra_headers) ? (entry.extra_headers as Record<string, string>) : undefined, // schema: strings
    sessionAffinityHeader: text(entry.session_affinity_header),
    extraBody: isRecord(entry.extra_body) ? entry.extra_body : undefined,
    requestTimeoutSeconds: number(entry.request_timeout_seconds) ?? number(entry.timeout_seconds),
    staleTimeoutSeconds: number(entry.stale_timeout_seconds),
    models: isRecord(entry.models) ? mapValues(entry.models, overrides) : undefined,
  });
}

function firstModel(models: unknown): string | undefined {
  return Array.isArray(models) ? text(models[0]) : undefined;
}

function overrides(value: unknown): ModelOverrides {
  const entry = isRecord(value) ? value : {};
  return some({
    contextLength: number(entry.context_length),
    vision: typeof entry.supports_vision === 'boolean' ? entry.supports_vision : undefined,
    requestTimeoutSeconds: number(entry.timeout_seconds),
    staleTimeoutSeconds: number(entry.stale_timeout_seconds),
  });
}

/** OpenRouter's object, with only what was set. */
function routing(config: Config): Readonly<Record<string, unknown>> {
  const entries = Object.entries(config.provider_routing).filter(([, value]) =>
    Array.isArray(value) ? value.length > 0 : value !== undefined && value !== null,
  );
  return Object.fromEntries(entries);
}

function mapValues<T, U>(record: Readonly<Record<string, T>>, map: (value: T) => U): Record<string, U> {
  return Object.fromEntries(Object.entries(record).map(([key, value]) => [key, map(value)]));
}

/** Without what is empty, null or absent. */
function some<T extends object>(record: T): { [K in keyof T]?: Exclude<T[K], undefined | null> } {
  const entries = Object.entries(record).filter(([, value]) => value !== undefined && value !== null && value !== '');
  return Object.fromEntries(entries) as { [K in keyof T]?: Exclude<T[K], undefined | null> };
}

function text(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}

function number(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isFinite(value) ? value : undefined;
}
