import type { Command } from './command.ts';
import { agreed, takeSkip } from './confirm.ts';
import { firstLine, lastUserMessage, loadIfStored } from './stored.ts';

export const undoCommand: Command = {
  name: 'undo',
  group: 'Turn',
  summary: 'Take back the last message and everything after it.',
  args: '[now]',
  where: 'both',
  tier: 'essential',
  async run(args, ctx) {
    const { skip } = takeSkip(args);
    const stored = await loadIfStored(ctx.app, ctx.session.id);
    const last = stored === undefined ? undefined : lastUserMessage(stored.messages);
    if (last === undefined) {
      ctx.say('There is nothing to take back.');
      return;
    }
    const shown = firstLine(last.text, 60);
    if (!(await agreed(`Take back “${shown}” and the answer to it?`, skip, ctx))) return;
    await ctx.app.store.rewind(ctx.session.id, last.rowId);
    ctx.app.agent.forget(ctx.session.id);
    ctx.say(`Taken back: “${shown}”. Files that were changed stay changed.`);
  },
};
