import type { SessionRow } from '../state/session-store.ts';
import type { ChoiceOption, Command, CommandContext } from './command.ts';
import { ago, plural } from './format.ts';
import { switchTo } from './resume.ts';
import { firstLine, nameOf } from './stored.ts';

const LIMIT = 50;

export const sessionsCommand: Command = {
  name: 'sessions',
  aliases: ['switch'],
  group: 'Session',
  summary: 'Browse stored sessions, or search them, and switch.',
  args: '[all] [search words]',
  where: 'both',
  tier: 'essential',
  async complete() {
    return [
      { value: 'all', detail: 'also those of other doors and subagents' },
      { value: 'search', detail: 'find words in messages' },
    ];
  },
  async run(args, ctx) {
    const search = /(?:^|\s)search\s+([\s\S]+)$/i.exec(args)?.[1];
    const options = search === undefined ? await recent(/^all\b/i.test(args), ctx) : await matching(search, ctx);
    if (options.length === 0) {
      ctx.say(search === undefined ? 'No stored session yet.' : `No message holds “${search}”.`);
      return;
    }
    const picked = await ctx.choose('Sessions', options);
    if (picked !== undefined) await switchTo(picked, ctx);
  },
};

async function recent(all: boolean, ctx: CommandContext): Promise<readonly ChoiceOption[]> {
  const rows = await ctx.app.store.list({ limit: LIMIT, all });
  return rows.map((row) => sessionOption(row, ctx.session.id));
}

async function matching(query: string, ctx: CommandContext): Promise<readonly ChoiceOption[]> {
  const hits = await ctx.app.store.search(query, { limit: LIMIT, roles: ['user', 'assistant'] });
  const bySession = new Map(hits.toReversed().map((hit) => [hit.sessionId, hit]));
  return [...bySession.values()].toReversed().map((hit) => ({
    value: hit.sessionId,
    label: hit.title ?? hit.sessionId,
    detail: `${ago(hit.at, Date.now())} · ${firstLine(hit.snippet.replaceAll('>>>', '').replaceAll('<<<', ''), 80)}`,
  }));
}

function sessionOption(row: SessionRow, currentId: string): ChoiceOption {
  const here = row.id === currentId ? ' (this one)' : '';
  return {
    value: row.id,
    label: `${firstLine(nameOf(row), 60)}${here}`,
    detail: `${ago(row.lastActiveAt, Date.now())} · ${plural(row.messageCount, 'message')} · ${row.source} · ${row.id}`,
  };
}
