/** Every command, in the order that help shows. A command's file is loaded only when it is called. */
import type { Command } from './command.ts';

export interface CommandEntry {
  readonly name: string;
  readonly summary: string;
  load(): Promise<Command>;
}

export const commandTable: readonly CommandEntry[] = [
  { name: 'chat', summary: 'ask once, or talk', load: async () => (await import('./chat.ts')).chatCommand },
];
