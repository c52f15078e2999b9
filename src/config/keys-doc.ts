/** The reference page of all settings, made from the schema. */

import { type KeySchema, keySchema, listKeys, typeText } from './keys.ts';
import { KEYS_IN_USE } from './keys-in-use.ts';

const INTRO = `# Configuration

Settings live in \`config.yaml\` in the Hermes home (\`~/.hermes\`, or what \`HERMES_HOME\` says), secrets in \`.env\` beside it.
Every setting has a default, so the file holds only what you want otherwise.

\`\`\`sh
hermes config show                     # what differs from the defaults; --all for everything
hermes config get agent.max_turns      # one value; --json for scripts
hermes config set agent.max_turns 50   # change it; comments and layout stay
hermes config unset agent.max_turns    # back to the default
hermes config set OPENROUTER_API_KEY - # a secret, read from standard input, into .env
hermes config edit                     # by hand
hermes config check                    # faults, unknown names, older spellings
\`\`\`

- A command line flag wins over \`config.yaml\`, that over the default. Settings in the administrator's folder
  (\`/etc/hermes\`, or what \`HERMES_MANAGED_DIR\` says) win over all.
- Between flag and \`config.yaml\` stand the variables \`HERMES_MAX_ITERATIONS\`, \`HERMES_REDACT_SECRETS\` and
  \`HERMES_TIMEZONE\`; \`HERMES_YOLO_MODE\`, \`HERMES_SAFE_MODE\`, \`HERMES_IGNORE_USER_CONFIG\` and
  \`HERMES_IGNORE_RULES\` do what the flags of those names do. \`TERMINAL_TIMEOUT\` counts where \`config.yaml\` is silent.
- \`\${NAME}\` or \`\${env:NAME}\` in a text is filled in from \`.env\` or the shell.
- Dots separate groups; \`[0]\` or \`.0\` is the first entry of a list; \`\\.\` is a dot inside a name.
- \`.env\` wins over variables exported in the shell; a \`.env\` in the working folder only adds what is missing.
- A setting marked (reserved) is accepted and kept, but nothing in this version reads it.
- When \`config.yaml\` cannot be read, the newest good copy in \`backups/config/\` is used and every start says so.

This page is made from the program itself (\`npm run docs\`).
`;

/** Whole page, ending in a line break. */
export function configurationPage(): string {
  const groups = Object.entries(keySchema().properties ?? {}).filter(([name]) => !name.startsWith('_'));
  const single = groups.filter(([, schema]) => !schema.properties && !isNamed(schema));
  const sections = groups.filter(([, schema]) => schema.properties || isNamed(schema));
  const top = table(single.map(([name, schema]) => ({ path: name, schema })));
  const parts = sections.map(([name, schema]) => section(name, schema));
  return `${INTRO}\n## Single settings\n\n${top}\n${parts.join('\n')}`;
}

function section(name: string, schema: KeySchema): string {
  const rows = listKeys(schema, [name]).filter(({ path }) => path !== name);
  const open = schema.open ? '\nFurther names are allowed here.\n' : '';
  return `## ${name}\n\n${schema.description ?? ''}\n${open}\n${table(rows)}`;
}

function isNamed(schema: KeySchema): boolean {
  return listKeys(schema, ['x']).length > 1;
}

function table(rows: readonly { path: string; schema: KeySchema }[]): string {
  const lines = rows.map(
    ({ path, schema }) =>
      `| \`${path}\` | ${cell(typeText(schema))} | ${defaultText(schema)} | ${cell(meaning(path, schema))} | ${howToSet(path, schema)} |`,
  );
  return `| Key | Type | Default | Meaning | Set it |\n|---|---|---|---|---|\n${lines.join('\n')}\n`;
}

function meaning(path: string, { description = '' }: KeySchema): string {
  return KEYS_IN_USE.has(path) ? description : `(reserved) ${description}`;
}

function defaultText(schema: KeySchema): string {
  if (schema.default === undefined) return '–';
  return `\`${cell(JSON.stringify(schema.default))}\``;
}

function howToSet(path: string, schema: KeySchema): string {
  return `\`hermes config set ${path} ${cell(exampleValue(schema))}\``;
}

function exampleValue(schema: KeySchema): string {
  if (schema.anyOf?.[0]) return exampleValue(schema.anyOf[0]);
  const other = schema.enum?.find((value) => value !== schema.default && value !== '');
  if (other !== undefined) return String(other);
  if (schema.type === 'boolean') return String(schema.default !== true);
  if (schema.type === 'integer' || schema.type === 'number')
    return typeof schema.default === 'number' ? String(schema.default) : 'N';
  if (schema.type === 'array') return "'[…]'";
  if (schema.type === 'object') return "'{…}'";
  return 'VALUE';
}

function cell(text: string): string {
  return text.replaceAll('|', '\\|').replaceAll('\n', ' ');
}
