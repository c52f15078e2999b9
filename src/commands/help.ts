import type { Command, CommandDoor } from './command.ts';
import { availableAt, matchCommand, namesOf } from './match.ts';

const GROUPS = ['Session', 'Turn', 'Model', 'Info'] as const;

/** @param commands every command, this one included; read when asked, so the list may hold this command */
export function helpCommand(commands: () => readonly Command[]): Command {
  return {
    name: 'help',
    group: 'Info',
    summary: 'List the commands, or explain one.',
    args: '[command]',
    where: 'both',
    tier: 'essential',
    whileBusy: true,
    async complete() {
      return commands().map((command) => ({ value: command.name, detail: command.summary }));
    },
    async run(args, ctx) {
      const here = availableAt(ctx.door, commands());
      const word = args.replace(/^\//, '').toLowerCase();
      ctx.say(word === '' ? overview(here, ctx.door) : about(word, here));
    },
  };
}

function overview(commands: readonly Command[], door: CommandDoor): string {
  const lines: string[] = [];
  for (const group of GROUPS) {
    const members = commands.filter((command) => command.group === group);
    if (members.length === 0) continue;
    lines.push(`**${group}**`, ...members.map((command) => `- ${usageOf(command)} – ${command.summary}`), '');
  }
  if (door === 'terminal') {
    lines.push(
      '**Keys**',
      '- Enter sends · Alt+Enter, Ctrl+J, Shift+Enter or `\\`+Enter start a new line · ↑↓ earlier messages · Tab completes',
      '- Ctrl+C clears the line or stops the turn, twice leaves · Esc stops the turn · Ctrl+D leaves · Ctrl+L redraws',
      '- Ctrl+G opens your editor · Ctrl+Z suspends · `!command` runs a shell command without the model',
    );
  }
  return lines.join('\n').trimEnd();
}

function about(word: string, commands: readonly Command[]): string {
  const match = matchCommand({ name: word.replaceAll('_', '-'), args: '' }, commands);
  if (match.kind === 'command') {
    const aliases = namesOf(match.command).slice(1);
    const also = aliases.length === 0 ? '' : ` Also: ${aliases.map((alias) => `\`/${alias}\``).join(', ')}.`;
    const busy = match.command.whileBusy === true ? ' Works while a turn runs.' : '';
    return `${usageOf(match.command)} – ${match.command.summary}${also}${busy}`;
  }
  const found = commands.filter((command) => command.summary.toLowerCase().includes(word));
  if (found.length === 0) return `No command is called \`${word}\` or speaks of it.`;
  return found.map((command) => `- ${usageOf(command)} – ${command.summary}`).join('\n');
}

function usageOf(command: Command): string {
  return `\`/${command.name}${command.args === undefined ? '' : ` ${command.args}`}\``;
}
