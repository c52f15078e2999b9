import { resolve } from 'node:path';
import type { App } from '../../../app.ts';
import { writeFileAtomic } from '../../../lib/atomic-file.ts';
import { AppError, errorCode, errorText } from '../../../lib/errors.ts';
import { redactSecrets } from '../../../security/redact.ts';
import { defineCommand } from '../../command.ts';
import type { CliContext } from '../../context.ts';
import { writeAll } from '../../print/write-all.ts';
import { usageError } from '../../usage-error.ts';
import { type OpenApp, withApp } from '../../with-app.ts';
import { findSession } from './find.ts';
import { jsonLines, markdown } from './transcript.ts';

const PAGE = 200;

export function exportSessions(openApp: OpenApp) {
  return defineCommand(
    {
      name: 'sessions export',
      summary: 'Write sessions to a file, or to standard output with -',
      args: 'OUT|-',
      flags: {
        sessionId: { value: 'SESSION', help: 'only this one (all of them when absent)' },
        format: { value: 'FORMAT', help: 'jsonl (default) or md' },
        source: { value: 'NAME', help: 'only those of this source' },
        redact: { help: 'mask keys and tokens' },
      },
      words: { min: 1, max: 1 },
      examples: ['hermes sessions export talks.jsonl', 'hermes sessions export - --session-id latest --format md'],
    },
    ({ values, positionals }, ctx) => {
      const render = { jsonl: jsonLines, md: markdown }[values.format ?? 'jsonl'];
      if (render === undefined)
        throw usageError(`There is no format ${JSON.stringify(values.format)}.`, 'Use jsonl or md.');
      return withApp(ctx, openApp, async (app) => {
        const ids =
          values.sessionId === undefined
            ? await allIds(app, values.source)
            : [(await findSession(app.store, values.sessionId, ctx.cwd)).id];
        async function* pieces(): AsyncGenerator<string> {
          for (const id of ids)
            for (const piece of render?.(await app.store.load(id)) ?? [])
              yield values.redact ? redactSecrets(piece) : piece;
        }
        await save(positionals[0] ?? '-', pieces(), ctx);
        if (positionals[0] !== '-')
          ctx.stderr.write(`hermes: ${ids.length} ${ids.length === 1 ? 'session' : 'sessions'} written.\n`);
        return 0;
      });
    },
  );
}

async function allIds(app: App, source: string | undefined): Promise<readonly string[]> {
  const ids: string[] = [];
  for (;;) {
    const rows = await app.store.list({
      limit: PAGE,
      offset: ids.length,
      ...(source === undefined ? {} : { sources: [source] }),
    });
    ids.push(...rows.map((row) => row.id));
    if (rows.length < PAGE) return ids;
  }
}

async function save(out: string, pieces: AsyncIterable<string>, ctx: CliContext): Promise<void> {
  if (out === '-') return writeAll(ctx.stdout, pieces, ctx.signal);
  const path = resolve(ctx.cwd, out);
  let text = '';
  for await (const piece of pieces) text += piece;
  try {
    await writeFileAtomic(path, text, { mode: 0o600 });
  } catch (error) {
    throw new AppError('export', `${out} cannot be written (${errorCode(error) ?? errorText(error)}).`);
  }
}
