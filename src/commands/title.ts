import type { Command } from './command.ts';

const MAX_CHARS = 100;

export const titleCommand: Command = {
  name: 'title',
  group: 'Session',
  summary: "Show or set this session's title.",
  args: '[text]',
  where: 'both',
  tier: 'essential',
  whileBusy: true,
  async run(args, ctx) {
    const row = await ctx.app.store.get(ctx.session.id);
    if (args === '') {
      ctx.say(
        row?.title === undefined
          ? 'This session has no title yet. Set one with `/title text`.'
          : `Title: **${row.title}**`,
      );
      return;
    }
    if (row === undefined) {
      ctx.titleWhenStored(args.slice(0, MAX_CHARS));
      ctx.say('The title is set with the first message.');
      return;
    }
    const title = await ctx.app.store.setTitle(ctx.session.id, args, 'user');
    ctx.say(`Title: **${title}**`);
  },
};
