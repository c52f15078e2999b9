import type { App } from '../../app.ts';
import type { ModelInfo } from '../../model/client.ts';
import { defineCommand } from '../command.ts';
import { type CliContext, inputKind } from '../context.ts';
import { openHome } from '../open-config.ts';
import { grouped } from '../print/number.ts';
import { table } from '../print/table.ts';
import { saveChoice } from '../setup/choice.ts';
import type { Prompts } from '../setup/prompts.ts';
import { type OpenApp, openRealApp, withApp } from '../with-app.ts';

export interface ModelDeps {
  readonly openApp: OpenApp;
  createPrompts(ctx: CliContext): Promise<Prompts>;
}

const LIST_MS = 15_000;

export function createModelCommand(deps: ModelDeps) {
  return defineCommand(
    {
      name: 'model',
      summary: 'Show, pick or set the default model',
      args: '[PROVIDER:MODEL]',
      flags: {
        show: { help: 'only show the default, even on a terminal' },
        list: { value: 'PROVIDER', help: 'list the models of a provider' },
        providers: { help: 'list the providers, and where their keys come from' },
        json: { help: 'print what is shown as JSON' },
      },
      words: { min: 0, max: 1 },
      examples: ['hermes model', 'hermes model anthropic:claude-sonnet-4-6', 'hermes model --list ollama'],
    },
    ({ values, positionals: [name] }, ctx) =>
      withApp(ctx, deps.openApp, async (app) => {
        if (name !== undefined) return setModel(name, app, ctx);
        if (values.providers) return showProviders(app, ctx, values.json === true);
        if (values.list !== undefined) return listModels(values.list, app, ctx, values.json === true);
        const asks = inputKind(ctx) === 'terminal' && ctx.stderr.isTTY === true && !values.show && !values.json;
        return asks ? pickModel(app, ctx, await deps.createPrompts(ctx)) : showModel(app, ctx, values.json === true);
      }),
  );
}

export const modelCommand = createModelCommand({
  openApp: openRealApp,
  createPrompts: async (ctx) => (await import('../setup/prompts.ts')).createTerminalPrompts(ctx),
});

async function showModel(app: App, ctx: CliContext, json: boolean): Promise<number> {
  const { info } = await app.models.resolve();
  if (json) ctx.stdout.write(`${JSON.stringify(info, null, 2)}\n`);
  else ctx.stdout.write(modelText(info));
  return 0;
}

export function modelText(info: ModelInfo): string {
  if (info.demo) return 'The demo model answers: it is rule-based, not an AI. Set up a real one with `hermes setup`.\n';
  const price =
    info.price === undefined ? 'not known' : `$${info.price.input} in, $${info.price.output} out per million tokens`;
  return table([
    ['model', `${info.provider}:${info.model}`],
    ['address', info.baseUrl],
    ['window', `${grouped(info.contextWindow)} tokens (known from: ${info.contextSource})`],
    ['price', price],
    ['images', info.images ? 'yes' : 'no'],
    ['reasoning', info.reasoning ? 'yes' : 'no'],
  ]);
}

/** Resolved before it is saved: a name that nothing serves never becomes the default. */
async function setModel(name: string, app: App, ctx: CliContext): Promise<number> {
  const { info } = await app.models.resolve({ model: name });
  await save(info, app, ctx);
  return 0;
}

async function pickModel(app: App, ctx: CliContext, prompts: Prompts): Promise<number> {
  const { chooseModel, chooseProvider, usualModel } = await import('../setup/wizard.ts');
  const status = await chooseProvider(
    prompts,
    (await app.models.providers()).filter((candidate) => candidate.configured),
  );
  if (!status.configured) {
    const { setupCommand } = await import('./setup.ts');
    return setupCommand([], ctx);
  }
  const model = await chooseModel(
    prompts,
    status.name,
    () => app.models.list(status.id, within(ctx)),
    await usualModel(app.models, status.id),
  );
  await save((await app.models.resolve({ provider: status.id, model })).info, app, ctx);
  return 0;
}

async function save(info: ModelInfo, app: App, ctx: CliContext): Promise<void> {
  const target = { home: openHome(ctx), env: ctx.env, signal: ctx.signal };
  const isOwn = info.provider === 'custom' || (await usualAddress(info, app)) !== info.baseUrl;
  await saveChoice(target, {
    provider: info.provider,
    model: info.model,
    ...(isOwn && !info.provider.startsWith('custom:') && info.baseUrl !== '' ? { baseUrl: info.baseUrl } : {}),
  });
  ctx.stdout.write(`${info.provider}:${info.model} is the default from the next session on.\n`);
}

/** Where the provider is found without `model.base_url`. */
async function usualAddress(info: ModelInfo, app: App): Promise<string> {
  const usual = await app.models.resolve({ provider: info.provider, model: info.model }).catch(() => undefined);
  return usual?.info.baseUrl ?? info.baseUrl;
}

async function showProviders(app: App, ctx: CliContext, json: boolean): Promise<number> {
  const providers = await app.models.providers();
  if (json) ctx.stdout.write(`${JSON.stringify(providers, null, 2)}\n`);
  else
    ctx.stdout.write(
      table(
        providers.map(({ id, name, configured, source, envVars }) => [
          configured ? '✓' : ' ',
          id,
          name,
          configured ? (source ?? 'ready') : envVars.length > 0 ? `set ${envVars[0]}` : '',
        ]),
      ),
    );
  return 0;
}

async function listModels(provider: string, app: App, ctx: CliContext, json: boolean): Promise<number> {
  const models = await app.models.list(provider, within(ctx));
  if (json) ctx.stdout.write(`${JSON.stringify(models, null, 2)}\n`);
  else
    ctx.stdout.write(
      table(models.map(({ id, contextWindow }) => [id, contextWindow === undefined ? '' : grouped(contextWindow)])),
    );
  return 0;
}

function within(ctx: CliContext): AbortSignal {
  return AbortSignal.any([ctx.signal, AbortSignal.timeout(LIST_MS)]);
}
