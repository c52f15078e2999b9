/** From configuration to streaming models: the one door of this room. */
import { AppError, errorText } from '../lib/errors.ts';
import { catalogOf } from './catalog.ts';
import { chooseProvider } from './choose.ts';
import type { ModelClient } from './client.ts';
import { createWindowCache, MINIMUM_WINDOW, type WindowCache } from './context-length.ts';
import { credentialFromEnv, isRealSecret } from './credentials.ts';
import type { Endpoint } from './endpoint.ts';
import { hostOf, isLocal } from './endpoint-url.ts';
import { createHttpFetch, type Env, type HttpFetch } from './http/http-fetch.ts';
import type { LocalServer } from './local-servers.ts';
import { createMendingClient } from './mend.ts';
import type { ModelSelection, Models, ProviderStatus } from './models.ts';
import { createPiClient, type WindowKeeper } from './pi-client.ts';
import { PROVIDERS, type ProviderRow } from './providers.ts';
import { resolveEndpoint, smallWindow } from './resolve.ts';
import { createRetryClient } from './retry.ts';
import { findCustom, readSelection, settingsOf } from './selection.ts';
import type { ModelSettings } from './settings.ts';

export interface ModelsDeps {
  readonly env: Env;
  /** `context_length_cache.yaml` of the home; absent: nothing is kept. */
  readonly windowCachePath?: string;
  /** Where a variable was set, for people: `.env`, `shell`. */
  readonly origin?: (name: string) => string | undefined;
  readonly version?: string;
  /** Test seams. */
  readonly fetch?: HttpFetch;
  readonly localUrls?: Readonly<Record<string, string>>;
  readonly sleep?: (ms: number, signal: AbortSignal) => Promise<void>;
  /** False: endpoints are never asked for their window beside the first request. Default true. */
  readonly probeWindows?: boolean;
}

const LIST_TIMEOUT_MS = 10_000;
const PROBE_TIMEOUT_MS = 5_000;

export function createModels(settings: ModelSettings, deps: ModelsDeps): Models {
  const windows = createWindowCache(deps.windowCachePath);
  const lookups = deps.fetch ?? createHttpFetch({ env: deps.env, readTimeoutMs: LIST_TIMEOUT_MS });
  let local: Promise<readonly LocalServer[]> | undefined;
  const findLocal = (): Promise<readonly LocalServer[]> =>
    (local ??= import('./local-servers.ts').then((servers) => servers.findLocalServers(lookups, deps.localUrls)));
  const resolveDeps = {
    env: deps.env,
    windows,
    findLocal,
    async firstModel(baseUrl: string, key: string | undefined) {
      const { listModels } = await import('./endpoint-probe.ts');
      const models = await listModels(
        lookups,
        { baseUrl, apiMode: 'chat_completions', key },
        AbortSignal.timeout(2000),
      ).catch(() => []);
      return models[0]?.id;
    },
  };
  const endpointFor = (selection: ModelSelection): Promise<Endpoint | undefined> =>
    resolveEndpoint(selection, settings, resolveDeps);

  const clientFor = async (selection: ModelSelection): Promise<ModelClient> => {
    const endpoint = await endpointFor(selection);
    if (endpoint === undefined) return (await import('./demo/demo-client.ts')).createDemoClient();
    const fetch = deps.fetch ?? createHttpFetch({ env: deps.env, readTimeoutMs: endpoint.timeouts.readMs });
    const window = createWindowKeeper(endpoint, windows, deps.probeWindows === false ? undefined : lookups);
    return createMendingClient(
      createPiClient(endpoint, { fetch, window, userAgent: `hermes-agent${deps.version ? `/${deps.version}` : ''}` }),
    );
  };

  return {
    async resolve(selection = {}) {
      const client = await clientFor(selection);
      return createRetryClient(client, {
        ...(settings.maxRetries === undefined ? {} : { maxRetries: settings.maxRetries }),
        ...(deps.sleep === undefined ? {} : { sleep: deps.sleep }),
      });
    },
    async providers() {
      const servers = await findLocal();
      return PROVIDERS.filter((row) => row.id !== 'custom')
        .map((row) => statusOf(row, settings, deps, servers))
        .concat(customStatuses(settings, deps.env));
    },
    async list(provider, signal) {
      const wanted = readSelection({ provider }, settings);
      const chosen = await chooseProvider(wanted, settings, resolveDeps);
      const catalog = await catalogOf(chosen.row.vendorId);
      const asksEndpoint = chosen.row.auth === 'optional' || catalog.length === 0;
      if (chosen.row.id === 'demo') return [{ id: 'demo' }];
      if (!asksEndpoint) return catalog.map(({ id, contextWindow }) => ({ id, contextWindow }));
      return listFrom(chosen.baseUrl, chosen.name, await keyFor(provider, endpointFor), lookups, signal);
    },
    async test(selection, signal) {
      const client = await clientFor(selection);
      const request = {
        system: 'Answer with one word.',
        tools: [],
        messages: [{ role: 'user' as const, content: [{ type: 'text' as const, text: 'Say ok.' }], timestamp: 0 }],
        sessionId: 'hermes-test',
        reasoning: 'none' as const,
      };
      for await (const event of client.stream(request, signal)) {
        if (event.type !== 'end') continue;
        const { failure, message } = event;
        if (failure !== undefined)
          throw new AppError(
            `model-${failure.reason}`,
            failure.message,
            failure.hint === undefined ? {} : { hint: failure.hint },
          );
        if (message.stopReason === 'aborted')
          throw new AppError('model-aborted', 'The test of the model was cancelled.');
      }
      return client.info;
    },
  };
}

/** The key that resolving with some model would use; listing must not fail for want of a model. */
async function keyFor(
  provider: string,
  endpointFor: (selection: ModelSelection) => Promise<Endpoint | undefined>,
): Promise<string | undefined> {
  const endpoint = await endpointFor({ provider, model: 'any-256k' });
  return (await endpoint?.credential())?.value;
}

async function listFrom(baseUrl: string, name: string, key: string | undefined, fetch: HttpFetch, signal: AbortSignal) {
  const { listModels } = await import('./endpoint-probe.ts');
  try {
    return await listModels(fetch, { baseUrl, apiMode: 'chat_completions', key }, signal);
  } catch (error) {
    signal.throwIfAborted();
    throw new AppError(
      'model-list-failed',
      `${name} did not give its list of models (${baseUrl}): ${errorText(error)}.`,
      {
        hint: 'Check the address and the key with `hermes model`.',
        cause: error,
      },
    );
  }
}

/** Learns a window that was only guessed, from the endpoint beside the first use and from refusals. */
function createWindowKeeper(endpoint: Endpoint, windows: WindowCache, fetch: HttpFetch | undefined): WindowKeeper {
  const { info } = endpoint;
  let learnt: { tokens: number; source: string } | undefined;
  const keep = (tokens: number): void => {
    learnt = { tokens, source: 'endpoint' };
    void windows.set(info.model, info.baseUrl, tokens);
  };
  const guessed = info.contextSource === 'family' || info.contextSource === 'default';
  let asked = !guessed || fetch === undefined || hostOf(info.baseUrl) === '';
  return {
    current() {
      return learnt;
    },
    learn(tokens) {
      if (info.contextSource !== 'config' && tokens < (learnt?.tokens ?? info.contextWindow)) keep(tokens);
    },
    begin() {
      if (asked || fetch === undefined) return;
      asked = true;
      void askWindow(endpoint, fetch).then((tokens) => tokens === undefined || keep(tokens));
    },
    warning() {
      return learnt !== undefined && learnt.tokens < MINIMUM_WINDOW
        ? smallWindow(learnt.tokens, info.model)
        : undefined;
    },
  };
}

async function askWindow(endpoint: Endpoint, fetch: HttpFetch): Promise<number | undefined> {
  const { baseUrl, apiMode, model } = endpoint.info;
  try {
    const key = (await endpoint.credential())?.value;
    const { probeWindow } = await import('./endpoint-probe.ts');
    return await probeWindow(fetch, { baseUrl, apiMode, key }, model, AbortSignal.timeout(PROBE_TIMEOUT_MS));
  } catch {
    return undefined; // the guess stands
  }
}

function statusOf(
  row: ProviderRow,
  settings: ModelSettings,
  deps: ModelsDeps,
  servers: readonly LocalServer[],
): ProviderStatus {
  const source = sourceOf(row, settings, deps, servers);
  return {
    id: row.id,
    name: row.name,
    configured: source !== undefined,
    envVars: row.envVars,
    ...(source === undefined ? {} : { source }),
  };
}

function sourceOf(
  row: ProviderRow,
  settings: ModelSettings,
  { env, origin }: ModelsDeps,
  servers: readonly LocalServer[],
): string | undefined {
  if (row.id === 'demo') return 'built in';
  const server = servers.find(({ provider }) => provider.id === row.id);
  if (server !== undefined) return `local server found at ${server.baseUrl}`;
  const own = settingsOf(row, settings);
  if (own.keyCmd !== undefined) return 'key_cmd in config.yaml';
  if (isRealSecret(own.apiKey)) return 'config.yaml';
  const found =
    own.keyEnv !== undefined && isRealSecret(env[own.keyEnv])
      ? own.keyEnv
      : credentialFromEnv(row, row.baseUrl, env)?.source;
  if (found === undefined) return undefined;
  const place = origin?.(found);
  return place === undefined ? found : `${found} in ${place === 'shell' ? 'the shell' : place}`;
}

function customStatuses(settings: ModelSettings, env: Env): ProviderStatus[] {
  const names = [...(settings.customProviders ?? []).map(({ name }) => name), ...Object.keys(settings.providers ?? {})];
  return names.flatMap((name) => {
    const custom = findCustom(name, settings);
    if (custom?.baseUrl === undefined) return [];
    const keyed = custom.keyEnv !== undefined && isRealSecret(env[custom.keyEnv]);
    const configured = keyed || custom.keyEnv === undefined || isLocal(custom.baseUrl);
    return [
      {
        id: `custom:${custom.name}`,
        name: custom.name,
        configured,
        envVars: custom.keyEnv === undefined ? [] : [custom.keyEnv],
        source: custom.baseUrl,
      },
    ];
  });
}
