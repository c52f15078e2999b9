/** Folders, files and their modes. */
import { accessSync, chmodSync, constants, lstatSync, readlinkSync, statfsSync, statSync } from 'node:fs';
import type { Home } from '../../config/home.ts';
import { ensureHome } from '../../config/home-setup.ts';
import { errorCode } from '../../lib/errors.ts';
import { bad, type Check, type Finding, ok, warn } from './finding.ts';

const FOLDERS = ['memories', 'skills', 'sessions', 'logs', 'cron', 'backups', 'cache'];
const PRIVATE_FILES = ['.env', 'auth.json', 'config.yaml', 'state.db'];
const LITTLE_SPACE_BYTES = 200 * 1024 * 1024;

export const homeCheck: Check = {
  title: 'Home',
  async run({ home }) {
    const stat = statSync(home.dir, { throwIfNoEntry: false });
    if (stat === undefined)
      return [brokenLink(home, home.dir) ?? missing(home, `${home.display()} does not exist yet.`)];
    if (!stat.isDirectory())
      return [bad(`${home.display()} is not a folder.`, { mend: `mv ${home.display()} ${home.display()}.old` })];
    return [...access(home), ...folders(home), ...modes(home), ...space(home)];
  },
};

function missing(home: Home, text: string): Finding {
  return warn(text, {
    mend: 'hermes doctor --fix',
    fix: async () => {
      await ensureHome(home);
      return `made ${home.display()} and what belongs into it`;
    },
  });
}

function brokenLink(home: Home, path: string): Finding | undefined {
  if (!lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink()) return undefined;
  const target = readlinkSync(path);
  return bad(`${home.display(path)} is a link to ${target}, which is not there.`, { mend: `mkdir -p ${target}` });
}

function access(home: Home): Finding[] {
  try {
    accessSync(home.dir, constants.W_OK | constants.X_OK);
    return [ok(`${home.display()} can be written`)];
  } catch (error) {
    return [
      bad(`${home.display()} cannot be written (${errorCode(error)}).`, { mend: `chown -R "$USER" ${home.display()}` }),
    ];
  }
}

function folders(home: Home): Finding[] {
  const absent = FOLDERS.filter((name) => statSync(home.path(name), { throwIfNoEntry: false }) === undefined);
  const links = absent.flatMap((name) => brokenLink(home, home.path(name)) ?? []);
  if (links.length > 0) return links;
  return absent.length === 0
    ? [ok('all folders are there')]
    : [missing(home, `Missing folders: ${absent.join(', ')}.`)];
}

function modes(home: Home): Finding[] {
  if (process.platform === 'win32') return [];
  const wanted = [
    { path: home.dir, mode: 0o700 },
    ...PRIVATE_FILES.map((name) => ({ path: home.path(name), mode: 0o600 })),
  ];
  const open = wanted.filter(({ path }) => ((statSync(path, { throwIfNoEntry: false })?.mode ?? 0) & 0o077) !== 0);
  if (open.length === 0) return [ok('nobody else can read it')];
  return open.map(({ path, mode }) =>
    warn(`Others may read ${home.display(path)}.`, {
      mend: `chmod ${mode.toString(8)} ${home.display(path)}`,
      fix: async () => {
        chmodSync(path, mode);
        return `closed ${home.display(path)} to others`;
      },
    }),
  );
}

function space(home: Home): Finding[] {
  const { bavail, bsize } = statfsSync(home.dir);
  const free = bavail * bsize;
  if (free > LITTLE_SPACE_BYTES) return [];
  return [
    bad(`Only ${Math.floor(free / 1024 / 1024)} MB are free on the disk of ${home.display()}.`, {
      mend: `du -sh ${home.display()}/*`,
    }),
  ];
}
