/** What a new home starts with. */

export const CONFIG_TEMPLATE = `# Hermes settings. Every setting has a default: write down only what you want otherwise.
#   hermes config show            what is in force
#   hermes config set KEY VALUE   change one, keeping your comments
# Secrets belong in .env beside this file; refer to one as \${NAME}.

# model:
#   provider: openrouter
#   default: anthropic/claude-sonnet-4.5

# approvals:
#   mode: smart          # manual, smart or off
`;

export const ENV_TEMPLATE = `# Keys and secrets of this Hermes home, one NAME=value a line.
# What stands here wins over variables exported in the shell.
#   hermes config set OPENROUTER_API_KEY sk-...

# OPENROUTER_API_KEY=
# ANTHROPIC_API_KEY=
# OPENAI_API_KEY=
`;

/** The identity a new home starts with: the user's to rewrite, first in every system prompt. */
export const SOUL_TEMPLATE = `You are Hermes, a capable and honest assistant that works on the user's own machine.

You get things done with the tools you have and check the result before you report it. You say plainly what you did,
what you did not do and what you are unsure of. You are direct and warm, spend no words on flattery, and ask only when
the answer changes what you would do.
`;
