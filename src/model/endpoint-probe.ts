/** Asks an endpoint which models it has and how long their windows are. */
import { hostOf } from './endpoint-url.ts';
import type { HttpFetch } from './http/http-fetch.ts';

export interface ListedModel {
  readonly id: string;
  readonly contextWindow?: number;
}

export interface ProbeTarget {
  readonly baseUrl: string;
  readonly apiMode: string;
  readonly key: string | undefined;
}

const WINDOW_FIELDS = [
  'context_length',
  'context_window',
  'max_context_length',
  'max_model_len',
  'max_input_tokens',
  'inputTokenLimit',
  'n_ctx',
];

type Json = Record<string, unknown>;
const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The endpoint's own list. Rejects when it cannot be read. */
export async function listModels(fetch: HttpFetch, target: ProbeTarget, signal: AbortSignal): Promise<ListedModel[]> {
  const anthropic = target.apiMode === 'anthropic_messages';
  const answer = await getJson(
    fetch,
    `${target.baseUrl}${anthropic ? '/v1/models?limit=1000' : '/models'}`,
    target,
    signal,
  );
  const rows = isObject(answer) ? (answer.data ?? answer.models) : answer;
  return (Array.isArray(rows) ? rows : []).filter(isObject).flatMap((row) => {
    const id = row.id ?? row.name ?? row.model;
    if (typeof id !== 'string') return [];
    const contextWindow = windowIn(row);
    return [{ id: id.replace(/^models\//, ''), ...(contextWindow === undefined ? {} : { contextWindow }) }];
  });
}

/** The window an endpoint states for a model, by whichever of the known ways it offers. */
export async function probeWindow(
  fetch: HttpFetch,
  target: ProbeTarget,
  model: string,
  signal: AbortSignal,
): Promise<number | undefined> {
  const root = target.baseUrl.replace(/\/v1$/, '');
  const quietly = async <T>(ask: Promise<T>): Promise<T | undefined> => ask.catch(() => undefined); // this way is not offered here
  const listed = await quietly(listModels(fetch, target, signal));
  const own = listed?.find(({ id }) => id === model) ?? (listed?.length === 1 ? listed[0] : undefined);
  if (own?.contextWindow !== undefined) return own.contextWindow;
  if (target.apiMode === 'anthropic_messages' || hostOf(target.baseUrl) === 'api.openai.com') return undefined;
  const props = await quietly(getJson(fetch, `${root}/props`, target, signal));
  const served =
    isObject(props) && isObject(props.default_generation_settings)
      ? Number(props.default_generation_settings.n_ctx)
      : Number.NaN;
  if (served > 0) return served;
  return ollamaWindow(await quietly(getJson(fetch, `${root}/api/show`, target, signal, { model })));
}

/** A `num_ctx` of the model file is what really is loaded; the architecture's length is only possible. */
function ollamaWindow(shown: unknown): number | undefined {
  if (!isObject(shown)) return undefined;
  const parameters = typeof shown.parameters === 'string' ? shown.parameters : '';
  const loaded = Number(/^num_ctx\s+(\d+)/m.exec(parameters)?.[1]);
  if (loaded > 0) return loaded;
  const info = isObject(shown.model_info) ? shown.model_info : {};
  const entry = Object.entries(info).find(([name]) => name.endsWith('.context_length'));
  return typeof entry?.[1] === 'number' ? entry[1] : undefined;
}

function windowIn(row: Json): number | undefined {
  const places = [row, row.top_provider, row.meta, row.limits, row.model_info].filter(isObject);
  for (const place of places)
    for (const field of WINDOW_FIELDS) {
      const value = Number(place[field]);
      if (Number.isInteger(value) && value > 0) return value;
    }
  return undefined;
}

async function getJson(
  fetch: HttpFetch,
  url: string,
  target: ProbeTarget,
  signal: AbortSignal,
  body?: unknown,
): Promise<unknown> {
  const headers: Record<string, string> = { accept: 'application/json', ...keyHeaders(target) };
  const post = body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) };
  if (body !== undefined) headers['content-type'] = 'application/json';
  const response = await fetch(url, { ...post, headers, signal });
  const text = await response.text();
  if (!response.ok) throw new Error(`${response.status} ${text.slice(0, 200)}`);
  return JSON.parse(text);
}

function keyHeaders({ apiMode, key }: ProbeTarget): Record<string, string> {
  if (apiMode === 'anthropic_messages')
    return { 'anthropic-version': '2023-06-01', ...(key === undefined ? {} : anthropicKey(key)) };
  if (key === undefined) return {};
  return apiMode === 'gemini' ? { 'x-goog-api-key': key } : { authorization: `Bearer ${key}` };
}

const anthropicKey = (key: string): Record<string, string> =>
  key.startsWith('sk-ant-oat')
    ? { authorization: `Bearer ${key}`, 'anthropic-beta': 'oauth-2025-04-20' }
    : { 'x-api-key': key };
