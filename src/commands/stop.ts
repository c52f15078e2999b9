import type { Command } from './command.ts';
import { plural } from './format.ts';

export const stopCommand: Command = {
  name: 'stop',
  group: 'Turn',
  summary: 'Stop the running turn and the background processes of this session.',
  where: 'both',
  tier: 'essential',
  whileBusy: true,
  async run(_args, ctx) {
    const stopped = await ctx.stopTurn();
    const ended = await ctx.app.processes.stop(ctx.session.id);
    if (ended === 0) ctx.say(stopped ? 'Stopped.' : 'Nothing is running.');
    else ctx.say(`${stopped ? 'Stopped. ' : ''}Ended ${plural(ended, 'background process', 'background processes')}.`);
  },
};
