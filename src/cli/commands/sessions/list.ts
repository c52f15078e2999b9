import type { SessionRow } from '../../../state/session-store.ts';
import { parseCount } from '../../args.ts';
import { defineCommand } from '../../command.ts';
import type { CliContext } from '../../context.ts';
import { createStyle } from '../../print/style.ts';
import { clip, columns, table } from '../../print/table.ts';
import { visibleLine } from '../../print/visible.ts';
import { type OpenApp, withApp } from '../../with-app.ts';

export function listSessions(openApp: OpenApp) {
  return defineCommand(
    {
      name: 'sessions list',
      summary: 'List sessions, the latest first',
      flags: {
        limit: { short: 'n', value: 'N', help: 'how many (default 20)' },
        source: { value: 'NAME', help: 'only those of this source: cli, oneshot, cron ...' },
        workspace: { help: 'only those of this folder' },
        all: { help: 'also subagents, and earlier parts of compressed sessions' },
        json: { help: 'print the list as JSON' },
      },
    },
    ({ values }, ctx) =>
      withApp(ctx, openApp, async (app) => {
        const rows = await app.store.list({
          limit: parseCount('--limit', values.limit ?? '20', 1),
          ...(values.source === undefined ? {} : { sources: [values.source] }),
          ...(values.workspace ? { cwd: ctx.cwd } : {}),
          all: values.all === true,
        });
        if (values.json) ctx.stdout.write(`${JSON.stringify(rows.map(summary), null, 2)}\n`);
        else if (rows.length === 0) ctx.stdout.write('No sessions yet. Start one with `hermes`.\n');
        else ctx.stdout.write(sessionTable(rows, ctx));
        return 0;
      }),
  );
}

export function searchSessions(openApp: OpenApp) {
  return defineCommand(
    {
      name: 'sessions search',
      summary: 'Find earlier messages by their words',
      args: 'QUERY...',
      flags: {
        limit: { short: 'n', value: 'N', help: 'how many (default 20)' },
        tools: { help: 'look into tool calls and their results too' },
        json: { help: 'print the hits as JSON' },
      },
      words: { min: 1, max: Number.POSITIVE_INFINITY },
      examples: ['hermes sessions search "database schema"'],
    },
    ({ values, positionals }, ctx) =>
      withApp(ctx, openApp, async (app) => {
        const hits = await app.store.search(positionals.join(' '), {
          limit: parseCount('--limit', values.limit ?? '20', 1),
          ...(!values.tools && { roles: ['user', 'assistant'] as const }),
        });
        const { bold } = createStyle(ctx.stdout, ctx.env);
        if (values.json) ctx.stdout.write(`${JSON.stringify(hits, null, 2)}\n`);
        else if (hits.length === 0) ctx.stdout.write('Nothing was found.\n');
        for (const hit of values.json ? [] : hits)
          ctx.stdout.write(
            `${hit.sessionId}  ${localMinute(hit.at)}  ${hit.role}\n  ${markHits(visibleLine(hit.snippet, 300), bold)}\n`,
          );
        return 0;
      }),
  );
}

/** The store marks what matched for programs; a person sees it bold, or plain where there is no bold. */
function markHits(snippet: string, mark: (text: string) => string): string {
  return snippet.replace(/>>>(.*?)<<</g, (_all, words: string) => mark(words));
}

/** The system prompt is long and of no interest in a list. */
function summary({ systemPrompt: _prompt, toolNames: _tools, ...row }: SessionRow): object {
  return row;
}

function sessionTable(rows: readonly SessionRow[], ctx: CliContext): string {
  const cells = rows.map((row) => [row.id, localMinute(row.lastActiveAt), row.source, String(row.messageCount)]);
  const left = Math.max(...cells.map((row) => columns(row.join('  '))));
  const room = Math.max(20, (ctx.stdout.columns ?? 100) - left - 4);
  return table([
    ['session', 'last active', 'source', 'messages', 'title'],
    ...cells.map((cell, index) => [...cell, clip(visibleLine(rows[index]?.title || rows[index]?.preview || ''), room)]),
  ]);
}

/** `2026-07-14 09:30` in the user's own time. */
export function localMinute(at: number): string {
  const date = new Date(at);
  const two = (value: number) => String(value).padStart(2, '0');
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())} ${two(date.getHours())}:${two(date.getMinutes())}`;
}
