/** Model servers on this machine, found on their usual ports. */

import { type ListedModel, listModels } from './endpoint-probe.ts';
import type { HttpFetch } from './http/http-fetch.ts';
import { findProvider, type ProviderRow } from './providers.ts';

export interface LocalServer {
  readonly provider: ProviderRow;
  readonly baseUrl: string;
  readonly models: readonly ListedModel[];
}

const PROBE_MS = 150;
/** In order of preference. */
const LOCAL_IDS = ['ollama', 'lmstudio', 'llamacpp', 'vllm'];
const NOT_FOR_CHAT = /embed|whisper|rerank|tts|bge-|nomic/i;

/** Asked at once; those that answer within a moment and have a model for conversation. */
export async function findLocalServers(
  fetch: HttpFetch,
  urls: Readonly<Record<string, string>> = {},
): Promise<LocalServer[]> {
  const signal = AbortSignal.timeout(PROBE_MS);
  const found = await Promise.all(
    LOCAL_IDS.map(async (id): Promise<LocalServer | undefined> => {
      const provider = findProvider(id);
      if (provider === undefined) return undefined;
      const baseUrl = urls[id] ?? provider.baseUrl;
      try {
        const listed = await listModels(fetch, { baseUrl, apiMode: 'chat_completions', key: undefined }, signal);
        const models = listed.filter((model) => !NOT_FOR_CHAT.test(model.id));
        return models.length === 0 ? undefined : { provider, baseUrl, models };
      } catch {
        return undefined; // nobody there, or somebody else
      }
    }),
  );
  return found.filter((server) => server !== undefined);
}
