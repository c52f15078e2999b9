/**
 * How long a window a model has, in this order: configuration, what was learnt earlier, the catalog, the family, a
 * default. Asking the endpoint happens beside the first request, never before it; what it says is kept for next time.
 */
import { readFileSync } from 'node:fs';
import type { CatalogModel } from './catalog.ts';
import { familyWindow } from './family-windows.ts';

export const MINIMUM_WINDOW = 64_000;
export const DEFAULT_WINDOW = 128_000;

export interface WindowFact {
  readonly tokens: number;
  /** `config`, `cache`, `catalog`, `endpoint`, `family`, `default`. */
  readonly source: string;
}

export function decideWindow(known: {
  readonly configured?: number;
  readonly cached?: number;
  readonly catalog?: CatalogModel;
  readonly model: string;
}): WindowFact {
  if (known.configured !== undefined) return { tokens: known.configured, source: 'config' };
  if (known.cached !== undefined) return { tokens: known.cached, source: 'endpoint' };
  if (known.catalog !== undefined) return { tokens: known.catalog.contextWindow, source: 'catalog' };
  const family = familyWindow(known.model);
  return family === undefined ? { tokens: DEFAULT_WINDOW, source: 'default' } : { tokens: family, source: 'family' };
}

/** The limit a provider states in a refusal; undefined when it states none. */
export function statedWindow(text: string): number | undefined {
  const patterns = [
    /(?:maximum context (?:length|window)|context (?:length|window|size)|window|max(?:imum)?_model_len|n_ctx|limit)[^\d]{0,40}?(\d[\d,_]{3,})/i,
    />\s*(\d[\d,_]{3,})\s*(?:maximum|max|limit)/i,
    /(?:maximum|at most|limit of|up to)\s*(?:is\s*)?(\d[\d,_]{3,})/i,
  ];
  for (const pattern of patterns) {
    const tokens = Number(pattern.exec(text)?.[1]?.replace(/[,_]/g, ''));
    if (Number.isInteger(tokens) && tokens >= 1024 && tokens <= 20_000_000) return tokens;
  }
  return undefined;
}

/** What was learnt about windows, kept in `context_length_cache.yaml` of the home. */
export interface WindowCache {
  get(model: string, baseUrl: string): number | undefined;
  /** Never throws: a cache that cannot be written is only asked again. */
  set(model: string, baseUrl: string, tokens: number): Promise<void>;
}

const LINE = /^\s+(?:"([^"]*)"|'([^']*)'|(\S.*?)):\s*(\d+)\s*$/;

/** Format of the file: a map `context_lengths` of `model@base_url` to tokens. Without a path nothing is kept. */
export function createWindowCache(path: string | undefined): WindowCache {
  const learnt = new Map<string, number>();
  let entries: Map<string, number> | undefined;
  const keyOf = (model: string, baseUrl: string): string => `${model}@${baseUrl}`;
  return {
    get(model, baseUrl) {
      entries ??= readEntries(path);
      const key = keyOf(model, baseUrl);
      return learnt.get(key) ?? entries.get(key);
    },
    async set(model, baseUrl, tokens) {
      learnt.set(keyOf(model, baseUrl), tokens);
      if (path !== undefined) await save(path, learnt);
    },
  };
}

function readEntries(path: string | undefined): Map<string, number> {
  const entries = new Map<string, number>();
  if (path === undefined) return entries;
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch {
    return entries; // not there yet
  }
  for (const line of text.split('\n')) {
    const [, double, single, plain, tokens] = LINE.exec(line) ?? [];
    const key = double ?? single ?? plain;
    if (key !== undefined) entries.set(key, Number(tokens));
  }
  return entries;
}

async function save(path: string, learnt: ReadonlyMap<string, number>): Promise<void> {
  const [{ writeFileAtomic }, { withFileLock }] = await Promise.all([
    import('../lib/atomic-file.ts'),
    import('../lib/file-lock.ts'),
  ]);
  try {
    await withFileLock(path, async () => {
      const all = new Map([...readEntries(path), ...learnt]);
      const lines = [...all]
        .sort(([a], [b]) => (a < b ? -1 : 1))
        .map(([key, tokens]) => `  ${yamlKey(key)}: ${tokens}\n`);
      await writeFileAtomic(path, `context_lengths:\n${lines.join('')}`);
    });
  } catch {
    // a read-only home: the endpoint is asked again next time
  }
}

const yamlKey = (key: string): string => (/^[\w./@:-]+$/.test(key) && !/:$/.test(key) ? key : JSON.stringify(key));
