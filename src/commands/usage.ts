import type { Command } from './command.ts';
import { duration, money, table, tokens } from './format.ts';

export const usageCommand: Command = {
  name: 'usage',
  group: 'Info',
  summary: 'Tokens, cost and context of this session.',
  where: 'both',
  tier: 'essential',
  whileBusy: true,
  async run(_args, ctx) {
    const row = await ctx.app.store.get(ctx.session.id);
    if (row === undefined) {
      ctx.say('Nothing used yet: this session has no message.');
      return;
    }
    const { usage } = row;
    const context = await ctx.app.agent.context(ctx.session);
    const used = context.reportedTokens ?? context.totalTokens;
    const share = Math.round((used / context.model.contextWindow) * 100);
    const status =
      usage.costStatus === 'estimated' ? ' (estimated)' : usage.costStatus === 'included' ? ' (included)' : '';
    ctx.say(
      table(
        ['Session', ''],
        [
          ['Input tokens', usage.inputTokens.toLocaleString('en')],
          ['Output tokens', usage.outputTokens.toLocaleString('en')],
          ['… of it reasoning', usage.reasoningTokens.toLocaleString('en')],
          ['Read from cache', usage.cacheReadTokens.toLocaleString('en')],
          ['Written to cache', usage.cacheWriteTokens.toLocaleString('en')],
          ['Model calls', String(usage.apiCalls)],
          ['Cost', `${money(usage.costUsd)}${usage.costUsd === undefined ? '' : status}`],
          ['Context', `${tokens(used)} of ${tokens(context.model.contextWindow)} (${share}%)`],
          ['Duration', duration((row.endedAt ?? Date.now()) - row.startedAt)],
        ],
      ),
    );
  },
};
