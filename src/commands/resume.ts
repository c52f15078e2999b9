import type { Command, CommandContext } from './command.ts';
import { ago, plural } from './format.ts';
import { firstLine, nameOf } from './stored.ts';

export const resumeCommand: Command = {
  name: 'resume',
  group: 'Session',
  summary: 'Continue a stored session by title or id; pick one when empty.',
  args: '[title|id]',
  where: 'both',
  tier: 'essential',
  async complete(_typed, { app }) {
    const rows = await app.store.list({ limit: 20 });
    return rows.map((row) => ({ value: row.title ?? row.id, detail: firstLine(nameOf(row), 60) }));
  },
  async run(args, ctx) {
    if (args !== '') return switchTo(args, ctx);
    const rows = (await ctx.app.store.list({ limit: 50 })).filter((row) => row.id !== ctx.session.id);
    if (rows.length === 0) return ctx.say('There is no other session to resume.');
    const picked = await ctx.choose(
      'Resume a session',
      rows.map((row) => ({
        value: row.id,
        label: firstLine(nameOf(row), 60),
        detail: `${ago(row.lastActiveAt, Date.now())} · ${plural(row.messageCount, 'message')} · ${row.id}`,
      })),
    );
    if (picked !== undefined) await switchTo(picked, ctx);
  },
};

/** @throws AppError `session-not-found` */
export async function switchTo(reference: string, ctx: CommandContext): Promise<void> {
  const { session } = await ctx.app.resumeSession(reference);
  if (session.id === ctx.session.id) {
    ctx.say('That is the session you are in.');
    return;
  }
  await ctx.stopTurn();
  await ctx.setSession(session);
}
