import type { Command } from './command.ts';

export const queueCommand: Command = {
  name: 'queue',
  aliases: ['q'],
  group: 'Turn',
  summary: 'Send a message when the running turn is done.',
  args: '<prompt>',
  where: 'both',
  tier: 'essential',
  whileBusy: true,
  async run(args, ctx) {
    if (args === '') {
      ctx.say('Write the message: `/queue prompt`.');
      return;
    }
    ctx.submit(args);
  },
};
