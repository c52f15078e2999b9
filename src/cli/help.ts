/** Help as text. Made from the very tables that parsing uses, so it cannot name a flag that does not work. */
import { type FlagTable, longName } from './args.ts';
import type { CommandGroup, CommandSpec } from './command.ts';
import type { CommandEntry } from './command-table.ts';

export function commandHelp(spec: CommandSpec): string {
  const usage = ['hermes', spec.name, Object.keys(spec.flags).length > 0 ? '[flags]' : '', spec.args ?? '']
    .filter((part) => part !== '')
    .join(' ');
  return [
    `${capital(spec.summary)}.`,
    '',
    `Usage: ${usage}`,
    ...section('Flags', flagRows(spec.flags)),
    ...(spec.examples === undefined ? [] : ['', 'Examples:', ...spec.examples.map((line) => `  ${line}`)]),
    '',
  ].join('\n');
}

export function groupHelp(group: CommandGroup): string {
  const rows = Object.entries(group.subcommands).map(([name, command]): [string, string] => [
    [name, command.spec?.args].filter((part) => part !== undefined).join(' '),
    `${command.spec?.summary ?? ''}${name === group.fallback ? ' (default)' : ''}`,
  ]);
  return [
    `${capital(group.summary)}.`,
    '',
    `Usage: hermes ${group.name} [command] [flags]`,
    ...section('Commands', rows),
    '',
    `\`hermes ${group.name} COMMAND --help\` tells more about one of them.`,
    '',
  ].join('\n');
}

export function topHelp(commands: readonly CommandEntry[], flags: FlagTable): string {
  return [
    'Hermes is an AI agent that works on this machine, remembers, and learns from what it does.',
    '',
    'Usage: hermes [flags]                 talk to it in the terminal',
    '       hermes -q "QUESTION"           ask once and see how it works',
    '       hermes -z "QUESTION"           ask once, print the answer and nothing else',
    '       hermes COMMAND [flags]',
    ...section(
      'Commands',
      commands.map((entry): [string, string] => [entry.name, entry.summary]),
    ),
    ...section('Flags', flagRows(flags)),
    '',
    '`hermes COMMAND --help` tells more about one command.',
    '',
  ].join('\n');
}

function flagRows(flags: FlagTable): [string, string][] {
  return Object.entries(flags).map(([key, flag]) => {
    const value = flag.value === undefined ? '' : flag.optional ? ` [${flag.value}]` : ` ${flag.value}`;
    return [`${flag.short === undefined ? '    ' : `-${flag.short}, `}${longName(key)}${value}`, flag.help];
  });
}

function section(title: string, rows: readonly [string, string][]): string[] {
  if (rows.length === 0) return [];
  const width = Math.min(32, Math.max(...rows.map(([left]) => left.length)));
  return ['', `${title}:`, ...rows.map(([left, right]) => `  ${left.padEnd(width)}  ${right}`.trimEnd())];
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
