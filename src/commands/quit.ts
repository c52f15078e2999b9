import type { Command } from './command.ts';
import { agreed, takeSkip } from './confirm.ts';

export const quitCommand: Command = {
  name: 'quit',
  aliases: ['exit'],
  group: 'Session',
  summary: 'Leave; --delete also erases this session.',
  args: '[--delete]',
  where: 'terminal',
  tier: 'essential',
  whileBusy: true,
  async complete() {
    return [{ value: '--delete', detail: 'erase this session for good' }];
  },
  async run(args, ctx) {
    const { rest, skip } = takeSkip(args);
    if (rest !== '' && rest !== '--delete') {
      ctx.say(`\`/quit\` knows only \`--delete\`, not \`${rest}\`.`);
      return;
    }
    if (rest === '--delete') {
      if (!(await agreed('Erase this session for good and leave?', skip, ctx))) return;
      await ctx.stopTurn();
      if ((await ctx.app.store.get(ctx.session.id)) !== undefined) await ctx.app.store.delete(ctx.session.id);
    }
    ctx.quit();
  },
};
