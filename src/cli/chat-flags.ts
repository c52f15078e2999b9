/** The flags of a conversation, accepted both by `hermes` itself and by `hermes chat`. */
import type { FlagTable, FlagValues } from './args.ts';

const common = {
  query: { short: 'q', value: 'TEXT', help: 'ask this and exit' },
  queryFile: { value: 'PATH', help: 'ask what this file holds, verbatim (- is standard input)' },
  quiet: { short: 'Q', help: 'print the final text only' },
  json: { help: 'print every event as one line of JSON' },
  verbose: { short: 'v', help: 'also show reasoning, tool output and diffs' },
  image: { value: 'PATH', repeat: true, help: 'send this image along (may be repeated)' },
  continue: {
    short: 'c',
    value: 'TITLE',
    optional: true,
    help: 'go on with the latest session here, or with that title',
  },
  resume: { short: 'r', value: 'SESSION', help: 'go on with a session: id, unique start of it, title, or `latest`' },
  model: { short: 'm', value: 'MODEL', help: 'use this model, for this run only (provider:model works too)' },
  provider: { value: 'NAME', help: 'use this provider, for this run only' },
  toolsets: { short: 't', value: 'A,B', help: 'offer only these toolsets' },
  maxTurns: { value: 'N', help: 'most model calls for one question' },
  reasoning: { value: 'LEVEL', help: 'none, minimal, low, medium, high, xhigh or max' },
  in: { value: 'DIR', help: 'work in this folder' },
  noRestoreCwd: { help: 'stay in the current folder when going on with a session' },
  source: { value: 'TAG', help: 'label the session is stored under (default cli)' },
  usageFile: { value: 'PATH', help: 'write tokens and cost as JSON there, also on failure' },
  yolo: { help: 'do not ask before risky commands; what is forbidden stays forbidden' },
  ignoreRules: { help: 'leave out project files, SOUL.md and memory' },
  ignoreUserConfig: { help: 'use default settings instead of config.yaml' },
  safeMode: { help: 'both of the two flags above' },
} satisfies FlagTable;

export const chatFlags = {
  ...common,
  oneshot: { help: 'answer and exit, never start a conversation' },
} satisfies FlagTable;

export const topFlags = {
  oneshot: { short: 'z', value: 'TEXT', help: 'ask this, print the final text alone, and exit' },
  ...common,
  profile: { short: 'p', value: 'NAME', help: 'use this profile (may stand anywhere)' },
  help: { short: 'h', help: 'show this' },
  version: { short: 'V', help: 'show the version' },
} satisfies FlagTable;

export type ConversationFlags = FlagValues<typeof common>;
