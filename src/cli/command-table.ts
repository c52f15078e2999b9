/** Every command, in the order that help shows. A command's file is loaded only when it is called. */
import type { Command } from './command.ts';

export interface CommandEntry {
  readonly name: string;
  readonly summary: string;
  load(): Promise<Command>;
}

export function createCommandTable(version: string): readonly CommandEntry[] {
  const table: readonly CommandEntry[] = [
    { name: 'chat', summary: 'ask once, or talk', load: async () => (await import('./chat.ts')).chatCommand },
    {
      name: 'setup',
      summary: 'choose provider and model, enter a key',
      load: async () => (await import('./commands/setup.ts')).setupCommand,
    },
    {
      name: 'model',
      summary: 'show, pick or set the default model',
      load: async () => (await import('./commands/model.ts')).modelCommand,
    },
    {
      name: 'config',
      summary: 'show and change settings',
      load: async () => (await import('./commands/config.ts')).configCommand,
    },
    {
      name: 'profile',
      summary: 'separate homes for separate agents',
      load: async () => (await import('./commands/profile.ts')).profileCommand,
    },
    {
      name: 'status',
      summary: 'home, model, keys, tools, last session',
      load: async () => (await import('./commands/status.ts')).statusCommand,
    },
    {
      name: 'doctor',
      summary: 'look for what is wrong, and mend it',
      load: async () => (await import('./commands/doctor.ts')).doctorCommand,
    },
    {
      name: 'sessions',
      summary: 'list, search, show, export, rename and delete conversations',
      load: async () => (await import('./commands/sessions.ts')).sessionsCommand,
    },
    {
      name: 'tools',
      summary: 'what the model is offered, and why something is not',
      load: async () => (await import('./commands/tools.ts')).toolsCommand,
    },
    {
      name: 'context',
      summary: 'what a request to the model holds',
      load: async () => (await import('./commands/context.ts')).contextCommand,
    },
    {
      name: 'logs',
      summary: 'what Hermes wrote down about its work',
      load: async () => (await import('./commands/logs.ts')).logsCommand,
    },
    {
      name: 'completion',
      summary: 'completion script for bash, zsh or fish',
      load: async () => (await import('./commands/completion.ts')).createCompletionCommand(() => table),
    },
    {
      name: 'version',
      summary: 'version, runtime and platform',
      load: async () => (await import('./commands/version.ts')).createVersionCommand(version),
    },
  ];
  return table;
}
