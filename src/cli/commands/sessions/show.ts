import { defineCommand } from '../../command.ts';
import { visible } from '../../print/visible.ts';
import { writeAll } from '../../print/write-all.ts';
import { type OpenApp, withApp } from '../../with-app.ts';
import { findSession } from './find.ts';
import { jsonLines, markdown } from './transcript.ts';

export function showSession(openApp: OpenApp) {
  return defineCommand(
    {
      name: 'sessions show',
      summary: 'Print a session: by id, the unique start of one, title, or `latest`',
      args: 'SESSION',
      flags: { json: { help: 'print it as lines of JSON' } },
      words: { min: 1, max: 1 },
    },
    ({ values, positionals }, ctx) =>
      withApp(ctx, openApp, async (app) => {
        const row = await findSession(app.store, positionals[0] ?? '', ctx.cwd);
        const loaded = await app.store.load(row.id);
        const pieces = values.json ? jsonLines(loaded) : markdown(loaded);
        const shown = ctx.stdout.isTTY && !values.json ? cleaned(pieces) : pieces;
        await writeAll(ctx.stdout, shown, ctx.signal);
        return 0;
      }),
  );
}

function* cleaned(pieces: Iterable<string>): Generator<string> {
  for (const piece of pieces) yield visible(piece);
}
