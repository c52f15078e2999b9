import type { Command } from './command.ts';
import { firstLine, lastUserMessage, loadIfStored } from './stored.ts';

export const retryCommand: Command = {
  name: 'retry',
  group: 'Turn',
  summary: 'Send the last message again, in place of its answer.',
  where: 'both',
  tier: 'essential',
  async run(_args, ctx) {
    const stored = await loadIfStored(ctx.app, ctx.session.id);
    const last = stored === undefined ? undefined : lastUserMessage(stored.messages);
    if (last === undefined || last.text.trim() === '') {
      ctx.say('There is no message to send again.');
      return;
    }
    await ctx.app.store.rewind(ctx.session.id, last.rowId);
    ctx.app.agent.forget(ctx.session.id);
    ctx.say(`Again: “${firstLine(last.text, 60)}”`);
    ctx.submit(last.text);
  },
};
