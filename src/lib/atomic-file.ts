/** Whole files replaced in one step: a reader sees the old content or the new one, whenever the power fails. */
import { type FileHandle, lstat, open, readlink, rename, stat, unlink } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { errorCode } from './errors.ts';
import { randomHex } from './random-hex.ts';

export interface AtomicWriteOptions {
  /** Mode of a file that is new; an existing one keeps its own. Default 0666 less the umask. */
  readonly mode?: number;
}

const MAX_LINKS = 40;
const RENAME_TRIES = 8;

/**
 * Replaces `path` by `data`, on disk when it resolves: temporary file in the same folder, fsync, rename.
 * A symlink stays and its target is replaced; an existing file keeps mode and, where allowed, owner.
 * @throws the system's error, with the old file untouched and no temporary file left
 */
export async function writeFileAtomic(
  path: string,
  data: string | Uint8Array,
  options: AtomicWriteOptions = {},
): Promise<void> {
  const target = await followLinks(path);
  const folder = dirname(target);
  const temporary = join(folder, `.${basename(target)}.${process.pid}.${randomHex(8)}.tmp`);
  const old = await stat(target).catch(absent);
  try {
    const file = await open(temporary, 'wx', options.mode ?? 0o666);
    try {
      await file.writeFile(data);
      if (old) await copyRights(file, old);
      await file.sync();
    } finally {
      await file.close();
    }
    await renameOver(temporary, target);
  } catch (error) {
    await unlink(temporary).catch(() => {}); // it may not exist yet, and the first error is the one to tell
    throw error;
  }
  await syncFolder(folder);
}

/** Where a chain of symlinks ends, also when nothing is there yet. */
async function followLinks(path: string): Promise<string> {
  let at = resolve(path);
  for (let i = 0; i < MAX_LINKS; i++) {
    const entry = await lstat(at).catch(absent);
    if (!entry?.isSymbolicLink()) return at;
    at = resolve(dirname(at), await readlink(at));
  }
  throw Object.assign(new Error(`ELOOP: too many symbolic links, '${path}'`), { code: 'ELOOP' });
}

async function copyRights(file: FileHandle, old: { mode: number; uid: number; gid: number }): Promise<void> {
  await file.chmod(old.mode & 0o7777);
  const made = await file.stat();
  // Only root may give files away; anyone else's file keeps working under the new owner.
  if (made.uid !== old.uid || made.gid !== old.gid) await file.chown(old.uid, old.gid).catch(() => {});
}

/** Windows refuses to replace a file that a virus scanner or reader has open for a moment. */
async function renameOver(from: string, to: string): Promise<void> {
  for (let tries = 1; ; tries++) {
    try {
      return await rename(from, to);
    } catch (error) {
      const busy = process.platform === 'win32' && ['EPERM', 'EACCES', 'EBUSY'].includes(errorCode(error) ?? '');
      if (!busy || tries >= RENAME_TRIES) throw error;
      await sleep(10 * tries);
    }
  }
}

async function syncFolder(folder: string): Promise<void> {
  try {
    const handle = await open(folder, 'r');
    await handle.sync().finally(() => handle.close());
  } catch {
    // Windows and some network file systems cannot sync a folder; the file itself is safe.
  }
}

function absent(error: unknown): undefined {
  if (errorCode(error) === 'ENOENT') return undefined;
  throw error;
}
