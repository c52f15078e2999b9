import type { Command } from './command.ts';
import { plural } from './format.ts';

export const toolsCommand: Command = {
  name: 'tools',
  group: 'Info',
  summary: 'The tools the model is offered, and why others are not.',
  where: 'terminal',
  tier: 'essential',
  whileBusy: true,
  async run(_args, ctx) {
    const listing = await ctx.app.tools();
    const enabled = listing.filter((tool) => tool.enabled);
    const lines = [`**${plural(enabled.length, 'tool')}**`];
    for (const [toolset, tools] of Map.groupBy(enabled, (tool) => tool.toolset)) {
      lines.push(`- **${toolset}**: ${tools.map((tool) => `\`${tool.name}\``).join(', ')}`);
    }
    const missing = listing.filter((tool) => !tool.enabled);
    if (missing.length > 0) lines.push('', '**Not offered**');
    for (const tool of missing) lines.push(`- \`${tool.name}\`${tool.reason === undefined ? '' : `: ${tool.reason}`}`);
    ctx.say(lines.join('\n'));
  },
};
