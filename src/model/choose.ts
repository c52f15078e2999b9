/** Which provider serves a selection: what was asked for, what is configured, or what can be found. */
import { AppError } from '../lib/errors.ts';
import { nearest } from '../lib/nearest.ts';
import { credentialFromEnv, isRealSecret, ownerOf } from './credentials.ts';
import { normaliseBaseUrl } from './endpoint-url.ts';
import type { Env } from './http/http-fetch.ts';
import type { LocalServer } from './local-servers.ts';
import { findProvider, PROVIDERS, type ProviderRow } from './providers.ts';
import { findCustom, settingsOf, type Wanted } from './selection.ts';
import type { ModelSettings, ProviderSettings } from './settings.ts';

/** A provider with everything the configuration says about it; the model may still be open. */
export interface Chosen {
  readonly row: ProviderRow;
  /** `info.provider`: the row's id, or `custom:<name>`. */
  readonly id: string;
  /** For a person. */
  readonly name: string;
  readonly baseUrl: string;
  readonly own: ProviderSettings;
  readonly model?: string;
}

export interface ChooseDeps {
  readonly env: Env;
  /** Only asked when nothing else is configured. */
  findLocal(): Promise<readonly LocalServer[]>;
}

const isAuto = (name: string | undefined): boolean =>
  name === undefined || name === '' || name.toLowerCase() === 'auto';

export async function chooseProvider(wanted: Wanted, settings: ModelSettings, deps: ChooseDeps): Promise<Chosen> {
  const { env } = deps;
  const named = wanted.provider ?? (wanted.baseUrl === undefined ? settings.provider : undefined);
  const inherits = wanted.provider === undefined || sameProvider(wanted.provider, settings.provider);
  const baseUrl = wanted.baseUrl ?? (inherits ? configuredUrl(settings) : undefined);
  if (!isAuto(named)) return byName(named ?? '', wanted, settings, env, baseUrl);
  if (baseUrl !== undefined) return byUrl(baseUrl, wanted, settings, env);
  if (!isAuto(env.HERMES_INFERENCE_PROVIDER))
    return byName(env.HERMES_INFERENCE_PROVIDER ?? '', wanted, settings, env, undefined);
  return lookAround(wanted, settings, deps);
}

const configuredUrl = (settings: ModelSettings): string | undefined =>
  settings.baseUrl ? normaliseBaseUrl(settings.baseUrl) : undefined;

function sameProvider(a: string, b: string | undefined): boolean {
  if (b === undefined) return false;
  return (
    a.toLowerCase() === b.toLowerCase() ||
    (findProvider(a) !== undefined && findProvider(a)?.id === findProvider(b)?.id)
  );
}

function byName(name: string, wanted: Wanted, settings: ModelSettings, env: Env, baseUrl: string | undefined): Chosen {
  const custom = findCustom(name, settings);
  if (custom !== undefined) {
    const url = baseUrl ?? (custom.baseUrl ? normaliseBaseUrl(custom.baseUrl) : '');
    return ofRow(mustFind('custom'), url, wanted, custom, `custom:${custom.name}`, custom.name);
  }
  const row = findProvider(vendorName(name, env));
  if (row === undefined) throw unknownProvider(name, settings);
  const own = settingsOf(row, settings);
  const url = baseUrl ?? (own.baseUrl ? normaliseBaseUrl(own.baseUrl) : undefined) ?? envUrl(row, env) ?? row.baseUrl;
  return ofRow(row, row.id === 'bedrock' && url === row.baseUrl ? regional(env) : url, wanted, own);
}

/** `openai` meant the OpenRouter row in older homes; with nothing but OpenAI's own key it means OpenAI. */
function vendorName(name: string, env: Env): string {
  const openAiOnly =
    !isRealSecret(env.OPENROUTER_API_KEY) &&
    isRealSecret(env.OPENAI_API_KEY) &&
    !env.OPENAI_API_KEY.startsWith('sk-or-');
  return name.trim().toLowerCase() === 'openai' && openAiOnly ? 'openai-api' : name;
}

function byUrl(baseUrl: string, wanted: Wanted, settings: ModelSettings, env: Env): Chosen {
  const url = normaliseBaseUrl(baseUrl);
  const custom = [...(settings.customProviders ?? []), ...namedProviders(settings)].find(
    (candidate) => candidate.baseUrl !== undefined && normaliseBaseUrl(candidate.baseUrl) === url,
  );
  if (custom !== undefined) return ofRow(mustFind('custom'), url, wanted, custom, `custom:${custom.name}`, custom.name);
  const owner = ownerOf(url);
  const own = owner === undefined ? {} : settingsOf(owner, settings);
  // An address of the vendor's own without a key there may still be served by the key of the configuration.
  const row =
    owner !== undefined && (own.apiKey !== undefined || credentialFromEnv(owner, url, env) !== undefined)
      ? owner
      : undefined;
  return ofRow(row ?? owner ?? mustFind('custom'), url, wanted, own);
}

const namedProviders = (settings: ModelSettings) =>
  Object.entries(settings.providers ?? {})
    .filter(([id]) => findProvider(id) === undefined)
    .map(([name, own]) => ({ ...own, name }));

function ofRow(
  row: ProviderRow,
  baseUrl: string,
  wanted: Wanted,
  own: ProviderSettings,
  id = row.id,
  name?: string,
): Chosen {
  if (baseUrl === '')
    throw new AppError('model-no-address', `The provider ${name ?? row.name} has no address.`, {
      hint:
        row.baseUrlVar === undefined || id !== row.id
          ? 'Set its `base_url` in config.yaml.'
          : `Set model.base_url with \`hermes config set model.base_url <url>\`, or ${row.baseUrlVar}.`,
      exitCode: 2,
    });
  const shown = name ?? (row.id === 'custom' ? 'The endpoint' : row.name);
  return { row, id, name: shown, baseUrl, own, ...(wanted.model === undefined ? {} : { model: wanted.model }) };
}

function mustFind(id: string): ProviderRow {
  const row = findProvider(id);
  if (row === undefined) throw new Error(`provider table lacks ${id}`);
  return row;
}

function envUrl(row: ProviderRow, env: Env): string | undefined {
  const value = row.baseUrlVar === undefined ? undefined : env[row.baseUrlVar]?.trim();
  return value ? normaliseBaseUrl(value) : undefined;
}

const regional = (env: Env): string =>
  `https://bedrock-runtime.${env.AWS_REGION || env.AWS_DEFAULT_REGION || 'us-east-1'}.amazonaws.com`;

/** Keys first, in the order of the table; then AWS; then servers of this machine; at last the demo. */
async function lookAround(wanted: Wanted, settings: ModelSettings, deps: ChooseDeps): Promise<Chosen> {
  const { env } = deps;
  const byKey = PROVIDERS.find((row) => row.auto && (hasOwnKey(settingsOf(row, settings), env) || keyOf(row, env)));
  if (byKey !== undefined) return byName(byKey.id, wanted, settings, env, undefined);
  const [custom] = [...(settings.customProviders ?? []), ...namedProviders(settings)].filter(
    (entry) => entry.baseUrl !== undefined,
  );
  if (custom !== undefined) return byName(`custom:${custom.name}`, wanted, settings, env, undefined);
  if (hasAws(env)) return byName('bedrock', wanted, settings, env, undefined);
  const servers = await deps.findLocal();
  const fitting = servers.find((server) => server.models.some(({ id }) => id === wanted.model)) ?? servers[0];
  if (fitting !== undefined) {
    const model = wanted.model ?? fitting.models[0]?.id;
    return ofRow(fitting.provider, fitting.baseUrl, model === undefined ? wanted : { ...wanted, model }, {});
  }
  if (wanted.model !== undefined && wanted.model !== 'demo') throw nothingConfigured(wanted.model);
  return ofRow(mustFind('demo'), 'demo:', { model: 'demo' }, {});
}

const hasOwnKey = (own: ProviderSettings, env: Env): boolean =>
  own.keyCmd !== undefined || isRealSecret(own.apiKey) || (own.keyEnv !== undefined && isRealSecret(env[own.keyEnv]));

const keyOf = (row: ProviderRow, env: Env): boolean =>
  credentialFromEnv(row, envUrl(row, env) ?? row.baseUrl, env) !== undefined;

export const hasAws = (env: Env): boolean =>
  isRealSecret(env.AWS_BEARER_TOKEN_BEDROCK) ||
  (isRealSecret(env.AWS_ACCESS_KEY_ID) && isRealSecret(env.AWS_SECRET_ACCESS_KEY)) ||
  Boolean(env.AWS_PROFILE);

function unknownProvider(name: string, settings: ModelSettings): AppError {
  const names = [
    ...PROVIDERS.flatMap((row) => [row.id, ...row.aliases]),
    ...(settings.customProviders ?? []).map((custom) => custom.name),
  ];
  const close = nearest(name.toLowerCase(), names);
  return new AppError('model-unknown-provider', `There is no provider ${name}.`, {
    hint:
      close === undefined
        ? 'See them with `hermes model --providers`.'
        : `Did you mean ${close}? See all with \`hermes model --providers\`.`,
    exitCode: 2,
  });
}

const nothingConfigured = (model: string): AppError =>
  new AppError('model-not-configured', `No provider is set up that could serve ${model}.`, {
    hint: 'Run `hermes setup`, or set OPENROUTER_API_KEY, ANTHROPIC_API_KEY or another provider’s key.',
  });
