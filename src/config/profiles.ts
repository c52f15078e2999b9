/** Profiles: whole homes side by side below one root. */
import { randomBytes } from 'node:crypto';
import { existsSync, readdirSync } from 'node:fs';
import { cp, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { writeFileAtomic } from '../lib/atomic-file.ts';
import { AppError } from '../lib/errors.ts';
import { withFileLock } from '../lib/file-lock.ts';
import { stripChannelSettings, stripChannelVariables } from './channels.ts';
import { envValues } from './env-file.ts';
import {
  ACTIVE_PROFILE_FILE,
  checkProfileName,
  DEFAULT_PROFILE,
  type Home,
  makeHome,
  profileHome,
  profileNames,
  readStickyProfile,
} from './home.ts';
import { ensureHome } from './home-setup.ts';
import { readSource } from './source.ts';
import { editYaml } from './yaml-edit.ts';
import { readYaml } from './yaml-text.ts';

/** The folder that all profiles of one person share. */
export interface ProfileRoot {
  readonly root: string;
  readonly homedir: string;
}

export interface CreateOptions {
  /** Profile to copy settings, secrets, identity, skills and memory from. */
  readonly cloneFrom?: string;
  /** Everything but sessions and what belongs to this very home. */
  readonly cloneAll?: boolean;
  /** Keep bot tokens, allow-lists and platform settings. */
  readonly channels?: boolean;
  readonly noSkills?: boolean;
  readonly description?: string;
}

export interface Created {
  readonly home: Home;
  /** Names of the variables and settings that were left out because two homes must not share a bot. */
  readonly stripped: readonly string[];
}

/** Never copied: what was said, what is running, and sign-ins that only one home may refresh. */
const OWN = new Set(
  'sessions state.db state.db-wal state.db-shm backups state-snapshots checkpoints cron profiles active_profile profile.yaml auth.json auth.lock gateway.pid gateway_state.json pairing logs cache home kanban kanban.db'.split(
    ' ',
  ),
);
const CLONED = ['config.yaml', '.env', 'SOUL.md', 'skills', 'memories/MEMORY.md', 'memories/USER.md'];

/**
 * Built in a hidden folder and published by one rename, so that nobody ever sees half a profile.
 * @throws AppError `profile-name`, `profile-exists`, `profile-unknown` for the one to copy
 */
export async function createProfile(at: ProfileRoot, name: string, options: CreateOptions = {}): Promise<Created> {
  refuseDefault(name, 'made');
  checkProfileName(name);
  const source = options.cloneFrom === undefined ? undefined : profileHome(at.root, options.cloneFrom, at.homedir);
  return publish(at, name, async (staging) => {
    const stripped = source ? await copyHome(source, staging, options) : [];
    await ensureHome(staging);
    if (options.noSkills) await writeFile(staging.path('.no-bundled-skills'), '');
    if (options.description !== undefined) await describeProfile(staging, options.description);
    return stripped;
  });
}

/** Builds a home with `fill` and gives it its name. Used for import, too. */
export async function publish(
  at: ProfileRoot,
  name: string,
  fill: (staging: Home) => Promise<readonly string[]>,
): Promise<Created> {
  const folder = join(at.root, 'profiles');
  await mkdir(folder, { recursive: true, mode: 0o700 });
  return withFileLock(join(folder, '.changes'), async () => {
    const dir = join(folder, name);
    if (existsSync(dir))
      throw new AppError('profile-exists', `There is a profile "${name}" already.`, {
        hint: `Take another name, or remove it: hermes profile delete ${name}`,
      });
    const staging = join(folder, `.new-${randomBytes(4).toString('hex')}`);
    try {
      await mkdir(staging, { mode: 0o700 });
      const stripped = await fill(makeHome(at.root, staging, name, at.homedir));
      await rename(staging, dir);
      return { home: makeHome(at.root, dir, name, at.homedir), stripped };
    } finally {
      await rm(staging, { recursive: true, force: true });
    }
  });
}

async function copyHome(source: Home, target: Home, options: CreateOptions): Promise<readonly string[]> {
  const names = options.cloneAll
    ? readdirSync(source.dir).filter((name) => !OWN.has(name) && !name.endsWith('.lock'))
    : [...CLONED, ...memoryProviderFiles(source)];
  for (const name of names) {
    if (!existsSync(source.path(name))) continue;
    await cp(source.path(name), target.path(name), { recursive: true, verbatimSymlinks: true });
  }
  if (options.channels) return [];
  const stripped: string[] = [];
  await change(target.path('.env'), (text) => stripChannelVariables(text, stripped));
  await change(target.path('config.yaml'), (text) => stripChannelSettings(text, stripped));
  return stripped;
}

/** Providers keep their settings in a file or folder of their own name. */
function memoryProviderFiles(source: Home): string[] {
  const parsed = readYaml(readSource(source.path('config.yaml')).text ?? '');
  const memory = parsed.ok ? parsed.value.memory : undefined;
  const provider = typeof memory === 'object' && memory !== null && 'provider' in memory ? memory.provider : undefined;
  return typeof provider === 'string' && /^[a-z0-9_-]+$/.test(provider)
    ? [`${provider}.json`, `${provider}/config.json`]
    : [];
}

async function change(path: string, edit: (text: string) => string): Promise<void> {
  if (!existsSync(path)) return;
  await writeFileAtomic(path, edit(await readFile(path, 'utf8')));
}

/** Which profile plain `hermes` uses from now on. @throws AppError `profile-unknown` */
export async function useProfile(at: ProfileRoot, name: string): Promise<void> {
  profileHome(at.root, name, at.homedir);
  const file = join(at.root, ACTIVE_PROFILE_FILE);
  if (name === DEFAULT_PROFILE) await rm(file, { force: true });
  else await writeFileAtomic(file, `${name}\n`, { mode: 0o600 });
}

/** The default profile keeps its folder and gets a name for people. @throws AppError */
export async function renameProfile(at: ProfileRoot, from: string, to: string): Promise<void> {
  const home = profileHome(at.root, from, at.homedir);
  if (from === DEFAULT_PROFILE) return setAbout(home, 'display_name', to);
  refuseDefault(to, 'taken');
  checkProfileName(to);
  const target = join(at.root, 'profiles', to);
  await withFileLock(join(at.root, 'profiles', '.changes'), async () => {
    if (existsSync(target)) throw new AppError('profile-exists', `There is a profile "${to}" already.`);
    await rename(home.dir, target);
  });
  if (readStickyProfile(at.root) === from) await useProfile(at, to);
}

/** @throws AppError `profile-unknown`, `profile-default` */
export async function deleteProfile(at: ProfileRoot, name: string): Promise<void> {
  refuseDefault(name, 'deleted');
  const home = profileHome(at.root, name, at.homedir);
  // Out of sight first: a deletion that is cut short leaves no half profile.
  const doomed = join(at.root, 'profiles', `.old-${randomBytes(4).toString('hex')}`);
  await rename(home.dir, doomed);
  if (readStickyProfile(at.root) === name) await useProfile(at, DEFAULT_PROFILE);
  await rm(doomed, { recursive: true, force: true });
}

export interface About {
  readonly description: string;
  readonly displayName: string;
}

export function aboutProfile(home: Home): About {
  const parsed = readYaml(readSource(home.path('profile.yaml')).text ?? '');
  const text = (key: string) => (parsed.ok && typeof parsed.value[key] === 'string' ? parsed.value[key] : '');
  return { description: text('description'), displayName: text('display_name') };
}

export function describeProfile(home: Home, description: string): Promise<void> {
  return setAbout(home, 'description', description);
}

async function setAbout(home: Home, key: string, value: string): Promise<void> {
  const file = home.path('profile.yaml');
  const text = readSource(file).text ?? '';
  await writeFileAtomic(file, editYaml(text, [key], value), { mode: 0o600 });
}

/** Bot credentials that two homes share: only one of them can be online. */
export function sharedBots(at: ProfileRoot): { variable: string; profiles: readonly string[] }[] {
  const owners = new Map<string, string[]>();
  for (const name of [DEFAULT_PROFILE, ...profileNames(at.root)]) {
    const home = profileHome(at.root, name, at.homedir);
    for (const [variable, value] of envValues(readSource(home.path('.env')).text ?? ''))
      if (/_(?:BOT|APP|ACCESS)_TOKEN$/.test(variable) && value !== '') {
        const key = JSON.stringify([variable, value]);
        owners.set(key, [...(owners.get(key) ?? []), name]);
      }
  }
  return [...owners]
    .filter(([, profiles]) => profiles.length > 1)
    .map(([key, profiles]) => ({ variable: (JSON.parse(key) as [string, string])[0], profiles }));
}

function refuseDefault(name: string, what: string): void {
  if (name !== DEFAULT_PROFILE) return;
  throw new AppError('profile-default', `"${DEFAULT_PROFILE}" is the home itself and cannot be ${what}.`);
}
