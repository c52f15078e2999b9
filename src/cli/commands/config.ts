/** `hermes config`: look at settings and change them without losing a comment. */
import { spawn } from 'node:child_process';
import { text as readAll } from 'node:stream/consumers';
import { loadEnvironment, managedDir } from '../../config/environment.ts';
import { ensureHome } from '../../config/home-setup.ts';
import { loadConfig } from '../../config/load.ts';
import { AppError } from '../../lib/errors.ts';
import { type Command, defineCommand, defineGroup } from '../command.ts';
import { type CliContext, inputKind } from '../context.ts';
import { openHome } from '../open-config.ts';

/** What older readers would take for something else, such as `off`, is quoted: what is shown can be copied. */
const YAML_OUTPUT = { lineWidth: 0, compat: 'yaml-1.1' } as const;

const REVEAL = { help: 'print secrets as they are' } as const;

const show = defineCommand(
  {
    name: 'config show',
    summary: 'what is in force, secrets masked',
    flags: {
      all: { short: 'a', help: 'every setting, not only those that differ from their default' },
      json: { help: 'as JSON' },
    },
  },
  async ({ values }, ctx) => {
    const { home, env, loaded } = await open(ctx, { keepReferences: true });
    const [{ maskTree }, { differences }] = await Promise.all([
      import('../../config/mask.ts'),
      import('../../config/differences.ts'),
    ]);
    const shown = maskTree(values.all ? loaded.config : differences(loaded.config));
    if (values.json) ctx.stdout.write(`${JSON.stringify(shown, null, 2)}\n`);
    else {
      const { stringify } = await import('yaml');
      const head = [
        `# Settings: ${home.display(home.path('config.yaml'))}   Secrets: ${home.display(home.path('.env'))}`,
        ...(loaded.pinned.length > 0 ? [`# Fixed by ${managedDir(env)}: ${loaded.pinned.join(', ')}`] : []),
        ...(values.all ? [] : ['# What differs from the defaults (--all shows everything):']),
      ];
      const empty = typeof shown === 'object' && shown !== null && Object.keys(shown).length === 0;
      ctx.stdout.write(`${head.join('\n')}\n${empty ? '# nothing\n' : stringify(shown, YAML_OUTPUT)}`);
    }
    for (const warning of loaded.warnings) ctx.stderr.write(`${warning}\n`);
    return loaded.problems.length > 0 ? 1 : 0;
  },
);

const get = defineCommand(
  {
    name: 'config get',
    summary: 'the value of one setting',
    args: 'KEY',
    words: { min: 1, max: 1 },
    flags: { json: { help: 'as JSON' }, reveal: REVEAL },
    examples: ['hermes config get agent.max_turns', 'hermes config get mcp_servers --json'],
  },
  async ({ values, positionals: [key = ''] }, ctx) => {
    const value = await settingOf(key, ctx, values.reveal === true);
    if (values.json) ctx.stdout.write(`${JSON.stringify(value)}\n`);
    else if (typeof value === 'object' && value !== null) {
      const { stringify } = await import('yaml');
      ctx.stdout.write(stringify(value, YAML_OUTPUT));
    } else ctx.stdout.write(`${value}\n`);
    return 0;
  },
);

async function settingOf(key: string, ctx: CliContext, reveal: boolean): Promise<unknown> {
  const [{ variableName }, { isSecretName }, { maskSecret, maskTree }, { resolveKey }, { lookUp }, { getAt }] =
    await Promise.all([
      import('../../config/edit.ts'),
      import('../../config/env-names.ts'),
      import('../../config/mask.ts'),
      import('../../config/key-path.ts'),
      import('../../config/keys.ts'),
      import('../../config/tree.ts'),
    ]);
  const { env, loaded } = await open(ctx);
  const variable = variableName(key);
  if (variable) {
    const value = env[variable];
    if (value === undefined) throw notSet(variable);
    return reveal || !isSecretName(variable) ? value : maskSecret(value);
  }
  for (const warning of loaded.problems.length > 0 ? loaded.warnings : []) ctx.stderr.write(`${warning}\n`);
  const path = resolveKey(key, loaded.config);
  const value = getAt(loaded.config, path);
  if (value !== undefined) return reveal ? value : maskTree(value, path);
  const found = lookUp(path);
  if (found.known) throw notSet(key);
  throw new AppError('config-key', `There is no setting "${key}".`, {
    hint: found.near ? `Did you mean ${found.near}?` : '`hermes config show --all` lists every setting.',
  });
}

const set = verbatim(
  defineCommand(
    {
      name: 'config set',
      summary: 'change one setting; keys and tokens go to .env',
      args: 'KEY VALUE',
      words: { min: 2, max: Number.POSITIVE_INFINITY },
      flags: {},
      examples: [
        'hermes config set model.default anthropic/claude-sonnet-4.5',
        'hermes config set fallback_providers[0].model gpt-5',
        'hermes config set OPENROUTER_API_KEY - < key.txt     (from standard input)',
      ],
    },
    async ({ positionals: [key = '', ...words] }, ctx) => {
      const typed = words.join(' ');
      const value = typed === '-' ? (await readAll(ctx.stdin)).replace(/\r?\n$/, '') : typed;
      const { setConfig } = await import('../../config/edit.ts');
      const { maskTree } = await import('../../config/mask.ts');
      const { splitKey } = await import('../../config/key-path.ts');
      const home = openHome(ctx);
      await ensureHome(home);
      const result = await setConfig({ home, env: ctx.env, signal: ctx.signal }, key, value);
      const shown = JSON.stringify(maskTree(result.value, splitKey(result.key)));
      const where = home.display(result.file);
      ctx.stdout.write(`${result.key} is ${result.changed ? 'now' : 'already'} ${shown} in ${where}\n`);
      return 0;
    },
  ),
);

const unset = verbatim(
  defineCommand(
    {
      name: 'config unset',
      summary: 'take a setting out, so that its default is in force',
      args: 'KEY',
      words: { min: 1, max: 1 },
      flags: {},
    },
    async ({ positionals: [key = ''] }, ctx) => {
      const { unsetConfig } = await import('../../config/edit.ts');
      const home = openHome(ctx);
      await ensureHome(home);
      const result = await unsetConfig({ home, env: ctx.env, signal: ctx.signal }, key);
      const where = home.display(result.file);
      ctx.stdout.write(
        result.changed ? `${result.key} is no longer set in ${where}\n` : `${result.key} was not set in ${where}\n`,
      );
      return 0;
    },
  ),
);

const edit = defineCommand(
  { name: 'config edit', summary: 'open config.yaml in your editor', flags: {} },
  async (_input, ctx) => {
    const home = openHome(ctx);
    await ensureHome(home);
    await runEditor(home.path('config.yaml'), ctx);
    const { loaded } = await open(ctx);
    for (const warning of loaded.warnings) ctx.stderr.write(`${warning}\n`);
    return loaded.problems.length > 0 ? 1 : 0;
  },
);

const path = defineCommand({ name: 'config path', summary: 'where config.yaml is', flags: {} }, async (_input, ctx) => {
  ctx.stdout.write(`${openHome(ctx).path('config.yaml')}\n`);
  return 0;
});

const envPath = defineCommand({ name: 'config env-path', summary: 'where .env is', flags: {} }, async (_input, ctx) => {
  ctx.stdout.write(`${openHome(ctx).path('.env')}\n`);
  return 0;
});

const check = defineCommand(
  { name: 'config check', summary: 'look for faults, unknown names and older spellings', flags: {} },
  async (_input, ctx) => {
    const { checkConfig, checkEnvFile } = await import('../../config/check.ts');
    const home = openHome(ctx);
    const environment = loadEnvironment(home, ctx.env, ctx.cwd);
    const report = await checkConfig(home, environment.env);
    const faults = [...environment.warnings, ...checkEnvFile(home), ...report.faults];
    const lines = [
      ...faults.map((text) => `✗ ${text}`),
      ...report.unknown.map(({ key, near }) => `⚠ ${key} is not a setting${near ? `; the nearest is ${near}` : ''}`),
      ...report.outdated.map((step) => `⚠ older spelling: ${step} (hermes config migrate)`),
    ];
    if (lines.length === 0) lines.push(`✓ ${home.display(home.path('config.yaml'))} is in order`);
    ctx.stdout.write(`${lines.join('\n')}\n`);
    return faults.length > 0 ? 1 : 0;
  },
);

const migrate = defineCommand(
  {
    name: 'config migrate',
    summary: 'bring older spellings up to date, keeping a copy',
    flags: { dryRun: { help: 'only say what would change' } },
  },
  async ({ values }, ctx) => {
    const { migrateConfig, planMigration } = await import('../../config/migrate.ts');
    const { readSource } = await import('../../config/source.ts');
    const home = openHome(ctx);
    const file = home.path('config.yaml');
    const plan = values.dryRun ? planMigration(readSource(file).text ?? '') : await migrateConfig(home, ctx.signal);
    for (const step of plan.steps) ctx.stdout.write(`${step}\n`);
    const newer = plan.from !== undefined && plan.from > plan.to - 1 && plan.steps.length === 0;
    const done = plan.steps.length === 0 ? 'Nothing to do' : values.dryRun ? 'Nothing was changed yet' : 'Done';
    ctx.stdout.write(`${done}: ${home.display(file)}${newer ? ` is at version ${plan.from}` : ''}\n`);
    return 0;
  },
);

export const configCommand = defineGroup({
  name: 'config',
  summary: 'look at settings and change them',
  fallback: 'show',
  subcommands: { show, get, set, unset, edit, path, 'env-path': envPath, check, migrate },
});

/** Values may begin with a dash (`-1`), so nothing but `--help` is taken for a flag. */
function verbatim(command: Command): Command {
  const run: Command = (args, ctx) =>
    command(
      args.length === 1 && /^(-h|--help)$/.test(args[0] ?? '')
        ? args
        : ['--', ...args.filter((arg, i) => i > 0 || arg !== '--')],
      ctx,
    );
  return Object.assign(run, { spec: command.spec });
}

async function open(ctx: CliContext, options: { keepReferences?: boolean } = {}) {
  const home = openHome(ctx);
  const { env } = loadEnvironment(home, ctx.env, ctx.cwd);
  return { home, env, loaded: await loadConfig(home, env, options) };
}

function notSet(key: string): AppError {
  return new AppError('config-unset', `${key} is not set.`, { hint: `Set it: hermes config set ${key} VALUE` });
}

async function runEditor(file: string, ctx: CliContext): Promise<void> {
  if (!ctx.env.VISUAL && !ctx.env.EDITOR && inputKind(ctx) !== 'terminal')
    throw new AppError('editor-failed', `config edit opens an editor, and this is no terminal.`, {
      hint: `Change ${file} itself, or use \`hermes config set KEY VALUE\`.`,
    });
  const editor = ctx.env.VISUAL || ctx.env.EDITOR || (process.platform === 'win32' ? 'notepad' : 'vi');
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  // The variable may hold arguments (`code --wait`), so a shell splits it; the file comes in as a parameter.
  const child =
    process.platform === 'win32'
      ? spawn(`${editor} "${file}"`, { shell: true, stdio: 'inherit', env: { ...ctx.env } })
      : spawn('/bin/sh', ['-c', `${editor} "$1"`, 'sh', file], { stdio: 'inherit', env: { ...ctx.env } });
  const failed = (why: string) =>
    new AppError('editor-failed', `The editor \`${editor}\` ${why}.`, { hint: 'Set $EDITOR to one that works.' });
  child.once('error', (error) => reject(failed(`could not be started: ${error.message}`)));
  child.once('exit', (code) => (code === 0 ? resolve() : reject(failed(`ended with code ${code ?? 'none'}`))));
  return promise;
}
