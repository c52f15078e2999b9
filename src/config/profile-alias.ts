/** A command of its own for a profile: `coder` for `hermes -p coder`. */
import { existsSync, readFileSync } from 'node:fs';
import { chmod, mkdir, rm } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { writeFileAtomic } from '../lib/atomic-file.ts';
import { AppError } from '../lib/errors.ts';
import { checkProfileName, type Environment } from './home.ts';

export interface AliasPlace {
  readonly env: Environment;
  readonly homedir: string;
  /** Root that the profile lives below; named in the wrapper when it is not the usual one. */
  readonly root: string;
  readonly platform?: NodeJS.Platform;
}

const MARK = 'hermes profile alias';

/**
 * @returns path of the wrapper
 * @throws AppError `alias-taken` when a command of that name exists that is not such a wrapper
 */
export async function writeAlias(place: AliasPlace, profile: string, name = profile): Promise<string> {
  checkProfileName(name);
  const path = aliasPath(place, name);
  const rival = name === 'hermes' ? 'hermes itself' : existing(place, name, path);
  if (rival !== undefined)
    throw new AppError('alias-taken', `The alias "${name}" would hide ${rival}.`, {
      hint: `Choose another: hermes profile alias ${profile} --name NAME`,
    });
  await mkdir(folder(place), { recursive: true });
  await writeFileAtomic(path, wrapper(place, profile), { mode: 0o755 });
  await chmod(path, 0o755);
  return path;
}

/** False when there was none. */
export async function removeAlias(place: AliasPlace, name: string): Promise<boolean> {
  const path = aliasPath(place, name);
  if (!isOurs(path)) return false;
  await rm(path, { force: true });
  return true;
}

/** The wrapper of that name, when it is one of ours. */
export function findAlias(place: AliasPlace, name: string): string | undefined {
  const path = aliasPath(place, name);
  return isOurs(path) ? path : undefined;
}

/** Whether the shell finds what is put there. */
export function isOnPath(place: AliasPlace): boolean {
  return (place.env.PATH ?? '').split(delimiter).includes(folder(place));
}

function folder(place: AliasPlace): string {
  return join(place.homedir, '.local', 'bin');
}

function aliasPath(place: AliasPlace, name: string): string {
  return join(folder(place), windows(place) ? `${name}.cmd` : name);
}

function wrapper(place: AliasPlace, profile: string): string {
  const usual = place.root === join(place.homedir, '.hermes');
  if (windows(place))
    return `@echo off\r\nrem ${MARK}\r\n${usual ? '' : `set "HERMES_HOME=${place.root}"\r\n`}hermes -p ${profile} %*\r\n`;
  const home = usual ? '' : `HERMES_HOME='${place.root.replaceAll("'", "'\\''")}'\nexport HERMES_HOME\n`;
  return `#!/bin/sh\n# ${MARK}\n${home}exec hermes -p ${profile} "$@"\n`;
}

function existing(place: AliasPlace, name: string, own: string): string | undefined {
  const names = windows(place) ? ['.exe', '.cmd', '.bat'].map((end) => name + end) : [name];
  for (const dir of [folder(place), ...(place.env.PATH ?? '').split(delimiter)])
    for (const file of names) {
      const path = join(dir, file);
      if (dir !== '' && existsSync(path) && !(path === own && isOurs(path))) return path;
    }
  return undefined;
}

function isOurs(path: string): boolean {
  try {
    return readFileSync(path, 'utf8').includes(MARK);
  } catch {
    return false; // not there
  }
}

function windows(place: AliasPlace): boolean {
  return (place.platform ?? process.platform) === 'win32';
}
