import type { Command } from './command.ts';

export const steerCommand: Command = {
  name: 'steer',
  group: 'Turn',
  summary: 'Tell the running turn something, without interrupting it.',
  args: '<text>',
  where: 'both',
  tier: 'essential',
  whileBusy: true,
  async run(args, ctx) {
    if (args === '') {
      ctx.say('Write what to tell it: `/steer text`.');
      return;
    }
    if (ctx.app.agent.steer(ctx.session.id, args)) {
      ctx.say(`Passed on after the next tool call: ${args}`);
      return;
    }
    ctx.submit(args);
  },
};
