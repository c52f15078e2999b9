/** What a person typed, or a session remembers, as provider, model and address. */
import { type CatalogModel, catalogOf, isFamilyAlias, newestOfFamily } from './catalog.ts';
import { normaliseBaseUrl } from './endpoint-url.ts';
import type { ModelSelection } from './models.ts';
import { findProvider, type ProviderRow } from './providers.ts';
import type { AliasTarget, CustomProvider, ModelSettings, ProviderSettings } from './settings.ts';

/** Rows of the table that serve other vendors' models: their model ids hold a slash. */
const AGGREGATORS = new Set([
  'openrouter',
  'nous',
  'nous-api',
  'ai-gateway',
  'kilocode',
  'huggingface',
  'groq',
  'deepinfra',
  'novita',
  'together',
  'fireworks',
  'nvidia',
]);

const DEMO = 'demo';

export interface Wanted {
  readonly provider?: string;
  readonly model?: string;
  readonly baseUrl?: string;
}

/**
 * Aliases, `provider:model`, `provider/model` and `custom:<name>:<model>` taken apart. A colon or slash only parts a
 * provider from a model when what stands before it is one: `qwen3:8b`, `x/y:free` are whole model names.
 */
export function readSelection(selection: ModelSelection, settings: ModelSettings): Wanted {
  const typed = clean(selection.model);
  const given: Wanted = {
    ...optional('provider', clean(selection.provider)),
    ...optional('baseUrl', selection.baseUrl === undefined ? undefined : normaliseBaseUrl(selection.baseUrl)),
  };
  if (typed === undefined) return given;
  const alias = findAlias(typed, settings);
  if (alias !== undefined) return { ...alias, ...given };
  // The stand-in has one model and no other provider serves it.
  if (typed === DEMO && given.provider === undefined && given.baseUrl === undefined)
    return { provider: DEMO, model: DEMO };
  return { ...takeApart(typed, given, settings), ...given };
}

/** Typographic dashes come from chat apps and documents. */
const clean = (text: string | undefined): string | undefined =>
  text?.trim().replace(/[\u2010-\u2015\u2212]/g, '-') || undefined;

const optional = <K extends string>(key: K, value: string | undefined): Partial<Record<K, string>> =>
  value === undefined ? {} : ({ [key]: value } as Partial<Record<K, string>>);

function findAlias(name: string, settings: ModelSettings): Wanted | undefined {
  const found = Object.entries(settings.aliases ?? {}).find(
    ([alias]) => alias.toLowerCase() === name.toLowerCase(),
  )?.[1];
  if (found === undefined) return undefined;
  if (typeof found !== 'string') return fromTarget(found);
  return takeApart(found, {}, settings);
}

const fromTarget = (target: AliasTarget): Wanted => ({
  model: target.model,
  ...optional('provider', target.provider),
  ...optional('baseUrl', target.baseUrl === undefined ? undefined : normaliseBaseUrl(target.baseUrl)),
});

function takeApart(typed: string, given: Wanted, settings: ModelSettings): Wanted {
  const custom = /^custom:([^:]+):(.+)$/i.exec(typed);
  if (custom !== null) return { provider: `custom:${custom[1]}`, model: custom[2] };
  if (given.provider !== undefined || given.baseUrl !== undefined) return { model: typed };
  const colon = typed.indexOf(':');
  if (colon > 0 && isProviderName(typed.slice(0, colon), settings))
    return { provider: typed.slice(0, colon), model: typed.slice(colon + 1) };
  const slash = typed.indexOf('/');
  if (slash <= 0 || keepsSlashes(settings)) return { model: typed };
  const [left, right] = [typed.slice(0, slash), typed.slice(slash + 1)];
  return isProviderName(left, settings) ? { provider: left, model: right } : { model: typed };
}

const isProviderName = (name: string, settings: ModelSettings): boolean =>
  findProvider(name) !== undefined || findCustom(name, settings) !== undefined;

/** The configured provider takes `vendor/model` as it is. */
function keepsSlashes(settings: ModelSettings): boolean {
  const row = findProvider(settings.provider ?? '');
  return row !== undefined ? AGGREGATORS.has(row.id) || row.auth === 'optional' : settings.baseUrl !== undefined;
}

const isAggregator = (row: ProviderRow): boolean => AGGREGATORS.has(row.id);

/** An endpoint of the user's own: an entry of `custom_providers`, or one of `providers` that the table does not know. */
export function findCustom(name: string, settings: ModelSettings): CustomProvider | undefined {
  const wanted = name.replace(/^custom:/i, '').toLowerCase();
  const listed = settings.customProviders?.find((custom) => custom.name.toLowerCase() === wanted);
  if (listed !== undefined) return listed;
  const entry = Object.entries(settings.providers ?? {}).find(([id]) => id.toLowerCase() === wanted);
  if (entry === undefined || (findProvider(entry[0]) !== undefined && !/^custom:/i.test(name))) return undefined;
  return { ...entry[1], name: entry[0] };
}

/** What `providers.<id>` says of a row of the table, under its id or an alias. */
export function settingsOf(row: ProviderRow, settings: ModelSettings): ProviderSettings {
  for (const [id, own] of Object.entries(settings.providers ?? {})) if (findProvider(id)?.id === row.id) return own;
  return {};
}

/** The id as this provider spells it: family words become the newest member, a foreign vendor prefix goes. */
export async function normaliseModel(model: string, row: ProviderRow): Promise<string> {
  if (isFamilyAlias(model)) {
    const newest: CatalogModel | undefined = newestOfFamily(await catalogOf(row.vendorId), model);
    if (newest !== undefined) return newest.id;
  }
  if (isAggregator(row) || row.id === 'custom' || row.auth === 'optional') return model;
  const slash = model.indexOf('/');
  const prefix = slash > 0 ? findProvider(model.slice(0, slash)) : undefined;
  const vendor = slash > 0 ? model.slice(0, slash).toLowerCase() : '';
  const own = prefix?.id === row.id || vendor === row.vendorId || (vendor === 'openai' && row.vendorId === 'openai');
  const bare = own ? model.slice(slash + 1) : model;
  // Anthropic writes versions with dashes, aggregators with dots.
  return row.id === 'anthropic' ? bare.replace(/(\d)\.(\d)/g, '$1-$2') : bare;
}
