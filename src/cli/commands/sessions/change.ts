import { createInterface } from 'node:readline/promises';
import { defineCommand } from '../../command.ts';
import { type CliContext, inputKind } from '../../context.ts';
import { visibleLine } from '../../print/visible.ts';
import { usageError } from '../../usage-error.ts';
import { type OpenApp, withApp } from '../../with-app.ts';
import { findSession } from './find.ts';
import { titleOf } from './transcript.ts';

export function renameSession(openApp: OpenApp) {
  return defineCommand(
    {
      name: 'sessions rename',
      summary: 'Give a session a title',
      args: 'SESSION TITLE...',
      flags: {},
      words: { min: 2, max: Number.POSITIVE_INFINITY },
      examples: ['hermes sessions rename latest auth refactor'],
    },
    ({ positionals: [reference = '', ...words] }, ctx) =>
      withApp(ctx, openApp, async (app) => {
        const row = await findSession(app.store, reference, ctx.cwd);
        const title = await app.store.setTitle(row.id, words.join(' '), 'user');
        ctx.stdout.write(title ? `${row.id} is now "${title}".\n` : `${row.id} has no title of its own now.\n`);
        return 0;
      }),
  );
}

export function deleteSession(openApp: OpenApp) {
  return defineCommand(
    {
      name: 'sessions delete',
      summary: 'Delete a session for good',
      args: 'SESSION',
      flags: { yes: { short: 'y', help: 'do not ask' } },
      words: { min: 1, max: 1 },
    },
    ({ values, positionals: [reference = ''] }, ctx) =>
      withApp(ctx, openApp, async (app) => {
        const row = await findSession(app.store, reference, ctx.cwd);
        if (
          !values.yes &&
          !(await confirm(`Delete "${visibleLine(titleOf(row), 80)}" (${row.messageCount} messages)?`, ctx))
        ) {
          ctx.stderr.write('hermes: nothing was deleted.\n');
          return 1;
        }
        await app.store.delete(row.id);
        ctx.stdout.write(`${row.id} is deleted.\n`);
        return 0;
      }),
  );
}

/** @throws AppError `usage` when there is nobody to ask */
async function confirm(question: string, ctx: CliContext): Promise<boolean> {
  if (inputKind(ctx) !== 'terminal')
    throw usageError('Deleting asks first, and nobody is here to answer.', 'Add --yes.');
  const lines = createInterface({ input: ctx.stdin, output: ctx.stderr });
  try {
    const answer = await lines.question(`${question} [y/N] `, { signal: ctx.signal });
    return /^y(es)?$/i.test(answer.trim());
  } finally {
    lines.close();
  }
}
