import type { ModelInfo } from '../model/client.ts';
import type { ModelSelection } from '../model/models.ts';
import type { ChoiceOption, Command, CommandContext } from './command.ts';
import { tokens } from './format.ts';
import { remember } from './remember.ts';

/** Undefined when it cannot be had, which is what this command is there to mend. */
function currentModel(ctx: CommandContext): Promise<ModelInfo | undefined> {
  return ctx.app.agent.model(ctx.session).catch(() => undefined);
}

interface ModelArgs {
  readonly model?: string;
  readonly provider?: string;
  readonly global: boolean;
  readonly problem?: string;
}

export const modelCommand: Command = {
  name: 'model',
  group: 'Model',
  summary: 'Show, pick or switch the model of this session.',
  args: '[name|provider:model] [--provider P] [--global]',
  where: 'both',
  tier: 'essential',
  async complete(typed, { app, session }) {
    if (typed.startsWith('-')) return [{ value: '--provider' }, { value: '--global' }];
    const { provider } = await app.agent.model(session);
    const known = await app.models.list(provider, AbortSignal.timeout(2000));
    return known.map((each) => ({ value: each.id }));
  },
  async run(args, ctx) {
    const parsed = parseArgs(args);
    if (parsed.problem !== undefined) {
      ctx.say(parsed.problem);
      return;
    }
    const selection = parsed.model === undefined ? await pick(parsed.provider, ctx) : selectionOf(parsed);
    if (selection === undefined || ctx.signal.aborted) return;
    const before = await currentModel(ctx);
    const info = await ctx.app.agent.switchModel(ctx.session, selection);
    ctx.say(report(before, info, parsed.global ? await saveDefault(info, ctx) : 'For this session.'));
  },
};

function parseArgs(args: string): ModelArgs {
  const words = args.split(/\s+/).filter((word) => word !== '');
  let provider: string | undefined;
  let global = false;
  const names: string[] = [];
  while (words.length > 0) {
    const word = words.shift() ?? '';
    if (word === '--global') global = true;
    else if (word === '--session') global = false;
    else if (word === '--provider') provider = words.shift();
    else if (word.startsWith('--')) return { global, problem: `\`/model\` does not know \`${word}\`.` };
    else names.push(word);
  }
  if (names.length > 1) return { global, problem: `Name one model, not ${names.length}: ${names.join(', ')}.` };
  return { model: names[0], provider, global };
}

function selectionOf({ model, provider }: ModelArgs): ModelSelection {
  return provider === undefined ? { model } : { model, provider };
}

async function pick(provider: string | undefined, ctx: CommandContext): Promise<ModelSelection | undefined> {
  const current = await currentModel(ctx);
  const configured = (await ctx.app.models.providers()).filter((each) => each.configured);
  const wanted = provider === undefined ? configured.map((each) => each.id) : [provider];
  const lists = await Promise.allSettled(wanted.map((id) => ctx.app.models.list(id, ctx.signal)));
  const options = lists.flatMap((list, index): ChoiceOption[] => {
    if (list.status === 'rejected') return [];
    const id = wanted[index] ?? '';
    return list.value.map((model) => option(id, model, current));
  });
  if (options.length === 0) {
    const now = current === undefined ? '' : `The model is **${current.model}** (${current.provider}). `;
    ctx.say(`${now}No other is set up; \`hermes setup\` connects one.`);
    return undefined;
  }
  const picked = await ctx.choose(current === undefined ? 'Model' : `Model (now ${current.model})`, options);
  if (picked === undefined) return undefined;
  const cut = picked.indexOf('\n');
  return { provider: picked.slice(0, cut), model: picked.slice(cut + 1) };
}

function option(
  provider: string,
  model: { readonly id: string; readonly contextWindow?: number },
  current: ModelInfo | undefined,
): ChoiceOption {
  const here = model.id === current?.model && provider === current.provider ? ' · in use' : '';
  const context = model.contextWindow === undefined ? '' : ` · ${tokens(model.contextWindow)} context`;
  return { value: `${provider}\n${model.id}`, label: model.id, detail: `${provider}${context}${here}` };
}

function saveDefault(info: ModelInfo, ctx: CommandContext): Promise<string> {
  return remember(
    [
      ['model.default', info.model],
      ['model.provider', info.provider],
    ],
    ctx,
  );
}

function report(before: ModelInfo | undefined, now: ModelInfo, scope: string): string {
  const same = before?.model === now.model && before.provider === now.provider;
  const cache = same || before === undefined ? '' : ' The next request starts without the prompt cache.';
  const demo = now.demo ? ' This is the demo model; `hermes setup` connects a real one.' : '';
  return `Model: **${now.model}** (${now.provider}), ${tokens(now.contextWindow)} context. ${scope}${cache}${demo}`;
}
