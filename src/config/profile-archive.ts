/** A profile as one file, without its secrets. */
import { spawn } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, rename, rm } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { AppError } from '../lib/errors.ts';
import { checkProfileName, DEFAULT_PROFILE, type Home } from './home.ts';
import { ensureHome } from './home-setup.ts';
import { type Created, type ProfileRoot, publish } from './profiles.ts';

const SECRETS = ['.env', 'auth.json'];
/** Other homes, what is running, and what is made anew. */
const LEFT_OUT = new Set([
  ...SECRETS,
  ...'profiles active_profile backups state-snapshots cache logs home pairing gateway.pid'.split(' '),
]);

/** @throws AppError `archive-failed` */
export async function exportProfile(home: Home, output: string, signal?: AbortSignal): Promise<string> {
  const file = resolve(output);
  if (file.startsWith(`${home.dir}/`))
    throw new AppError('archive-failed', 'The archive cannot lie inside the profile that it is made of.', {
      hint: 'Give another place with -o.',
    });
  const names = readdirSync(home.dir).filter((name) => !LEFT_OUT.has(name) && !name.endsWith('.lock'));
  const exclude = SECRETS.map((name) => `--exclude=${name}`);
  const temporary = `${file}.part`;
  try {
    const inside = names.map((name) => `./${name}`);
    await tar(['-czf', temporary, ...exclude, '-C', home.dir, ...inside], signal);
    await rename(temporary, file);
  } finally {
    await rm(temporary, { force: true });
  }
  return file;
}

/** The name an archive's profile gets unless another is given. */
export function archiveName(file: string): string {
  return basename(file)
    .replace(/\.(?:tar\.gz|tgz)$/i, '')
    .toLowerCase();
}

/**
 * Makes a new profile of an archive; secrets in it are not taken.
 * @throws AppError `archive-unsafe` for entries that would lie outside, `archive-failed`, `profile-exists`
 */
export async function importProfile(
  at: ProfileRoot,
  file: string,
  name: string,
  signal?: AbortSignal,
): Promise<Created> {
  if (name === DEFAULT_PROFILE)
    throw new AppError('profile-default', 'An archive cannot be imported over the default profile.', {
      hint: 'Give another name with --name.',
    });
  checkProfileName(name);
  if (!existsSync(file)) throw new AppError('archive-failed', `There is no file ${file}.`);
  await refuseUnsafe(file, signal);
  return publish(at, name, async (staging) => {
    const unpacked = await mkdtemp(join(dirname(staging.dir), '.unpack-'));
    try {
      await tar(['-xzf', resolve(file), '-C', unpacked, ...SECRETS.map((secret) => `--exclude=${secret}`)], signal);
      const source = await topFolder(unpacked);
      for (const entry of await readdir(source)) await rename(join(source, entry), staging.path(entry));
    } finally {
      await rm(unpacked, { recursive: true, force: true });
    }
    await mkdir(staging.dir, { recursive: true });
    await ensureHome(staging);
    return [];
  });
}

/** Archives are made with or without one folder around everything. */
async function topFolder(dir: string): Promise<string> {
  const entries = await readdir(dir, { withFileTypes: true });
  const [only] = entries;
  const home = ['config.yaml', 'SOUL.md', 'skills', 'memories', 'state.db'];
  return entries.length === 1 && only?.isDirectory() && !home.includes(only.name) ? join(dir, only.name) : dir;
}

/** Before anything is written: no absolute path, no way up, no link or device that could lead elsewhere. */
async function refuseUnsafe(file: string, signal: AbortSignal | undefined): Promise<void> {
  const names = (await tar(['-tzf', resolve(file)], signal)).split('\n').filter((line) => line !== '');
  const bad = names.find((entry) => /^(?:[/\\]|[A-Za-z]:)/.test(entry) || entry.split(/[/\\]/).includes('..'));
  if (bad !== undefined) throw unsafe(file, bad);
  const rows = (await tar(['-tvzf', resolve(file)], signal)).split('\n').filter((line) => line !== '');
  const odd = rows.find((row) => !/^[-d]/.test(row) && !isInnerLink(row));
  if (odd !== undefined) throw unsafe(file, odd);
}

function isInnerLink(row: string): boolean {
  const target = /^l.* -> (.+)$/.exec(row)?.[1];
  return target !== undefined && !/^(?:[/\\]|[A-Za-z]:)/.test(target) && !target.split(/[/\\]/).includes('..');
}

function unsafe(file: string, entry: string): AppError {
  return new AppError(
    'archive-unsafe',
    `${basename(file)} holds "${entry.trim()}", which could reach outside the profile; nothing was imported.`,
  );
}

function tar(args: readonly string[], signal: AbortSignal | undefined): Promise<string> {
  const { promise, resolve: done, reject } = Promise.withResolvers<string>();
  const child = spawn('tar', args, { stdio: ['ignore', 'pipe', 'pipe'], signal, env: { ...process.env, LC_ALL: 'C' } });
  let output = '';
  let complaint = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    output += text;
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    complaint += text;
  });
  const failed = (why: string) =>
    new AppError('archive-failed', `The archive could not be read or made: ${why.trim()}.`);
  child.once('error', (error) => reject(error.name === 'AbortError' ? error : failed(error.message)));
  child.once('close', (code) => {
    // 1: a file changed while it was read, which a live home does.
    if (code === 0 || (code === 1 && args[0] === '-czf')) done(output);
    else reject(failed(complaint.split('\n')[0] || `tar ended with ${code}`));
  });
  return promise;
}
