import type { Command } from './command.ts';

export const stopCommand: Command = {
  name: 'stop',
  group: 'Turn',
  summary: 'Stop the running turn and the command it waits for.',
  where: 'both',
  tier: 'essential',
  whileBusy: true,
  async run(_args, ctx) {
    const stopped = await ctx.stopTurn();
    ctx.say(stopped ? 'Stopped.' : 'Nothing is running.');
  },
};
