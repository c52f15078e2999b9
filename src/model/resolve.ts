/** From settings, environment and selection to an endpoint. Asks no network unless `auto` has to look for servers. */
import { AppError } from '../lib/errors.ts';
import { type CatalogModel, lookUpModel } from './catalog.ts';
import { type Chosen, chooseProvider, hasAws } from './choose.ts';
import type { ModelInfo } from './client.ts';
import { decideWindow, MINIMUM_WINDOW, type WindowCache, type WindowFact } from './context-length.ts';
import { type Credential, credentialFromEnv, isRealSecret, ownerOf } from './credentials.ts';
import type { Endpoint, LibraryApi } from './endpoint.ts';
import { hostOf, isLocal, modeOfUrl } from './endpoint-url.ts';
import type { Env } from './http/http-fetch.ts';
import { createKeyCommand } from './key-command.ts';
import type { LocalServer } from './local-servers.ts';
import type { ModelSelection } from './models.ts';
import { findProvider } from './providers.ts';
import { findCustom, normaliseModel, readSelection } from './selection.ts';
import type { ApiMode, ModelOverrides, ModelSettings } from './settings.ts';
import { timeoutsFor } from './timeouts.ts';

export interface ResolveDeps {
  readonly env: Env;
  readonly windows: WindowCache;
  findLocal(): Promise<readonly LocalServer[]>;
  /** First model of a local server, for a selection that names none. */
  firstModel(baseUrl: string, key: string | undefined): Promise<string | undefined>;
}

const APIS: Readonly<Record<Exclude<ApiMode, 'demo'>, LibraryApi>> = {
  chat_completions: 'openai-completions',
  codex_responses: 'openai-responses',
  anthropic_messages: 'anthropic-messages',
  bedrock_converse: 'bedrock-converse-stream',
  gemini: 'google-generative-ai',
  mistral: 'mistral-conversations',
};

const MODE_NAMES: Readonly<Record<string, ApiMode>> = {
  chat: 'chat_completions',
  openai: 'chat_completions',
  anthropic: 'anthropic_messages',
  responses: 'codex_responses',
  codex: 'codex_responses',
};

/** Undefined: the demo was chosen, which has no endpoint. @throws AppError `model-*` */
export async function resolveEndpoint(
  selection: ModelSelection,
  settings: ModelSettings,
  deps: ResolveDeps,
): Promise<Endpoint | undefined> {
  const wanted = readSelection(selection, settings);
  const chosen = await chooseProvider(wanted, settings, deps);
  if (chosen.row.id === 'demo') return undefined;
  const configured = isConfigured(chosen, settings);
  const credential = credentialOf(chosen, settings, configured, deps.env);
  const model = await modelOf(chosen, settings, configured, deps, credential);
  const catalog = await lookUpModel(chosen.row.vendorId ?? vendorOf(chosen), model);
  return assemble({ chosen, settings, configured, credential, model, catalog, deps });
}

interface Parts {
  readonly chosen: Chosen;
  readonly settings: ModelSettings;
  /** The provider of the `model:` section itself, whose key, mode and window count for it alone. */
  readonly configured: boolean;
  readonly credential: CredentialSource | undefined;
  readonly model: string;
  readonly catalog: CatalogModel | undefined;
  readonly deps: ResolveDeps;
}

function isConfigured(chosen: Chosen, settings: ModelSettings): boolean {
  if (settings.baseUrl && hostOf(settings.baseUrl) === hostOf(chosen.baseUrl)) return true;
  if (settings.provider === undefined || settings.provider.toLowerCase() === 'auto') return !settings.baseUrl;
  const custom = findCustom(settings.provider, settings);
  if (custom !== undefined) return chosen.id === `custom:${custom.name}`;
  return findProvider(settings.provider)?.id === chosen.row.id && !settings.baseUrl;
}

/** The vendor whose catalog describes a model on an endpoint that has none, told by the protocol. */
function vendorOf(chosen: Chosen): string | undefined {
  const owner = ownerOf(chosen.baseUrl);
  if (owner?.vendorId !== undefined) return owner.vendorId;
  return modeOfUrl(chosen.baseUrl) === 'anthropic_messages' || chosen.own.apiMode === 'anthropic_messages'
    ? 'anthropic'
    : undefined;
}

type CredentialSource = { readonly value: string; readonly source: string } | { readonly command: string };

/** In order: the provider's own entry, the `model:` section when it is meant, the environment. */
function credentialOf(
  chosen: Chosen,
  settings: ModelSettings,
  configured: boolean,
  env: Env,
): CredentialSource | undefined {
  const { own, row } = chosen;
  if (own.keyCmd) return { command: own.keyCmd };
  const fromKeyEnv = own.keyEnv === undefined ? undefined : env[own.keyEnv]?.trim();
  if (own.keyEnv !== undefined && isRealSecret(fromKeyEnv)) return { value: fromKeyEnv, source: own.keyEnv };
  const written = own.apiKey?.trim();
  if (isRealSecret(written)) return { value: written, source: `config.yaml (${chosen.id})` };
  const key = settings.apiKey?.trim();
  if (configured && isRealSecret(key) && !leaks(key, chosen.baseUrl))
    return { value: key, source: 'config.yaml (model.api_key)' };
  const found = credentialFromEnv(row, chosen.baseUrl, env);
  if (found !== undefined && !leaks(found.value, chosen.baseUrl)) return found;
  if (row.auth === 'required' || row.auth === 'oauth') throw missingKey(chosen);
  if (row.auth === 'aws' && !hasAws(env)) throw missingAws();
  return undefined;
}

/** A key that names its owner goes nowhere else. */
function leaks(key: string, baseUrl: string): boolean {
  if (isLocal(baseUrl)) return key.startsWith('sk-or-') || key.startsWith('sk-ant-');
  if (key.startsWith('sk-or-')) return hostOf(baseUrl) !== 'openrouter.ai';
  return false;
}

function missingKey({ row, name }: Chosen): AppError {
  const variables = row.envVars.join(' or ');
  return new AppError('model-no-key', `No key for ${name} is set.`, {
    hint: `Run \`hermes setup\`${variables === '' ? '' : `, or set ${variables}`}.`,
  });
}

const missingAws = (): AppError =>
  new AppError('model-no-key', 'No AWS credentials are set.', {
    hint: 'Set AWS_PROFILE, or AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, and AWS_REGION.',
  });

async function modelOf(
  chosen: Chosen,
  settings: ModelSettings,
  configured: boolean,
  deps: ResolveDeps,
  credential: CredentialSource | undefined,
): Promise<string> {
  const fromEnv = settings.model ? undefined : deps.env.HERMES_INFERENCE_MODEL?.trim() || undefined;
  const inherited = configured ? (configuredModel(settings) ?? fromEnv) : undefined;
  const model = chosen.model ?? chosen.own.model ?? inherited ?? chosen.row.defaultModel;
  if (model !== undefined && model !== '') return normaliseModel(model, chosen.row);
  const key = credential !== undefined && 'value' in credential ? credential.value : undefined;
  const first = isLocal(chosen.baseUrl) ? await deps.firstModel(chosen.baseUrl, key) : undefined;
  if (first !== undefined) return first;
  throw new AppError(
    'model-no-model',
    `No model is chosen for ${chosen.name === 'The endpoint' ? chosen.baseUrl : chosen.name}.`,
    {
      hint: 'Choose one with `hermes model`, or name it with `--model`.',
    },
  );
}

/** `model.default` may itself be an alias or carry a provider. */
function configuredModel(settings: ModelSettings): string | undefined {
  if (!settings.model) return undefined;
  return readSelection({ model: settings.model }, settings).model;
}

function assemble(parts: Parts): Endpoint {
  const { chosen, settings, credential, catalog, model, deps } = parts;
  const mode = modeOf(parts);
  const api = apiOf(mode, parts);
  // A catalog that says where each of its models lives is only believed while the address is the provider's own.
  const elsewhere = chosen.row.apiMode === 'by-model' && catalog !== undefined && chosen.baseUrl === chosen.row.baseUrl;
  const baseUrl = elsewhere ? catalog.baseUrl : chosen.baseUrl;
  const window = windowOf(parts);
  checkWindow(window, model, chosen.name);
  const { own } = chosen;
  const traits = traitsOf(catalog, api);
  const info: ModelInfo = {
    provider: chosen.id,
    model,
    apiMode: mode,
    baseUrl,
    contextWindow: window.tokens,
    contextSource: window.source,
    maxOutputTokens: outputCap(parts, api),
    price: priceOf(parts),
    images: overrideOf(parts).vision ?? (catalog === undefined ? true : catalog.input.includes('image')),
    reasoning: overrideOf(parts).reasoning ?? catalog?.reasoning ?? false,
    demo: false,
  };
  return {
    info,
    name: chosen.name,
    envVars: chosen.row.envVars,
    api,
    vendorId: chosen.row.vendorId ?? 'hermes',
    credential: loaderOf(credential, deps.env),
    ...(chosen.row.id === 'azure-foundry' ? { authHeader: 'api-key' } : {}),
    ...(own.sessionAffinityHeader === undefined ? {} : { affinityHeader: own.sessionAffinityHeader }),
    headers: { ...(parts.configured ? settings.defaultHeaders : {}), ...own.extraHeaders },
    extraBody: extraBodyOf(parts),
    traits,
    timeouts: timeoutsFor(baseUrl, own, overrideOf(parts), deps.env),
    streaming: settings.streaming ?? true,
    cacheRetention: settings.cacheTtl === false ? 'none' : settings.cacheTtl === '1h' ? 'long' : 'short',
    reasoning: settings.reasoningOverrides?.[model] ?? settings.reasoningEffort ?? 'medium',
    ...(window.tokens < MINIMUM_WINDOW ? { notice: smallWindow(window.tokens, model) } : {}),
  };
}

function modeOf({ chosen, settings, configured, catalog }: Parts): ApiMode {
  const explicit = chosen.own.apiMode || (configured ? settings.apiMode : undefined);
  if (explicit) {
    const mode = MODE_NAMES[explicit] ?? explicit;
    if (mode in APIS) return mode as ApiMode;
    throw new AppError('model-unknown-mode', `The api_mode ${explicit} is unknown.`, {
      hint: `Use one of ${Object.keys(APIS).join(', ')}.`,
      exitCode: 2,
    });
  }
  const { apiMode, baseUrl } = chosen.row;
  const moved = baseUrl !== '' && hostOf(baseUrl) !== hostOf(chosen.baseUrl);
  if (apiMode === 'by-model') return modeOfApi(catalog?.api) ?? 'chat_completions';
  if (apiMode === 'by-url' || moved)
    return modeOfUrl(chosen.baseUrl) ?? (apiMode === 'by-url' ? 'chat_completions' : apiMode);
  return apiMode;
}

const modeOfApi = (api: string | undefined): ApiMode | undefined =>
  (Object.keys(APIS) as (keyof typeof APIS)[]).find((mode) => APIS[mode] === api);

function apiOf(mode: ApiMode, { chosen }: Parts): LibraryApi {
  if (mode === 'demo') throw new Error('the demo has no protocol');
  // The ChatGPT account's endpoint speaks its own dialect of Responses.
  return mode === 'codex_responses' && hostOf(chosen.baseUrl) === 'chatgpt.com' ? 'openai-codex-responses' : APIS[mode];
}

function traitsOf(catalog: CatalogModel | undefined, api: LibraryApi): Endpoint['traits'] {
  if (catalog === undefined) return {};
  return {
    ...(catalog.thinkingLevelMap === undefined ? {} : { thinkingLevelMap: catalog.thinkingLevelMap }),
    // Quirks belong to a protocol: those of another one would be misread.
    ...(catalog.compat === undefined || catalog.api !== api ? {} : { compat: catalog.compat }),
    ...(catalog.headers === undefined ? {} : { headers: catalog.headers }),
  };
}

function overrideOf({ chosen, model }: Parts): ModelOverrides {
  return chosen.own.models?.[model] ?? {};
}

function windowOf(parts: Parts): WindowFact {
  const { settings, configured, model, catalog, chosen, deps } = parts;
  const meant =
    configured && (!settings.model || configuredModel(settings) === (chosen.model ?? configuredModel(settings)));
  const explicit = overrideOf(parts).contextLength ?? (meant ? settings.contextLength : undefined);
  const cached = explicit === undefined ? deps.windows.get(model, chosen.baseUrl) : undefined;
  return decideWindow({
    model,
    ...(explicit === undefined ? {} : { configured: explicit }),
    ...(cached === undefined ? {} : { cached }),
    ...(catalog === undefined ? {} : { catalog }),
  });
}

function checkWindow(window: WindowFact, model: string, name: string): void {
  if (window.tokens >= MINIMUM_WINDOW || window.source === 'config') return;
  throw new AppError(
    'model-small-window',
    `${model} (${name}) reads ${window.tokens.toLocaleString('en-US')} tokens at once; Hermes needs ${MINIMUM_WINDOW.toLocaleString('en-US')}.`,
    { hint: 'Choose another model with `hermes model`, or set model.context_length to use it all the same.' },
  );
}

export const smallWindow = (tokens: number, model: string): string =>
  `${model} reads only ${tokens.toLocaleString('en-US')} tokens at once; long work will soon fill that.`;

function outputCap(parts: Parts, api: LibraryApi): number | undefined {
  const explicit = overrideOf(parts).maxTokens ?? (parts.configured ? parts.settings.maxTokens : undefined);
  if (explicit !== undefined) return explicit;
  // Only this protocol insists on a cap; elsewhere the provider's own is better than a guess.
  return api.startsWith('openai-') ? undefined : parts.catalog?.maxTokens;
}

/** Prices hold on the provider's own host: a gateway in between may charge anything. */
function priceOf({ chosen, catalog }: Parts): ModelInfo['price'] {
  const own = chosen.row.vendorId !== undefined && hostOf(chosen.row.baseUrl) === hostOf(chosen.baseUrl);
  return own ? catalog?.cost : undefined;
}

function extraBodyOf({ chosen, settings, configured }: Parts): Record<string, unknown> {
  const { own, row, baseUrl } = chosen;
  const body: Record<string, unknown> = {};
  if (row.id === 'openrouter' && Object.keys(settings.providerRouting ?? {}).length > 0)
    body.provider = settings.providerRouting;
  if (configured && settings.ollamaNumCtx !== undefined && isLocal(baseUrl))
    body.options = { num_ctx: settings.ollamaNumCtx };
  const fast = settings.serviceTier === 'fast' || settings.serviceTier === 'priority';
  if (fast && hostOf(baseUrl) === 'api.openai.com') body.service_tier = 'priority';
  return { ...body, ...own.extraBody };
}

function loaderOf(source: CredentialSource | undefined, env: Env): Endpoint['credential'] {
  if (source === undefined) return async () => undefined;
  if (!('command' in source)) return async () => source;
  const token = createKeyCommand(source.command, env);
  return async (): Promise<Credential> => ({ value: await token(), source: 'key_cmd' });
}
