import { chatFlags } from './chat-flags.ts';
import { defineCommand } from './command.ts';
import { converse } from './converse.ts';

export const chatCommand = defineCommand(
  {
    name: 'chat',
    summary: 'Ask once, or talk in the terminal',
    flags: chatFlags,
    examples: [
      'hermes chat -q "which tests fail here, and why?"',
      'git diff | hermes chat -Q -q "review this"',
      'hermes chat --json -q "list the open tasks" | jq .type',
      'hermes chat -c',
    ],
  },
  ({ values }, ctx) => converse(values, ctx),
);
