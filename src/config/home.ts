/** Where everything of one agent lives. Every path is taken from here, never from a literal. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, isAbsolute, join, resolve } from 'node:path';
import { AppError } from '../lib/errors.ts';
import { nearest } from '../lib/nearest.ts';

export type Environment = Readonly<Record<string, string | undefined>>;

export interface Home {
  /** Folder of the default profile; `profiles/` and `active_profile` live only here. */
  readonly root: string;
  /** Folder of this profile: the root itself for `default`. */
  readonly dir: string;
  readonly profile: string;
  /** A path below `dir`. */
  path(...parts: string[]): string;
  /** The short form for people: `~/.hermes/config.yaml`. */
  display(path?: string): string;
}

export interface HomeRequest {
  /** `-p/--profile`; beats everything else. */
  readonly profile?: string | undefined;
  readonly env: Environment;
  /** Absolute. */
  readonly homedir: string;
  readonly platform?: NodeJS.Platform;
}

export const DEFAULT_PROFILE = 'default';
export const ACTIVE_PROFILE_FILE = 'active_profile';

/**
 * Finds the home: profile asked for, `HERMES_HOME`, the sticky profile, the default. Makes nothing.
 * @throws AppError `profile-unknown`, `profile-name`
 */
export function resolveHome(request: HomeRequest): Home {
  const root = resolveRoot(request);
  const { profile, env, homedir } = request;
  if (profile !== undefined) return profileHome(root, profile, homedir, '');
  const explicit = setting(env, 'HERMES_HOME');
  if (explicit !== undefined) {
    const dir = absolute(explicit, homedir);
    return makeHome(root, dir, dir === root ? DEFAULT_PROFILE : basename(dir), homedir);
  }
  const sticky = readStickyProfile(root);
  return profileHome(root, sticky, homedir, ` as ${ACTIVE_PROFILE_FILE} says`);
}

/** The root alone, whatever profile is active: what managing profiles needs. */
export function resolveRoot({ env, homedir, platform = process.platform }: HomeRequest): string {
  const explicit = setting(env, 'HERMES_HOME');
  if (explicit !== undefined) {
    const dir = absolute(explicit, homedir);
    return basename(dirname(dir)) === 'profiles' ? dirname(dirname(dir)) : dir;
  }
  if (!isAbsolute(homedir))
    throw new AppError('home-unknown', 'The environment names no home folder of yours.', {
      hint: 'Set HOME, or HERMES_HOME to the folder that Hermes shall use.',
    });
  const base =
    platform === 'win32'
      ? join(setting(env, 'LOCALAPPDATA') ?? join(homedir, 'AppData', 'Local'), 'hermes')
      : join(homedir, '.hermes');
  return base + (setting(env, 'HERMES_DATA_DIR_SUFFIX') ?? '');
}

/** Name of the profile that `profile use` chose; `default` when none. */
export function readStickyProfile(root: string): string {
  try {
    return readFileSync(join(root, ACTIVE_PROFILE_FILE), 'utf8').trim() || DEFAULT_PROFILE;
  } catch {
    return DEFAULT_PROFILE; // not there: nobody has chosen one
  }
}

/** The home of a profile that exists. @throws AppError `profile-unknown`, `profile-name` */
export function profileHome(root: string, name: string, homedir: string, why = ''): Home {
  if (name === DEFAULT_PROFILE) return makeHome(root, root, DEFAULT_PROFILE, homedir);
  checkProfileName(name);
  const dir = join(root, 'profiles', name);
  if (!existsSync(dir)) throw unknownProfile(root, name, why);
  return makeHome(root, dir, name, homedir);
}

export function makeHome(root: string, dir: string, profile: string, homedir: string): Home {
  return {
    root,
    dir,
    profile,
    path: (...parts) => join(dir, ...parts),
    display: (path = dir) => displayPath(path, homedir),
  };
}

/** `/home/ana/.hermes/x` as `~/.hermes/x`. */
export function displayPath(path: string, homedir: string): string {
  if (path === homedir) return '~';
  const sep = homedir.includes('\\') ? '\\' : '/';
  const prefix = homedir.endsWith(sep) ? homedir : homedir + sep;
  return path.startsWith(prefix) ? `~${sep}${path.slice(prefix.length)}` : path;
}

/** Names of the profiles beside `default`, sorted. */
export function profileNames(root: string): string[] {
  try {
    return readdirSync(join(root, 'profiles'), { withFileTypes: true })
      .filter((entry) => (entry.isDirectory() || entry.isSymbolicLink()) && PROFILE_NAME.test(entry.name))
      .map((entry) => entry.name)
      .sort();
  } catch {
    return []; // no profiles folder: there is only the default
  }
}

const PROFILE_NAME = /^[a-z0-9][a-z0-9_-]{0,63}$/;

/** @throws AppError `profile-name` */
export function checkProfileName(name: string): void {
  if (PROFILE_NAME.test(name)) return;
  throw new AppError('profile-name', `"${name}" cannot be a profile name.`, {
    hint: 'Use up to 64 lowercase letters, digits, - and _, beginning with a letter or digit.',
  });
}

function unknownProfile(root: string, name: string, why: string): AppError {
  const names = [DEFAULT_PROFILE, ...profileNames(root)];
  const near = nearest(name, names);
  const mend = why
    ? 'Run `hermes profile use default` to leave it.'
    : `Run \`hermes profile create ${name}\` to make it.`;
  return new AppError('profile-unknown', `There is no profile "${name}"${why && `, which is the active one`}${why}.`, {
    hint: near ? `Did you mean "${near}"? ${mend}` : `Profiles: ${names.join(', ')}. ${mend}`,
  });
}

function absolute(path: string, homedir: string): string {
  return resolve(path === '~' || /^~[/\\]/.test(path) ? homedir + path.slice(1) : path);
}

function setting(env: Environment, name: string): string | undefined {
  return env[name]?.trim() || undefined;
}
