import { REASONING_EFFORTS } from '../model/client.ts';
import type { Command, ReasoningView } from './command.ts';
import { remember, wantsGlobal } from './remember.ts';

const VIEWS: Readonly<Record<string, ReasoningView>> = { show: 'clamp', clamp: 'clamp', full: 'full', hide: 'hide' };

export const reasoningCommand: Command = {
  name: 'reasoning',
  group: 'Model',
  summary: 'How much the model thinks, and how much of it is shown.',
  args: '[level|show|hide|full|clamp] [--global]',
  where: 'both',
  tier: 'essential',
  whileBusy: true,
  async complete() {
    return [...REASONING_EFFORTS, ...Object.keys(VIEWS)].map((value) => ({ value }));
  },
  async run(args, ctx) {
    const words = args.toLowerCase().split(/\s+/);
    const wanted = words.find((word) => !word.startsWith('--')) ?? '';
    const save = async (settings: readonly (readonly [string, unknown])[]) =>
      wantsGlobal(words) ? ` ${await remember(settings, ctx)}` : '';
    if (wanted === '') {
      ctx.say(
        `Levels: ${REASONING_EFFORTS.join(', ')}. Thinking is shown: **${ctx.preferences.reasoningView}** (show, clamp, full, hide).`,
      );
      return;
    }
    const view = VIEWS[wanted];
    if (view !== undefined) {
      ctx.preferences.reasoningView = view;
      const saved = await save([
        ['display.show_reasoning', view !== 'hide'],
        ['display.reasoning_full', view === 'full'],
      ]);
      ctx.say(`Thinking is shown: **${view}**.${saved}`);
      return;
    }
    const effort = REASONING_EFFORTS.find((each) => each === wanted);
    if (effort === undefined) {
      ctx.say(`\`${wanted}\` is no level. Choose one of ${REASONING_EFFORTS.join(', ')}.`);
      return;
    }
    ctx.app.agent.setReasoning(ctx.session.id, effort);
    const saved = await save([['agent.reasoning_effort', effort]]);
    ctx.say(`Reasoning effort **${effort}** from the next model call on, in this session.${saved}`);
  },
};
