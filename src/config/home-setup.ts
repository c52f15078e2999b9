/** Makes a home usable: folders, modes and the three files a new user starts with. */
import { accessSync, chmodSync, constants, lstatSync, mkdirSync, readlinkSync, statSync, writeFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { AppError, errorCode, errorText } from '../lib/errors.ts';
import type { Home } from './home.ts';

const FOLDERS = ['memories', 'skills', 'sessions', 'logs', 'cron', 'backups', 'cache'];

/**
 * Makes what is missing, folders 0700 and files 0600, and leaves what is there alone. A handful of stats when
 * nothing is missing.
 * @throws AppError `home-storage` for a link that leads nowhere, `home-unwritable`, `disk-full`
 */
export async function ensureHome(home: Home): Promise<void> {
  try {
    const isNew = ensureFolder(home, home.dir);
    const missing = FOLDERS.filter((name) => ensureFolder(home, home.path(name)));
    if (isNew || missing.length > 0) await seed(home);
    else accessSync(home.dir, constants.W_OK | constants.X_OK);
  } catch (error) {
    throw storageError(home, error);
  }
}

/** True when it was made. A link is kept as it is; one that leads nowhere is an error, never a reason to replace it. */
function ensureFolder(home: Home, path: string): boolean {
  const found = statSync(path, { throwIfNoEntry: false });
  if (found?.isDirectory()) return false;
  const entry = lstatSync(path, { throwIfNoEntry: false });
  if (entry?.isSymbolicLink()) {
    const target = resolve(dirname(path), readlinkSync(path));
    throw new AppError('home-storage', `${home.display(path)} is a link to ${target}, which is not a folder now.`, {
      hint: 'Mount or create the target, or remove the link, and start again.',
    });
  }
  if (entry) {
    throw new AppError('home-storage', `${home.display(path)} is a file where Hermes needs a folder.`, {
      hint: `Move it away: mv ${home.display(path)} ${home.display(path)}.old`,
    });
  }
  makeFolder(path);
  if (process.platform !== 'win32') chmodSync(path, 0o700); // a strict umask may have taken more than it should
  return true;
}

/** Step by step: Node's own recursion never ends where a file system answers ENOENT for what it cannot hold (/proc). */
function makeFolder(path: string): void {
  const parent = dirname(path);
  if (parent !== path && statSync(parent, { throwIfNoEntry: false }) === undefined) makeFolder(parent);
  try {
    mkdirSync(path, { mode: 0o700 });
  } catch (error) {
    if (errorCode(error) !== 'EEXIST') throw error; // another process was first
  }
}

async function seed(home: Home): Promise<void> {
  const { CONFIG_TEMPLATE, ENV_TEMPLATE, SOUL_TEMPLATE } = await import('./seeds.ts');
  seedFile(home.path('config.yaml'), CONFIG_TEMPLATE);
  seedFile(home.path('.env'), ENV_TEMPLATE);
  seedFile(home.path('SOUL.md'), SOUL_TEMPLATE);
}

function seedFile(path: string, content: string): void {
  try {
    writeFileSync(path, content, { flag: 'wx', mode: 0o600 });
  } catch (error) {
    if (errorCode(error) !== 'EEXIST') throw error; // the user's own file stays
  }
}

/** Only the owner can change a mode, and what is not there has none. */
function mendRights(home: Home): string {
  const owner = statSync(home.dir, { throwIfNoEntry: false })?.uid;
  if (owner === undefined) return 'Set';
  const mine = process.getuid === undefined || owner === process.getuid();
  return `Run ${mine ? 'chmod -R u+rwX' : 'sudo chown -R "$USER"'} ${home.display()}, or set`;
}

/** One sentence, and the command that mends it, for a home that cannot be used. */
export function storageError(home: Home, error: unknown): unknown {
  if (error instanceof AppError) return error;
  const code = errorCode(error);
  const where = home.display();
  if (code === 'ENOSPC' || code === 'EDQUOT') {
    return new AppError('disk-full', `The disk that holds ${where} is full.`, {
      hint: `Free some space (df -h ${where}) and start again.`,
      cause: error,
    });
  }
  if (code === 'EACCES' || code === 'EPERM' || code === 'EROFS') {
    const mend = code === 'EROFS' ? 'The file system is read-only: set' : mendRights(home);
    return new AppError('home-unwritable', `Hermes may not write in ${where}.`, {
      hint: `${mend} HERMES_HOME to a folder that you can write.`,
      cause: error,
    });
  }
  return new AppError('home-storage', `${where} cannot be used: ${errorText(error)}.`, {
    hint: 'Set HERMES_HOME to a folder that you can write.',
    cause: error,
  });
}
