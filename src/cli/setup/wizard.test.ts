import { mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { makeHome } from '../../config/home.ts';
import { ensureHome } from '../../config/home-setup.ts';
import { AppError } from '../../lib/errors.ts';
import type { ModelInfo } from '../../model/client.ts';
import type { Models, ProviderStatus } from '../../model/models.ts';
import type { Prompts } from './prompts.ts';
import { runWizard } from './wizard.ts';

const statuses: ProviderStatus[] = [
  { id: 'openrouter', name: 'OpenRouter', configured: false, envVars: ['OPENROUTER_API_KEY'] },
  { id: 'bedrock', name: 'Bedrock', configured: false, envVars: ['AWS_ACCESS_KEY_ID'] },
  { id: 'ollama', name: 'Ollama', configured: true, source: 'local server found', envVars: [] },
  { id: 'demo', name: 'Demo', configured: true, envVars: [] },
];

async function wizard(answers: readonly string[], test: () => Promise<void> = async () => {}) {
  const dir = mkdtempSync(join(tmpdir(), 'hermes-setup-'));
  const home = makeHome(dir, dir, 'default', '/nowhere');
  await ensureHome(home);
  const left = [...answers];
  const heard: string[] = [];
  const offered: string[][] = [];
  const next = () => {
    const answer = left.shift();
    if (answer === undefined) throw new AppError('cancelled', 'Stopped.', { exitCode: 130 });
    return answer;
  };
  const prompts: Prompts = {
    say: (text) => heard.push(text),
    warn: (text) => heard.push(text),
    async choose(_message, options) {
      offered.push(options.map((option) => option.value));
      const answer = next();
      return options.find((option) => option.value === answer)?.value ?? expect.fail(`no option ${answer}`);
    },
    text: async () => next(),
    secret: async () => next(),
    during: (_message, work) => work(),
  };
  const models = {
    providers: async () => statuses,
    list: async (provider: string) =>
      provider === 'custom' ? [] : [{ id: `${provider}-big`, contextWindow: 200_000 }],
    resolve: async ({ provider }: { provider: string }) => ({ info: { model: `${provider}-big` } }),
    test: async () => {
      await test();
      return { provider: 'p', model: 'm' } as ModelInfo;
    },
  } as unknown as Models;
  const done = runWizard({
    prompts,
    target: { home, env: {} },
    signal: new AbortController().signal,
    withModels: (work) => work(models),
  });
  const info = await done.catch((error: unknown) => error);
  const read = (name: string) => readFileSync(join(dir, name), 'utf8');
  return { info, heard, offered, left, config: read('config.yaml'), env: read('.env') };
}

describe('runWizard', () => {
  it('offers what works first, then what one key makes work, never the demo', async () => {
    const { offered } = await wizard([]);
    expect(offered[0]).toEqual(['ollama', 'openrouter', 'custom']);
  });

  it('saves provider, key and model', async () => {
    const done = await wizard(['openrouter', 'sk-or-abc123456789', 'openrouter-big']);
    expect(done.info).toMatchObject({ model: 'm' });
    expect(done.env).toContain('OPENROUTER_API_KEY=sk-or-abc123456789');
    expect(done.config).toMatch(/provider: openrouter\n/);
    expect(done.config).toMatch(/default: openrouter-big\n/);
    expect(done.heard.join('\n') + done.config).not.toContain('sk-or-abc');
  });

  it('asks no key of a server on this machine', async () => {
    const done = await wizard(['ollama', 'ollama-big']);
    expect(done.left).toEqual([]);
    expect(done.config).toMatch(/provider: ollama\n/);
  });

  it('takes an address of one’s own, with the model typed where there is no list', async () => {
    const done = await wizard(['custom', 'http://localhost:9/v1', '', 'my-model']);
    expect(done.config).toMatch(/base_url: http:\/\/localhost:9\/v1\n/);
    expect(done.config).toMatch(/default: my-model\n/);
    expect(done.env).not.toMatch(/^OPENAI_API_KEY/m);
  });

  it('says why the first call failed and lets the key be entered again', async () => {
    let tries = 0;
    const test = async () => {
      if (tries++ === 0) throw new AppError('auth', 'The key was refused.');
    };
    const done = await wizard(['openrouter', 'sk-or-wrong00000', 'openrouter-big', 'key', 'sk-or-right00000'], test);
    expect(done.heard).toContain('The key was refused.');
    expect(done.env).toContain('sk-or-right00000');
    expect(done.env).not.toContain('sk-or-wrong00000');
  });

  it('leaving keeps what was saved', async () => {
    const done = await wizard(['openrouter', 'sk-or-abc123456789']);
    expect(done.info).toMatchObject({ code: 'cancelled', exitCode: 130 });
    expect(done.env).toContain('sk-or-abc123456789');
  });
});
