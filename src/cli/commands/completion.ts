import { type FlagTable, longName } from '../args.ts';
import { chatFlags, topFlags } from '../chat-flags.ts';
import { type Command, defineCommand } from '../command.ts';
import type { CommandEntry } from '../command-table.ts';
import { type CompletionNode, scripts } from '../completion/scripts.ts';
import { usageError } from '../usage-error.ts';

export function createCompletionCommand(table: () => readonly CommandEntry[]) {
  return defineCommand(
    {
      name: 'completion',
      summary: 'Print a completion script for bash, zsh or fish',
      args: 'bash|zsh|fish',
      flags: {},
      words: { min: 1, max: 1 },
      examples: [
        'eval "$(hermes completion bash)"',
        'hermes completion zsh > ~/.zfunc/_hermes',
        'hermes completion fish > ~/.config/fish/completions/hermes.fish',
      ],
    },
    async ({ positionals: [shell = ''] }, ctx) => {
      const script = scripts[shell];
      if (script === undefined)
        throw usageError(`There is no completion for ${JSON.stringify(shell)}.`, 'Use bash, zsh or fish.');
      ctx.stdout.write(script(await describe(table())));
      return 0;
    },
  );
}

async function describe(table: readonly CommandEntry[]): Promise<CompletionNode> {
  const children = await Promise.all(table.map(async (entry) => nodeOf(entry.name, entry.summary, await entry.load())));
  return { name: 'hermes', summary: '', flags: flagsOf(topFlags), children };
}

function nodeOf(name: string, summary: string, command: Command): CompletionNode {
  const flags = name === 'chat' ? flagsOf(chatFlags) : flagsOf(command.spec?.flags ?? {});
  const children = Object.entries(command.group?.subcommands ?? {}).map(([key, child]) =>
    nodeOf(key, child.spec?.summary ?? '', child),
  );
  return { name, summary, flags, children };
}

function flagsOf(table: FlagTable): CompletionNode['flags'] {
  return Object.entries(table).map(([key, flag]) => ({
    name: longName(key),
    short: flag.short,
    summary: flag.help,
    takesValue: flag.value !== undefined && !flag.optional,
  }));
}
