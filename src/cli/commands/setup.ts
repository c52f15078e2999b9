import type { EditTarget } from '../../config/edit.ts';
import { errorCode } from '../../lib/errors.ts';
import type { Models, ProviderStatus } from '../../model/models.ts';
import type { FlagValues } from '../args.ts';
import { defineCommand } from '../command.ts';
import { type CliContext, inputKind } from '../context.ts';
import { openHome } from '../open-config.ts';
import { isHttpUrl, type ModelChoice, saveChoice } from '../setup/choice.ts';
import type { Prompts } from '../setup/prompts.ts';
import { usageError } from '../usage-error.ts';
import { type OpenApp, openRealApp, withApp } from '../with-app.ts';

const flags = {
  nonInteractive: { help: 'ask nothing; take what the flags say' },
  provider: { value: 'NAME', help: 'provider, for example openrouter, anthropic, ollama or custom' },
  model: { short: 'm', value: 'MODEL', help: 'the default model' },
  baseUrl: { value: 'URL', help: 'address of an endpoint of your own' },
  apiKeyEnv: { value: 'VARIABLE', help: 'the environment variable that now holds the key; its value is kept in .env' },
  noTest: { help: 'save without a test call' },
} as const;

export interface SetupDeps {
  readonly openApp: OpenApp;
  createPrompts(ctx: CliContext): Promise<Prompts>;
}

export function createSetupCommand(deps: SetupDeps) {
  return defineCommand(
    {
      name: 'setup',
      summary: 'Choose provider and model, enter a key, and see that they work',
      flags,
      examples: [
        'hermes setup',
        'hermes setup --non-interactive --provider openrouter --api-key-env OPENROUTER_API_KEY',
        'hermes setup --non-interactive --base-url http://localhost:11434/v1 --model qwen3:8b',
      ],
    },
    async ({ values }, ctx) => {
      if (values.nonInteractive) return setUpSilently(values, ctx, deps.openApp);
      if (inputKind(ctx) !== 'terminal' || !ctx.stderr.isTTY) return showCommands(ctx);
      return setUp(ctx, deps);
    },
  );
}

export const setupCommand = createSetupCommand({
  openApp: openRealApp,
  createPrompts: async (ctx) => (await import('../setup/prompts.ts')).createTerminalPrompts(ctx),
});

async function setUp(ctx: CliContext, deps: SetupDeps): Promise<number> {
  const { runWizard } = await import('../setup/wizard.ts');
  const prompts = await deps.createPrompts(ctx);
  const target = editTarget(ctx);
  prompts.say(`Setting up the home ${target.home.display()}. Ctrl+C leaves; what is saved stays.`);
  const info = await runWizard({
    prompts,
    target,
    signal: ctx.signal,
    withModels: (work) => withApp(ctx, deps.openApp, (app) => work(app.models), { silent: true }),
  });
  prompts.say(`Saved in ${target.home.display(target.home.path('config.yaml'))} and .env.`);
  prompts.say(
    info === undefined
      ? 'Check it later with `hermes doctor --live`.'
      : 'Start with `hermes`, or ask once with `hermes -q "…"`.',
  );
  return 0;
}

function showCommands(ctx: CliContext): number {
  ctx.stderr.write(
    'hermes: setup asks questions, and this is no terminal. Run these two instead, with your provider, key and model:\n' +
      '  hermes config set OPENROUTER_API_KEY sk-or-...\n' +
      '  hermes model openrouter:anthropic/claude-sonnet-4.6\n',
  );
  return 1;
}

async function setUpSilently(values: FlagValues<typeof flags>, ctx: CliContext, openApp: OpenApp): Promise<number> {
  const target = editTarget(ctx);
  const choice = await withApp(ctx, openApp, async (app) => readChoice(values, ctx, app.models), { silent: true });
  await saveChoice(target, choice);
  const { model, provider } = await withApp(ctx, openApp, async ({ models }) =>
    values.noTest
      ? (await models.resolve()).info
      : models.test({}, AbortSignal.any([ctx.signal, AbortSignal.timeout(60_000)])),
  );
  ctx.stdout.write(`${provider}:${model} is the default${values.noTest ? '' : ' and answers'}.\n`);
  return 0;
}

async function readChoice(values: FlagValues<typeof flags>, ctx: CliContext, models: Models): Promise<ModelChoice> {
  const { provider = values.baseUrl === undefined ? undefined : 'custom', baseUrl, model } = values;
  if (provider === undefined)
    throw usageError('setup --non-interactive needs --provider or --base-url.', 'See `hermes setup --help`.');
  if (baseUrl !== undefined && !isHttpUrl(baseUrl)) throw usageError(`--base-url ${baseUrl} is not an http address.`);
  await refuseUnknown(provider, models);
  const status = (await models.providers()).find((candidate) => candidate.id === provider);
  const key = keyFrom(values.apiKeyEnv, ctx, status);
  return { provider, ...(model ? { model } : {}), ...(baseUrl ? { baseUrl } : {}), ...(key ? { key } : {}) };
}

/** Before anything is saved: a name that nothing serves would make every later command fail. */
async function refuseUnknown(provider: string, models: Models): Promise<void> {
  await models.resolve({ provider, model: 'any' }).catch((error: unknown) => {
    if (errorCode(error) === 'model-unknown-provider') throw error;
  });
}

function keyFrom(name: string | undefined, ctx: CliContext, status: ProviderStatus | undefined): ModelChoice['key'] {
  if (name === undefined) return undefined;
  const value = ctx.env[name]?.trim();
  if (!value)
    throw usageError(
      `The environment variable ${name} of --api-key-env is not set.`,
      `Set it first: export ${name}=...`,
    );
  return { variable: status?.envVars[0] ?? 'OPENAI_API_KEY', value };
}

function editTarget(ctx: CliContext): EditTarget {
  return { home: openHome(ctx), env: ctx.env, signal: ctx.signal };
}
