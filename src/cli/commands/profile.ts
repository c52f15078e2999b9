/** `hermes profile`: several homes side by side, each with its own settings, memory and sessions. */
import { existsSync, readdirSync } from 'node:fs';
import { homedir } from 'node:os';
import { resolve } from 'node:path';
import { createInterface } from 'node:readline/promises';
import { loadEnvironment } from '../../config/environment.ts';
import {
  DEFAULT_PROFILE,
  displayPath,
  type Home,
  profileHome,
  profileNames,
  resolveHome,
  resolveRoot,
} from '../../config/home.ts';
import { loadConfig } from '../../config/load.ts';
import { type AliasPlace, findAlias, isOnPath, removeAlias, writeAlias } from '../../config/profile-alias.ts';
import {
  aboutProfile,
  createProfile,
  deleteProfile,
  describeProfile,
  type ProfileRoot,
  renameProfile,
  sharedBots,
  useProfile,
} from '../../config/profiles.ts';
import { AppError, describeError } from '../../lib/errors.ts';
import { defineCommand, defineGroup } from '../command.ts';
import type { CliContext } from '../context.ts';
import { inputKind } from '../context.ts';
import { usageError } from '../usage-error.ts';

const list = defineCommand(
  { name: 'profile list', summary: 'every profile; * marks the one in use', flags: { json: { help: 'as JSON' } } },
  async ({ values }, ctx) => {
    const at = place(ctx);
    const active = current(ctx).profile;
    const rows = [DEFAULT_PROFILE, ...profileNames(at.root)].map((name) => {
      const home = profileHome(at.root, name, at.homedir);
      return { name, active: name === active, path: home.dir, ...aboutProfile(home) };
    });
    if (values.json) ctx.stdout.write(`${JSON.stringify(rows)}\n`);
    else {
      const width = Math.max(...rows.map((row) => row.name.length));
      for (const row of rows) {
        const about = [row.displayName, row.description].filter((text) => text !== '').join(': ');
        const line = `${row.active ? '*' : ' '} ${row.name.padEnd(width)}  ${displayPath(row.path, at.homedir)}  ${about}`;
        ctx.stdout.write(`${line.trimEnd()}\n`);
      }
    }
    for (const { variable, profiles } of sharedBots(at))
      ctx.stderr.write(`${profiles.join(' and ')} have the same ${variable}: only one of them can be online.\n`);
    return 0;
  },
);

const use = defineCommand(
  {
    name: 'profile use',
    summary: 'make a profile the one plain `hermes` opens',
    args: 'NAME',
    words: { min: 1, max: 1 },
    flags: {},
  },
  async ({ positionals: [name = ''] }, ctx) => {
    await useProfile(place(ctx), name);
    ctx.stdout.write(`hermes now opens the profile ${name}\n`);
    if (ctx.env.HERMES_HOME) ctx.stderr.write('HERMES_HOME is set in this shell and goes before it.\n');
    return 0;
  },
);

const create = defineCommand(
  {
    name: 'profile create',
    summary: 'make a profile, empty or as a copy',
    args: 'NAME',
    words: { min: 1, max: 1 },
    flags: {
      clone: { help: 'copy settings, secrets, identity, skills and memory of the profile in use' },
      cloneAll: { help: 'copy everything but sessions, schedules and backups' },
      cloneFrom: { value: 'PROFILE', help: 'copy from this one' },
      cloneChannels: { help: 'keep bot tokens and chat platforms in the copy' },
      noAlias: { help: 'no command of its own' },
      noSkills: { help: 'without the skills that come with Hermes' },
      description: { value: 'TEXT', help: 'what it is for' },
    },
    examples: ['hermes profile create coder --clone', 'coder "fix the tests"'],
  },
  async ({ values, positionals: [name = ''] }, ctx) => {
    const clones = values.clone || values.cloneAll || values.cloneFrom !== undefined;
    if (clones && values.noSkills) throw usageError('--no-skills cannot go with a copy.', 'Leave one of them out.');
    if (values.cloneChannels && !clones)
      throw usageError('--clone-channels needs --clone, --clone-all or --clone-from.');
    const at = place(ctx);
    const { home, stripped } = await createProfile(at, name, {
      cloneFrom: clones ? (values.cloneFrom ?? current(ctx).profile) : undefined,
      cloneAll: values.cloneAll,
      channels: values.cloneChannels,
      noSkills: values.noSkills,
      description: values.description,
    });
    ctx.stdout.write(`Profile ${name} is in ${home.display()}\n`);
    if (stripped.length > 0)
      ctx.stdout.write(`Left out, because two profiles must not share a bot: ${stripped.join(', ')}\n`);
    if (!values.noAlias) await tryAlias(ctx, name);
    ctx.stdout.write(`Start it with: hermes -p ${name}\n`);
    return 0;
  },
);

const show = defineCommand(
  { name: 'profile show', summary: 'what a profile is and has', args: '[NAME]', words: { min: 0, max: 1 }, flags: {} },
  async ({ positionals: [name] }, ctx) => {
    const at = place(ctx);
    const home = name === undefined ? current(ctx) : profileHome(at.root, name, at.homedir);
    const environment = loadEnvironment(home, ctx.env, home.dir);
    const { config } = await loadConfig(home, environment.env);
    const about = aboutProfile(home);
    const alias = findAlias(aliasPlace(ctx), home.profile);
    const rows: [string, string][] = [
      ['Profile', about.displayName ? `${home.profile} (${about.displayName})` : home.profile],
      ['About', about.description || '–'],
      ['Home', home.display()],
      ['Model', `${config.model.default || 'the provider’s own'} (${config.model.provider})`],
      ['Skills', String(countSkills(home))],
      ['.env', existsSync(home.path('.env')) ? 'yes' : 'no'],
      ['SOUL.md', existsSync(home.path('SOUL.md')) ? 'yes' : 'no'],
      ['Alias', alias ? displayPath(alias, at.homedir) : '–'],
    ];
    ctx.stdout.write(rows.map(([label, value]) => `${`${label}:`.padEnd(10)}${value}\n`).join(''));
    return 0;
  },
);

const describe = defineCommand(
  {
    name: 'profile describe',
    summary: 'print what a profile is for, or write it down',
    args: '[NAME]',
    words: { min: 0, max: 1 },
    flags: { text: { value: 'TEXT', help: 'the new description; empty removes it' } },
  },
  async ({ values, positionals: [name] }, ctx) => {
    const at = place(ctx);
    const home = name === undefined ? current(ctx) : profileHome(at.root, name, at.homedir);
    if (values.text !== undefined) await describeProfile(home, values.text);
    ctx.stdout.write(`${aboutProfile(home).description || 'No description.'}\n`);
    return 0;
  },
);

const rename = defineCommand(
  {
    name: 'profile rename',
    summary: 'give a profile another name',
    args: 'OLD NEW',
    words: { min: 2, max: 2 },
    flags: {},
  },
  async ({ positionals: [from = '', to = ''] }, ctx) => {
    await renameProfile(place(ctx), from, to);
    if (from !== DEFAULT_PROFILE && (await removeAlias(aliasPlace(ctx), from))) await tryAlias(ctx, to);
    const folder = from === DEFAULT_PROFILE ? ' (its folder stays where it is)' : '';
    ctx.stdout.write(`${from} is now called ${to}${folder}\n`);
    return 0;
  },
);

const remove = defineCommand(
  {
    name: 'profile delete',
    summary: 'delete a profile with all it holds',
    args: 'NAME',
    words: { min: 1, max: 1 },
    flags: { yes: { short: 'y', help: 'do not ask' } },
  },
  async ({ values, positionals: [name = ''] }, ctx) => {
    const at = place(ctx);
    const home = profileHome(at.root, name, at.homedir);
    if (name !== DEFAULT_PROFILE && !values.yes && !(await confirmed(name, home, ctx))) {
      ctx.stderr.write('Nothing was deleted.\n');
      return 1;
    }
    await deleteProfile(at, name);
    await removeAlias(aliasPlace(ctx), name);
    ctx.stdout.write(`Profile ${name} is deleted\n`);
    return 0;
  },
);

const alias = defineCommand(
  {
    name: 'profile alias',
    summary: 'a command of its own for a profile',
    args: 'NAME',
    words: { min: 1, max: 1 },
    flags: { name: { value: 'ALIAS', help: 'call it so' }, remove: { help: 'take it away' } },
  },
  async ({ values, positionals: [profile = ''] }, ctx) => {
    const at = place(ctx);
    const name = values.name ?? profile;
    if (values.remove) {
      const gone = await removeAlias(aliasPlace(ctx), name);
      ctx.stdout.write(gone ? `${name} is removed\n` : `There is no alias ${name}\n`);
      return gone ? 0 : 1;
    }
    profileHome(at.root, profile, at.homedir);
    announceAlias(ctx, name, profile, await writeAlias(aliasPlace(ctx), profile, name));
    return 0;
  },
);

const exportIt = defineCommand(
  {
    name: 'profile export',
    summary: 'write a profile into NAME.tar.gz, without .env and sign-ins',
    args: 'NAME',
    words: { min: 1, max: 1 },
    flags: { output: { short: 'o', value: 'FILE', help: 'write here' } },
  },
  async ({ values, positionals: [name = ''] }, ctx) => {
    const { exportProfile } = await import('../../config/profile-archive.ts');
    const at = place(ctx);
    const output = resolve(ctx.cwd, values.output ?? `${name}.tar.gz`);
    const file = await exportProfile(profileHome(at.root, name, at.homedir), output, ctx.signal);
    ctx.stdout.write(`${file}\n`);
    return 0;
  },
);

const importIt = defineCommand(
  {
    name: 'profile import',
    summary: 'make a new profile of an exported one',
    args: 'FILE',
    words: { min: 1, max: 1 },
    flags: { name: { value: 'NAME', help: 'call it so' } },
  },
  async ({ values, positionals: [file = ''] }, ctx) => {
    const { archiveName, importProfile } = await import('../../config/profile-archive.ts');
    const path = resolve(ctx.cwd, file);
    const name = values.name ?? archiveName(path);
    const { home } = await importProfile(place(ctx), path, name, ctx.signal);
    ctx.stdout.write(`Profile ${name} is in ${home.display()}; its keys go into ${home.display(home.path('.env'))}\n`);
    return 0;
  },
);

export const profileCommand = defineGroup({
  name: 'profile',
  summary: 'several homes side by side',
  fallback: 'show',
  subcommands: {
    list,
    use,
    create,
    show,
    describe,
    rename,
    delete: remove,
    alias,
    export: exportIt,
    import: importIt,
  },
});

function place(ctx: CliContext): ProfileRoot {
  return { root: resolveRoot({ env: ctx.env, homedir: userHome(ctx) }), homedir: userHome(ctx) };
}

function current(ctx: CliContext): Home {
  return resolveHome({ profile: ctx.profile, env: ctx.env, homedir: userHome(ctx) });
}

function aliasPlace(ctx: CliContext): AliasPlace {
  return { ...place(ctx), env: ctx.env };
}

function userHome(ctx: CliContext): string {
  return ctx.env.HOME || homedir();
}

/** A profile without a command of its own still works, so a taken name is only said. */
async function tryAlias(ctx: CliContext, name: string): Promise<void> {
  try {
    announceAlias(ctx, name, name, await writeAlias(aliasPlace(ctx), name));
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    ctx.stderr.write(`No alias: ${describeError(error)}\n`);
  }
}

function announceAlias(ctx: CliContext, name: string, profile: string, path: string): void {
  ctx.stdout.write(`${name} now means hermes -p ${profile} (${displayPath(path, userHome(ctx))})\n`);
  if (!isOnPath(aliasPlace(ctx))) ctx.stderr.write('Add ~/.local/bin to your PATH to use it.\n');
}

async function confirmed(name: string, home: Home, ctx: CliContext): Promise<boolean> {
  if (inputKind(ctx) === 'none') return false;
  const lines = createInterface({ input: ctx.stdin, output: ctx.stderr, terminal: ctx.stdin.isTTY === true });
  try {
    const question = `This deletes ${home.display()} with all sessions, memory and skills. Type the name to confirm: `;
    const closed = new Promise<string>((done) => lines.once('close', () => done('')));
    return (await Promise.race([lines.question(question, { signal: ctx.signal }), closed])).trim() === name;
  } finally {
    lines.close();
  }
}

function countSkills(home: Home): number {
  try {
    return readdirSync(home.path('skills'), { recursive: true, encoding: 'utf8' }).filter(
      (path) => /(?:^|[/\\])SKILL\.md$/.test(path) && !/(?:^|[/\\])\./.test(path),
    ).length;
  } catch {
    return 0; // no folder: no skills
  }
}
