import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { listen, requestOf } from '../../test/support/model-endpoint.ts';
import { type ModelServer, startModelServer } from '../../test/support/model-server.ts';
import { createModels, type ModelsDeps } from './create-models.ts';
import type { ModelSettings } from './settings.ts';

let server: ModelServer;
let folder: string;
beforeEach(async () => {
  server = await startModelServer();
  folder = await mkdtemp(join(tmpdir(), 'models-'));
});
afterEach(async () => {
  await server.close();
  await rm(folder, { recursive: true });
});

const NOBODY = {
  ollama: 'http://127.0.0.1:1',
  lmstudio: 'http://127.0.0.1:1',
  llamacpp: 'http://127.0.0.1:1',
  vllm: 'http://127.0.0.1:1',
};
const signal = () => new AbortController().signal;
const models = (settings: ModelSettings, deps: Partial<ModelsDeps> = {}) =>
  createModels(settings, { env: {}, localUrls: NOBODY, sleep: async () => {}, ...deps });
const custom = (more: ModelSettings = {}): ModelSettings => ({
  provider: 'custom',
  baseUrl: server.baseUrl,
  model: 'mock-model',
  ...more,
});

describe('models', () => {
  it('resolves and streams without a look-up when everything is said', async () => {
    server.script([{ status: 500, body: {} }, { text: 'hello' }]);
    const client = await models(custom({ contextLength: 100_000 })).resolve();
    expect(client.info).toMatchObject({
      provider: 'custom',
      contextWindow: 100_000,
      contextSource: 'config',
      demo: false,
    });
    expect((await listen(client, requestOf())).text).toBe('hello');
    expect(server.lookups).toEqual([]);
  });

  it('asks for a window it had to guess, beside the first request, and remembers it', async () => {
    const path = join(folder, 'context_length_cache.yaml');
    const client = await models(custom(), { windowCachePath: path }).resolve();
    expect(client.info.contextSource).toBe('default');
    expect(server.lookups).toEqual([]);
    await listen(client, requestOf());
    await expect.poll(() => client.info.contextSource).toBe('endpoint');
    expect(client.info.contextWindow).toBe(131_072);
    await expect.poll(() => readFile(path, 'utf8').catch(() => '')).toContain('mock-model@');
    expect((await models(custom(), { windowCachePath: path }).resolve()).info.contextWindow).toBe(131_072);
  });

  it('KF-062: learns the window from a refusal, unless the user set one', async () => {
    const refusal = {
      status: 400,
      body: { error: { message: '131900 tokens in the prompt, the window of this model is 65536' } },
    };
    server.script(() => refusal);
    const guessed = await models(custom(), { probeWindows: false }).resolve();
    expect((await listen(guessed, requestOf())).end.failure?.recovery).toBe('compress');
    expect(guessed.info.contextWindow).toBe(65_536);
    const set = await models(custom({ contextLength: 90_000 })).resolve();
    await listen(set, requestOf());
    expect(set.info.contextWindow).toBe(90_000);
  });

  it('KF-068: sends a provider’s own fields to that provider alone', async () => {
    const settings: ModelSettings = {
      providers: {
        one: { baseUrl: server.baseUrl, model: 'a', extraBody: { effort: 'none' }, extraHeaders: { 'x-one': '1' } },
        two: { baseUrl: `${server.url}/two/v1`, model: 'b' },
      },
    };
    const both = models(settings);
    await listen(await both.resolve({ provider: 'one' }), requestOf());
    await listen(await both.resolve({ provider: 'two' }), requestOf());
    expect(server.requests.map(({ body, headers }) => [body.effort, headers['x-one']])).toEqual([
      ['none', '1'],
      [undefined, undefined],
    ]);
  });

  it('warns once about a small window that was configured', async () => {
    const client = await models(custom({ contextLength: 8192 })).resolve();
    const first = await listen(client, requestOf());
    const second = await listen(client, requestOf());
    const warnings = [first, second].map(({ events }) => events.filter((event) => event.type === 'status').length);
    expect(warnings).toEqual([1, 0]);
  });

  it('gives the demo to whoever asks for it, whatever is configured', async () => {
    const models = createModels({ provider: 'custom', baseUrl: 'http://127.0.0.1:9/v1', model: 'm' }, { env: {} });
    expect((await models.resolve({ model: 'demo' })).info.demo).toBe(true);
    expect((await models.resolve({})).info.demo).toBe(false);
  });

  it('finds a server of this machine, and else is the demo', async () => {
    const found = await models({}, { localUrls: { ...NOBODY, vllm: server.baseUrl } }).resolve();
    expect(found.info).toMatchObject({ provider: 'vllm', model: 'mock-model', baseUrl: server.baseUrl });
    expect((await models({}).resolve()).info.demo).toBe(true);
    expect((await models({}).resolve({ provider: 'demo' })).info.demo).toBe(true);
  });

  it('lists what an endpoint or the catalog has', async () => {
    expect(await models(custom()).list('custom', signal())).toEqual([{ id: 'mock-model', contextWindow: 131_072 }]);
    const catalog = await models({}, { env: { ANTHROPIC_API_KEY: 'sk-ant-12345678' } }).list('anthropic', signal());
    expect(catalog.length).toBeGreaterThan(3);
    expect(server.requests).toEqual([]);
    const gone = models({ provider: 'custom', baseUrl: 'http://127.0.0.1:1/v1', model: 'm' });
    await expect(gone.list('custom', signal())).rejects.toMatchObject({
      code: 'model-list-failed',
      hint: expect.stringContaining('hermes model'),
    });
  });

  it('tells where a provider’s key comes from, never the key', async () => {
    const settings: ModelSettings = { providers: { lab: { baseUrl: 'http://localhost:5/v1' } } };
    const status = await models(settings, {
      env: { ANTHROPIC_API_KEY: 'sk-ant-12345678' },
      origin: () => '.env',
    }).providers();
    expect(status.find(({ id }) => id === 'anthropic')).toMatchObject({
      configured: true,
      source: 'ANTHROPIC_API_KEY in .env',
    });
    expect(status.find(({ id }) => id === 'openrouter')).toMatchObject({
      configured: false,
      envVars: expect.arrayContaining(['OPENROUTER_API_KEY']),
    });
    expect(status.find(({ id }) => id === 'custom:lab')).toMatchObject({ configured: true });
    expect(JSON.stringify(status)).not.toContain('12345678');
  });

  it('tests a model with one small request and one sentence', async () => {
    expect(await models(custom()).test({}, signal())).toMatchObject({ model: 'mock-model' });
    server.script(() => ({
      status: 404,
      body: { error: { message: 'The model `x` does not exist', code: 'model_not_found' } },
    }));
    await expect(models(custom()).test({ model: 'x' }, signal())).rejects.toMatchObject({
      code: 'model-model_not_found',
      hint: expect.stringContaining('hermes model'),
    });
    expect(server.requests).toHaveLength(2);
  });
});
