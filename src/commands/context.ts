import type { Command } from './command.ts';
import { table, tokens } from './format.ts';

const CELLS = 40;

export const contextCommand: Command = {
  name: 'context',
  aliases: ['ctx'],
  group: 'Info',
  summary: 'What the next request holds, block by block.',
  where: 'both',
  tier: 'standard',
  whileBusy: true,
  async run(_args, ctx) {
    const report = await ctx.app.agent.context(ctx.session);
    const window = report.model.contextWindow;
    const filled = Math.min(CELLS, Math.round((report.totalTokens / window) * CELLS));
    const percent = (part: number) => `${((part / window) * 100).toFixed(1)}%`;
    const known = report.cachedTokens !== undefined;
    const row = (name: string, size: number, cached: string) => [
      name,
      tokens(size),
      percent(size),
      ...(known ? [cached] : []),
    ];
    const rows = report.blocks.map((block) => row(block.name, block.tokens, block.cached ?? ''));
    const free = Math.max(0, window - report.totalTokens);
    const lines = [
      `${'█'.repeat(filled)}${'░'.repeat(CELLS - filled)} ${tokens(report.totalTokens)} of ${tokens(window)} tokens (estimated)`,
      '',
      table(['Block', 'Tokens', 'Share', ...(known ? ['From cache'] : [])], [...rows, row('free', free, '')]),
    ];
    if (report.reportedTokens !== undefined) {
      const cached = report.cachedTokens === undefined ? '' : `, ${tokens(report.cachedTokens)} of them from the cache`;
      lines.push('', `The last request was ${tokens(report.reportedTokens)} tokens${cached}.`);
    }
    ctx.say(lines.join('\n'));
  },
};
