import { describe, expect, it } from 'vitest';
import { catalogOf, isFamilyAlias, newestOfFamily } from './catalog.ts';
import { createWindowCache } from './context-length.ts';
import { isRealSecret, withoutSecrets } from './credentials.ts';
import type { Endpoint } from './endpoint.ts';
import { isLocal, modeOfUrl, normaliseBaseUrl } from './endpoint-url.ts';
import type { Env } from './http/http-fetch.ts';
import type { LocalServer } from './local-servers.ts';
import type { ModelSelection } from './models.ts';
import { findProvider, PROVIDERS } from './providers.ts';
import { resolveEndpoint } from './resolve.ts';
import type { ModelSettings } from './settings.ts';

const OR = 'sk-or-v1-abcdefgh';
const ANT = 'sk-ant-api-abcdefgh';

async function resolve(
  selection: ModelSelection,
  settings: ModelSettings,
  env: Env = {},
  local: readonly LocalServer[] = [],
): Promise<Endpoint> {
  const endpoint = await resolveEndpoint(selection, settings, {
    env,
    windows: createWindowCache(undefined),
    findLocal: async () => local,
    firstModel: async () => undefined,
  });
  if (endpoint === undefined) throw new Error('demo');
  return endpoint;
}

/** provider, model, base URL and key in one line. */
async function brief(
  selection: ModelSelection,
  settings: ModelSettings,
  env: Env = {},
  local: readonly LocalServer[] = [],
) {
  const { info, credential } = await resolve(selection, settings, env, local);
  return [info.provider, info.model, info.baseUrl, (await credential())?.value];
}

describe('provider table', () => {
  it('has every id and alias once', () => {
    const names = PROVIDERS.flatMap((row) => [row.id, ...row.aliases]);
    expect(new Set(names).size).toBe(names.length);
  });

  it('offers default models that the catalog knows and that are large enough', async () => {
    for (const row of PROVIDERS) {
      if (row.vendorId === undefined || row.defaultModel === undefined) continue;
      const models = await catalogOf(row.vendorId);
      const known = models.find(({ id }) => id === row.defaultModel);
      expect(known, `${row.id}: ${row.defaultModel}`).toBeDefined();
      expect(known?.contextWindow).toBeGreaterThanOrEqual(64_000);
    }
  });
});

describe('who serves', () => {
  it('prefers the selection to the configuration, that to the environment, that to what lies around', async () => {
    const env = {
      OPENROUTER_API_KEY: OR,
      ANTHROPIC_API_KEY: ANT,
      DEEPSEEK_API_KEY: 'deep-key',
      HERMES_INFERENCE_PROVIDER: 'deepseek',
    };
    expect((await brief({ provider: 'anthropic' }, { provider: 'openrouter', model: 'x/y' }, env))[0]).toBe(
      'anthropic',
    );
    expect((await brief({}, { provider: 'openrouter', model: 'x/y' }, env))[0]).toBe('openrouter');
    expect((await brief({}, {}, env))[0]).toBe('deepseek');
    expect((await brief({}, {}, { ANTHROPIC_API_KEY: ANT }))[0]).toBe('anthropic');
  });

  it('keeps a key away from every other host', async () => {
    const env = { OPENROUTER_API_KEY: OR, OPENAI_API_KEY: OR };
    expect((await brief({ baseUrl: 'https://llm.example.com/v1', model: 'm' }, {}, env))[3]).toBeUndefined();
    expect(
      (
        await brief(
          { baseUrl: 'https://llm.example.com/v1', model: 'm' },
          { apiKey: OR, baseUrl: 'https://llm.example.com/v1' },
          {},
        )
      )[3],
    ).toBeUndefined();
    expect(
      (await brief({ baseUrl: 'http://localhost:9/v1', model: 'm' }, {}, { ...env, ANTHROPIC_API_KEY: ANT }))[3],
    ).toBeUndefined();
    expect((await brief({ baseUrl: 'https://openrouter.ai/api/v1', model: 'm' }, {}, env))[3]).toBe(OR);
  });

  it('does not carry the configured address, key and window over to another provider', async () => {
    const settings = {
      provider: 'custom',
      baseUrl: 'http://localhost:9/v1',
      apiKey: 'local-key',
      model: 'mine',
      contextLength: 70_000,
      apiMode: 'chat_completions',
    };
    expect(await brief({}, settings)).toEqual(['custom', 'mine', 'http://localhost:9/v1', 'local-key']);
    const other = await resolve({ provider: 'anthropic' }, settings, { ANTHROPIC_API_KEY: ANT });
    expect(other.info).toMatchObject({
      baseUrl: 'https://api.anthropic.com',
      apiMode: 'anthropic_messages',
      contextSource: 'catalog',
    });
    expect(other.info.model).toBe(findProvider('anthropic')?.defaultModel);
  });

  it('finds endpoints of the user’s own by name, by colon and by address', async () => {
    const settings: ModelSettings = {
      customProviders: [
        {
          name: 'Lab',
          baseUrl: 'https://lab.example.com/v1/',
          keyEnv: 'LAB_KEY',
          models: { big: { contextLength: 99_000 } },
        },
      ],
      providers: { desk: { baseUrl: 'http://10.0.0.2:8000/v1', model: 'desk-model', apiKey: 'desk-key' } },
    };
    const env = { LAB_KEY: 'lab-secret' };
    const lab = ['custom:Lab', 'big', 'https://lab.example.com/v1', 'lab-secret'];
    expect(await brief({ model: 'custom:lab:big' }, settings, env)).toEqual(lab);
    expect(await brief({ provider: 'lab', model: 'big' }, settings, env)).toEqual(lab);
    expect(await brief({ provider: 'custom:Lab', model: 'big' }, settings, env)).toEqual(lab);
    expect(await brief({ baseUrl: 'https://lab.example.com/v1', model: 'big' }, settings, env)).toEqual(lab);
    expect((await resolve({ model: 'custom:lab:big' }, settings, env)).info).toMatchObject({
      contextWindow: 99_000,
      contextSource: 'config',
    });
    expect(await brief({ provider: 'desk' }, settings)).toEqual([
      'custom:desk',
      'desk-model',
      'http://10.0.0.2:8000/v1',
      'desk-key',
    ]);
  });

  it('resumes what a session stored', async () => {
    for (const settings of [
      { provider: 'custom', baseUrl: 'http://localhost:9/v1', model: 'm' },
      { customProviders: [{ name: 'lab', baseUrl: 'http://localhost:9/v1' }] },
    ]) {
      const { info } = await resolve({ provider: 'custom', baseUrl: 'http://localhost:9/v1', model: 'm' }, settings);
      const again = await resolve({ provider: info.provider, baseUrl: info.baseUrl, model: info.model }, settings);
      expect(again.info).toEqual(info);
    }
  });

  it('takes a server of this machine when nothing is configured, and the demo when there is none', async () => {
    const ollama = findProvider('ollama');
    if (ollama === undefined) throw new Error('no row');
    const local = [{ provider: ollama, baseUrl: ollama.baseUrl, models: [{ id: 'qwen3:8b' }] }];
    expect(await brief({}, {}, {}, local)).toEqual(['ollama', 'qwen3:8b', ollama.baseUrl, undefined]);
    await expect(resolve({}, {})).rejects.toThrow('demo');
    await expect(resolve({ model: 'gpt-x' }, {})).rejects.toMatchObject({
      code: 'model-not-configured',
      hint: expect.stringContaining('hermes setup'),
    });
  });

  it('uses a lone OpenAI key at OpenAI', async () => {
    const env = { OPENAI_API_KEY: 'sk-proj-abcdefgh' };
    expect((await brief({}, {}, env)).slice(0, 1)).toEqual(['openai-api']);
    expect((await resolve({ provider: 'openai' }, {}, env)).info.apiMode).toBe('codex_responses');
    expect((await brief({ provider: 'openai' }, {}, { ...env, OPENROUTER_API_KEY: OR }))[0]).toBe('openrouter');
  });
});

describe('model names', () => {
  const env = { OPENROUTER_API_KEY: OR, ANTHROPIC_API_KEY: ANT };

  it.each([
    [{ model: 'anthropic:claude-opus-4.6' }, {}, 'anthropic', 'claude-opus-4-6'],
    [{ model: 'anthropic/claude-opus-4.6' }, {}, 'anthropic', 'claude-opus-4-6'],
    [{ model: 'anthropic/claude-opus-4.6' }, { provider: 'openrouter' }, 'openrouter', 'anthropic/claude-opus-4.6'],
    [{ model: 'deepseek/deepseek-chat:free' }, { provider: 'openrouter' }, 'openrouter', 'deepseek/deepseek-chat:free'],
    [{ model: 'qwen3:8b', provider: 'ollama' }, {}, 'ollama', 'qwen3:8b'],
    [{ model: 'Fast' }, { aliases: { fast: 'openrouter/google/gemini-x' } }, 'openrouter', 'google/gemini-x'],
    [{ model: 'mine' }, { aliases: { mine: { model: 'm', provider: 'ollama' } } }, 'ollama', 'm'],
    [{ model: 'claude\u2013opus\u20114\u20116', provider: 'anthropic' }, {}, 'anthropic', 'claude-opus-4-6'],
  ] as const)('%j with %j', async (selection, settings, provider, model) => {
    expect((await brief(selection, settings, env)).slice(0, 2)).toEqual([provider, model]);
  });

  it('turns a family word into its newest member', async () => {
    const models = await catalogOf('anthropic');
    const { info } = await resolve({ model: 'sonnet', provider: 'anthropic' }, {}, env);
    expect(info.model).toBe(newestOfFamily(models, 'sonnet')?.id);
    expect(info.model).toContain('sonnet');
    expect(isFamilyAlias('Opus')).toBe(true);
    const made = ['claude-opus-4-1', 'claude-opus-4-10', 'claude-opus-4-9-20260101', 'claude-opus-5-preview'].map(
      (id) => ({ ...models[0], id }) as (typeof models)[number],
    );
    expect(newestOfFamily(made, 'opus')?.id).toBe('claude-opus-4-10');
  });
});

describe('what is refused', () => {
  it.each([
    [{ provider: 'opnrouter' }, {}, {}, 'model-unknown-provider', 'openrouter'],
    [{ provider: 'anthropic' }, {}, {}, 'model-no-key', 'ANTHROPIC_API_KEY'],
    [{ provider: 'anthropic' }, {}, { ANTHROPIC_API_KEY: 'your_api_key' }, 'model-no-key', 'hermes setup'],
    [{ provider: 'custom', model: 'm' }, {}, {}, 'model-no-address', 'base_url'],
    [{ baseUrl: 'http://localhost:9/v1' }, {}, {}, 'model-no-model', 'hermes model'],
    [
      { baseUrl: 'http://localhost:9/v1', model: 'm' },
      { baseUrl: 'http://localhost:9/v1', apiMode: 'smoke' },
      {},
      'model-unknown-mode',
      'chat_completions',
    ],
    [{ provider: 'bedrock', model: 'm' }, {}, {}, 'model-no-key', 'AWS_PROFILE'],
    [
      { provider: 'copilot', model: 'gpt-5-mini' },
      {},
      { GITHUB_TOKEN: 'ghp_classic123' },
      'model-no-key',
      'COPILOT_GITHUB_TOKEN',
    ],
  ] as const)('%j %j %j', async (selection, settings, env, code, hint) => {
    await expect(resolve(selection, settings as ModelSettings, env)).rejects.toMatchObject({
      code,
      hint: expect.stringContaining(hint),
    });
  });

  it('refuses a small window it found, and only warns about one that was configured', async () => {
    const small = { baseUrl: 'http://localhost:9/v1', model: 'm' };
    const windows = { get: () => 8192, set: async () => {} };
    const deps = { env: {}, windows, findLocal: async () => [], firstModel: async () => undefined };
    await expect(resolveEndpoint(small, {}, deps)).rejects.toMatchObject({
      code: 'model-small-window',
      hint: expect.stringContaining('context_length'),
    });
    const endpoint = await resolve({}, { ...small, contextLength: 8192 });
    expect(endpoint.notice).toContain('8,192');
    expect(endpoint.info.contextSource).toBe('config');
  });
});

describe('addresses and secrets', () => {
  it('compares hosts whole', () => {
    expect(modeOfUrl('https://api.anthropic.com')).toBe('anthropic_messages');
    expect(modeOfUrl('https://api.anthropic.com.evil.test')).toBeUndefined();
    expect(modeOfUrl('https://evil.test/?api.openai.com')).toBeUndefined();
    expect(modeOfUrl('https://gate.test/anthropic/')).toBe('anthropic_messages');
  });

  it('knows what is local and what people paste', () => {
    for (const url of [
      'http://localhost:1',
      'http://127.0.0.1',
      'http://192.168.1.5',
      'http://172.16.0.1',
      'http://[::1]:80',
      'http://nas.local',
    ])
      expect(isLocal(url)).toBe(true);
    for (const url of ['https://172.32.0.1', 'https://localhost.evil.test', 'https://api.openai.com'])
      expect(isLocal(url)).toBe(false);
    expect(normaliseBaseUrl(' http://x/v1/chat/completions/ ')).toBe('http://x/v1');
  });

  it('tells secrets from placeholders and hides them', () => {
    for (const text of [
      '',
      'abc',
      'changeme',
      'your_api_key',
      '<key>',
      `\${KEY}`,
      'sk-xxxx',
      'None',
      'your-key-here',
      '****',
    ])
      expect(isRealSecret(text), text).toBe(false);
    for (const text of ['sk-or-v1-abc', 'local', 'ollama']) expect(isRealSecret(text), text).toBe(true);
    expect(withoutSecrets('key sk-ant-abc123456 at http://x?key=zzz&a=1')).toBe('key *** at http://x?key=***&a=1');
  });

  it('runs a key command and keeps its token', async () => {
    const { credential } = await resolve(
      {},
      {
        providers: { lab: { baseUrl: 'http://localhost:9/v1', keyCmd: 'echo token-$RANDOM_PART-x', model: 'm' } },
        provider: 'lab',
      },
      { PATH: process.env.PATH, RANDOM_PART: 'r' },
    );
    expect(await credential()).toEqual({ value: 'token-r-x', source: 'key_cmd' });
    const bad = await resolve(
      {},
      { providers: { lab: { baseUrl: 'http://localhost:9/v1', keyCmd: 'false', model: 'm' } }, provider: 'lab' },
      { PATH: process.env.PATH },
    );
    await expect(bad.credential()).rejects.toMatchObject({ code: 'model-key-command' });
  });
});
