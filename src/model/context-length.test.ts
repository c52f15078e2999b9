import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { type ModelServer, type ModelServerOptions, startModelServer } from '../../test/support/model-server.ts';
import { createWindowCache, DEFAULT_WINDOW, decideWindow, statedWindow } from './context-length.ts';
import { listModels, probeWindow } from './endpoint-probe.ts';
import { familyWindow } from './family-windows.ts';
import { createHttpFetch } from './http/http-fetch.ts';

let folder: string;
let server: ModelServer | undefined;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'windows-'));
});
afterEach(async () => {
  await rm(folder, { recursive: true });
  await server?.close();
  server = undefined;
});

describe('window', () => {
  it('is taken from the surest source', () => {
    const catalog = { contextWindow: 3 } as never;
    expect(decideWindow({ configured: 1, cached: 2, catalog, model: 'claude-x' })).toEqual({
      tokens: 1,
      source: 'config',
    });
    expect(decideWindow({ cached: 2, catalog, model: 'claude-x' }).tokens).toBe(2);
    expect(decideWindow({ catalog, model: 'claude-x' })).toEqual({ tokens: 3, source: 'catalog' });
    expect(decideWindow({ model: 'claude-x' })).toEqual({ tokens: familyWindow('claude'), source: 'family' });
    expect(decideWindow({ model: 'nobody-knows' })).toEqual({ tokens: DEFAULT_WINDOW, source: 'default' });
  });

  it('goes by the longest family name that fits', () => {
    expect(familyWindow('qwen3-coder-480b')).toBe(familyWindow('qwen3-coder'));
    expect(familyWindow('Qwen2.5-7B')).toBe(familyWindow('qwen'));
    expect(familyWindow('anthropic/claude-opus-4.6')).toBe(familyWindow('claude-opus-4-6'));
    expect(familyWindow('qwen3-coder')).not.toBe(familyWindow('qwen'));
  });

  it.each([
    ["This model's maximum context length is 131072 tokens. However, you requested 140000", 131_072],
    ['131900 tokens in the prompt, the window of this model is 131072', 131_072],
    ['prompt is too long: 250000 tokens > 200000 maximum', 200_000],
    ['the request exceeds the available context size. n_ctx = 8192', 8192],
    ['maximum context length is 1,048,576', 1_048_576],
    ['too long, sorry', undefined],
    ['limit reached, try in 30 s', undefined],
  ])('KF-062: reads the limit in "%s"', (text, expected) => {
    expect(statedWindow(text)).toBe(expected);
  });
});

describe('window cache', () => {
  it('keeps what was learnt in the file the original reads, next to what was there', async () => {
    const path = join(folder, 'context_length_cache.yaml');
    await writeFile(path, "context_lengths:\n  'odd: name@http://x/v1': 5000\n  m@http://a/v1: 70000\n");
    const cache = createWindowCache(path);
    expect(cache.get('m', 'http://a/v1')).toBe(70_000);
    expect(cache.get('odd: name', 'http://x/v1')).toBe(5000);
    await cache.set('qwen3:8b', 'http://b/v1', 32_768);
    expect(parse(await readFile(path, 'utf8'))).toEqual({
      context_lengths: { 'm@http://a/v1': 70_000, 'odd: name@http://x/v1': 5000, 'qwen3:8b@http://b/v1': 32_768 },
    });
    expect(createWindowCache(path).get('qwen3:8b', 'http://b/v1')).toBe(32_768);
  });

  it('does without a file', async () => {
    const cache = createWindowCache(undefined);
    await cache.set('m', 'u', 1);
    expect([cache.get('m', 'u'), cache.get('n', 'u')]).toEqual([1, undefined]);
  });
});

describe('asking the endpoint', () => {
  const ask = async (options: ModelServerOptions, model = 'm') => {
    server = await startModelServer(options);
    return probeWindow(
      createHttpFetch(),
      { baseUrl: server.baseUrl, apiMode: 'chat_completions', key: undefined },
      model,
      AbortSignal.timeout(5000),
    );
  };

  it.each([
    ['the list', { models: [{ id: 'm', context_length: 1111 }] }, 1111],
    ['vLLM', { models: [{ id: 'm', max_model_len: 2222 }] }, 2222],
    ['OpenRouter', { models: [{ id: 'm', top_provider: { context_length: 3333 } }] }, 3333],
    [
      'llama.cpp',
      { models: [{ id: 'm' }], routes: { '/props': { default_generation_settings: { n_ctx: 4444 } } } },
      4444,
    ],
    [
      'Ollama',
      { models: [{ id: 'm' }, { id: 'n' }], routes: { '/api/show': { model_info: { 'qwen.context_length': 5555 } } } },
      5555,
    ],
    [
      'Ollama with num_ctx',
      {
        models: [],
        routes: { '/api/show': { parameters: 'num_ctx    6666\n', model_info: { 'qwen.context_length': 9 } } },
      },
      6666,
    ],
    ['nobody', { models: [] }, undefined],
  ] as const)('%s', async (_name, options, expected) => {
    expect(await ask(options as ModelServerOptions)).toBe(expected);
  });

  it('lists models of several shapes', async () => {
    server = await startModelServer({
      routes: { '/v1/models': { models: [{ name: 'models/gemini-x', inputTokenLimit: 7 }, { model: 'y' }, 5] } },
    });
    const list = await listModels(
      createHttpFetch(),
      { baseUrl: server.baseUrl, apiMode: 'chat_completions', key: 'k' },
      AbortSignal.timeout(5000),
    );
    expect(list).toEqual([{ id: 'gemini-x', contextWindow: 7 }, { id: 'y' }]);
  });
});
