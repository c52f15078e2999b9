/** From arguments to a command: the first word that is not a flag names it, no word means a conversation. */

import { nearest } from '../lib/nearest.ts';
import { parseArgs } from './args.ts';
import { topFlags } from './chat-flags.ts';
import { type CommandEntry, createCommandTable } from './command-table.ts';
import type { CliContext } from './context.ts';
import { usageError } from './usage-error.ts';

/** @throws AppError with the exit code that fits */
export async function dispatch(args: readonly string[], ctx: CliContext, version: string): Promise<number> {
  const commandTable = createCommandTable(version);
  const names = commandTable.map((entry) => entry.name);
  const { values, positionals } = parseArgs(topFlags, args, {
    command: 'hermes',
    stopAtPositional: true,
    isReserved: (word) => names.includes(word),
  });
  const [name, ...rest] = positionals;
  if (values.version) {
    ctx.stdout.write(`hermes ${version}\n`);
    return 0;
  }
  if (values.help || name === 'help') {
    const words = name === 'help' ? rest : positionals;
    return words.length === 0 ? help(commandTable, ctx) : dispatch([...words, '--help'], ctx, version);
  }
  if (name === undefined) {
    const { converse } = await import('./converse.ts');
    return converse(values, ctx);
  }
  const entry = commandTable.find((candidate) => candidate.name === name);
  if (entry === undefined) throw unknownCommand(name, names);
  const before = args.slice(0, args.length - positionals.length);
  const command = await entry.load();
  return command([...before, ...rest], ctx);
}

async function help(commandTable: readonly CommandEntry[], ctx: CliContext): Promise<number> {
  const { topHelp } = await import('./help.ts');
  ctx.stdout.write(topHelp(commandTable, topFlags));
  return 0;
}

function unknownCommand(name: string, names: readonly string[]): Error {
  const shown = name.length > 40 ? `${name.slice(0, 40)}…` : name;
  const guess = nearest(name, names);
  let hint = 'See `hermes --help`.';
  if (/\s/.test(name)) hint = 'To ask something, use `hermes -q "…"`.';
  else if (guess !== undefined) hint = `Did you mean \`hermes ${guess}\`?`;
  return usageError(`There is no command ${JSON.stringify(shown)}.`, hint);
}
