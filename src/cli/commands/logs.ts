import { parseCount } from '../args.ts';
import { defineCommand } from '../command.ts';
import { openHome } from '../open-config.ts';
import { writeAll } from '../print/write-all.ts';
import { usageError } from '../usage-error.ts';
import { createLineFilter, parseDuration } from './logs/filter.ts';
import { follow, listLogs, tail } from './logs/read.ts';

const NAMES = ['agent', 'errors', 'gateway', 'gui'] as const;

export const logsCommand = defineCommand(
  {
    name: 'logs',
    summary: 'Read what Hermes wrote down about its work',
    args: '[agent|errors|gateway|gui|list]',
    flags: {
      lines: { short: 'n', value: 'N', help: 'how many of the last lines (default 50)' },
      follow: { short: 'f', help: 'go on with new lines as they come' },
      level: { value: 'LEVEL', help: 'this level and above: debug, info, warning or error' },
      session: { value: 'ID', help: 'only lines of sessions whose id begins so' },
      since: { value: 'TIME', help: 'only lines of the last 30m, 2h, 1d ...' },
      component: { value: 'NAME', help: 'only lines of agent, tools, cli, gateway, cron or gui' },
    },
    words: { min: 0, max: 1 },
    examples: ['hermes logs errors --since 1h', 'hermes logs -f --component tools'],
  },
  async ({ values, positionals: [name = 'agent'] }, ctx) => {
    const folder = openHome(ctx).path('logs');
    if (name === 'list') {
      ctx.stdout.write(listLogs(folder));
      return 0;
    }
    if (!NAMES.some((candidate) => candidate === name))
      throw usageError(`There is no log ${JSON.stringify(name)}.`, `Use one of ${NAMES.join(', ')}, or list.`);
    const matches = createLineFilter({
      level: values.level,
      session: values.session,
      component: values.component,
      since: values.since === undefined ? undefined : Date.now() - parseDuration('--since', values.since),
    });
    const path = `${folder}/${name}.log`;
    const count = parseCount('--lines', values.lines ?? '50', 0);
    const { lines, position } = tail(path, count, matches);
    if (lines.length === 0 && position === 0 && !values.follow)
      ctx.stderr.write(`hermes: there is no ${name} log yet.\n`);
    await writeAll(ctx.stdout, lines, ctx.signal);
    if (values.follow) await writeAll(ctx.stdout, follow(path, position, matches, ctx.signal), ctx.signal);
    return 0;
  },
);
