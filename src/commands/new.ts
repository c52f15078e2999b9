import type { Command } from './command.ts';
import { agreed, takeSkip } from './confirm.ts';

export const newCommand: Command = {
  name: 'new',
  aliases: ['reset'],
  group: 'Session',
  summary: 'Start a fresh session; the old one stays stored.',
  args: '[title] [now]',
  where: 'both',
  tier: 'essential',
  whileBusy: true,
  async run(args, ctx) {
    const { rest, skip } = takeSkip(args);
    const row = await ctx.app.store.get(ctx.session.id);
    const worthAsking = ctx.busy || (row?.messageCount ?? 0) > 0;
    if (worthAsking && !(await agreed('Leave this conversation and start a new session?', skip, ctx))) return;
    await ctx.stopTurn();
    if (row !== undefined) await ctx.app.store.end(ctx.session.id, 'new_session');
    await ctx.setSession(ctx.app.newSession(ctx.session.cwd));
    if (rest !== '') ctx.titleWhenStored(rest);
    ctx.say(rest === '' ? 'New session.' : `New session: ${rest}`);
  },
};
