/** What a command says about itself. Help, completion and parsing all read this one description. */

import { nearest } from '../lib/nearest.ts';
import { type FlagTable, type ParsedArgs, parseArgs } from './args.ts';
import type { CliCommand, CliContext } from './context.ts';
import { usageError } from './usage-error.ts';

export interface CommandSpec<T extends FlagTable = FlagTable> {
  /** As typed after `hermes`: `sessions export`. */
  readonly name: string;
  /** One line, no full stop. */
  readonly summary: string;
  /** What follows the name in the usage line: `ID [TITLE...]`. */
  readonly args?: string;
  readonly flags: T;
  readonly examples?: readonly string[];
  /** How many words may follow; none by default. */
  readonly words?: { readonly min: number; readonly max: number };
}

export interface CommandGroup {
  readonly name: string;
  readonly summary: string;
  /** Runs when no subcommand is named. */
  readonly fallback: string;
  readonly subcommands: Readonly<Record<string, Command>>;
}

/** A `CliCommand` that knows its description. */
export interface Command extends CliCommand {
  readonly spec?: CommandSpec;
  readonly group?: CommandGroup;
}

export function defineCommand<const T extends FlagTable>(
  spec: CommandSpec<T>,
  run: (input: ParsedArgs<T>, ctx: CliContext) => Promise<number>,
): Command {
  const command: CliCommand = async (args, ctx) => {
    if (asksForHelp(args)) {
      const { commandHelp } = await import('./help.ts');
      ctx.stdout.write(commandHelp(spec));
      return 0;
    }
    const input = parseArgs(spec.flags, args, { command: `hermes ${spec.name}` });
    const { min, max } = spec.words ?? { min: 0, max: 0 };
    const count = input.positionals.length;
    if (count < min)
      throw usageError(
        `hermes ${spec.name} needs ${spec.args?.replace(/\.+$/, '')}.`,
        `See \`hermes ${spec.name} --help\`.`,
      );
    if (count > max)
      throw usageError(
        `hermes ${spec.name} does not know what to do with ${JSON.stringify(input.positionals[max])}.`,
        `See \`hermes ${spec.name} --help\`.`,
      );
    return run(input, ctx);
  };
  return Object.assign(command, { spec });
}

export function defineGroup(group: CommandGroup): Command {
  const command: CliCommand = async (args, ctx) => {
    const [first = group.fallback, ...rest] = args;
    const chosen = group.subcommands[first];
    if (chosen !== undefined) return chosen(rest, ctx);
    if (first === '-h' || first === '--help' || first === 'help') {
      const { groupHelp } = await import('./help.ts');
      ctx.stdout.write(groupHelp(group));
      return 0;
    }
    if (first.startsWith('-')) return (group.subcommands[group.fallback] as Command)(args, ctx);
    const guess = nearest(first, Object.keys(group.subcommands));
    throw usageError(
      `hermes ${group.name} has no command ${JSON.stringify(first)}.`,
      guess === undefined ? `See \`hermes ${group.name} --help\`.` : `Did you mean \`hermes ${group.name} ${guess}\`?`,
    );
  };
  return Object.assign(command, { group });
}

function asksForHelp(args: readonly string[]): boolean {
  const end = args.indexOf('--');
  return (end < 0 ? args : args.slice(0, end)).some((arg) => arg === '--help' || arg === '-h');
}
