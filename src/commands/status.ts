import type { Command } from './command.ts';
import { ago, duration, money, plural, tokens } from './format.ts';

export const statusCommand: Command = {
  name: 'status',
  group: 'Info',
  summary: 'Facts of this session.',
  where: 'both',
  tier: 'essential',
  whileBusy: true,
  async run(_args, ctx) {
    const { app, session } = ctx;
    const [row, model] = await Promise.all([app.store.get(session.id), app.agent.model(session)]);
    const lines = [
      `- Session: \`${session.id}\`${row?.title === undefined ? '' : ` · **${row.title}**`}`,
      `- Model: ${model.model} (${model.provider}), context ${tokens(model.contextWindow)} tokens`,
      `- Folder: ${session.cwd}`,
      `- Profile: ${session.profile}`,
      `- State: ${ctx.busy ? 'a turn is running' : 'waiting for you'} · busy mode ${ctx.preferences.busyMode}`,
    ];
    if (model.demo) lines.push('- This is the built-in demo model. `hermes setup` connects a real one.');
    if (row !== undefined) {
      lines.push(
        `- ${plural(row.messageCount, 'message')}, ${plural(row.toolCallCount, 'tool call')}, cost ${money(row.usage.costUsd)}`,
        `- Started ${ago(row.startedAt, Date.now())}, open for ${duration(Date.now() - row.startedAt)}`,
      );
    }
    ctx.say([...lines, ...ctx.facts().map((fact) => `- ${fact}`)].join('\n'));
  },
};
