/** Paths of a command line against the places that matter. */
import { posix } from 'node:path';
import { UNKNOWN, type Word } from './model.ts';

/** Absolute and normal where it can be known; otherwise as near to it as possible, `UNKNOWN` parts kept. */
export function resolvePath(text: string, cwd: string | undefined, home: string): string {
  let path = text;
  if (path === '~' || path.startsWith('~/')) path = home + path.slice(1);
  else if (/^~[\w.-]+/.test(path))
    path = path.replace(/^~([\w.-]+)/, (_all, user: string) => (user === 'root' ? '/root' : `/home/${user}`));
  if (!path.startsWith('/') && !path.startsWith(UNKNOWN)) path = cwd === undefined ? path : `${cwd}/${path}`;
  const normal = posix.normalize(path).replace(/^\/\/+/, '/');
  return normal.length > 1 ? normal.replace(/\/+$/, '') : normal;
}

const systemFolders = [
  ...[
    '/',
    '/home',
    '/root',
    '/etc',
    '/usr',
    '/var',
    '/bin',
    '/sbin',
    '/boot',
    '/lib',
    '/lib64',
    '/opt',
    '/dev',
    '/proc',
    '/sys',
  ],
  ...['/usr/bin', '/usr/lib', '/usr/local', '/usr/sbin', '/var/lib', '/System', '/Users', '/Library', '/Applications'],
];

/** Whether deleting `word` takes a folder that the machine or the person cannot do without, or all its contents. */
export function isProtectedFolder(word: Word, cwd: string | undefined, home: string): boolean {
  let path = resolvePath(word.text, cwd, home);
  if (word.glob) path = path.replace(/\/(?:\*+|\.\*|\.\?\*|\?\*|\.\[[!^][^\]]*\]\*?|\*\.\*)$/, '') || '/';
  const protectedFolders = [...systemFolders, posix.normalize(home)];
  if (!word.glob || !/[*?[]/.test(path)) return protectedFolders.includes(path);
  try {
    const pattern = new RegExp(`^${path.split('/').map(globPart).join('/')}$`);
    return protectedFolders.some((folder) => pattern.test(folder));
  } catch {
    return false; // a set such as [z-a] matches nothing in the shell either
  }
}

function globPart(part: string): string {
  return part.replace(
    /\[([!^]?)([^\]/]+)\]|[*]+|[.+?^${}()|[\]\\]/g,
    (found, not: string | undefined, set: string | undefined) => {
      if (set !== undefined) return `[${not === '' ? '' : '^'}${set.replace(/[\\[\]^]/g, '\\$&')}]`;
      if (found === '?') return '[^/]';
      return found.startsWith('*') ? '[^/]*' : `\\${found}`;
    },
  );
}

const rawDevice =
  /^\/dev\/(?:r?disk\d|[shv]d[a-z]|xvd[a-z]|nvme\d|mmcblk\d|md\d|dm-\d|loop\d|mapper\/|disk\/|sr\d|fd\d+$|vd[a-z])/;

export function isRawDevice(path: string): boolean {
  return rawDevice.test(path) && !/^\/dev\/fd\/?/.test(path);
}

export interface SensitivePlace {
  readonly id: string;
  readonly why: string;
}

/** Where a write changes who may do what: the class it belongs to, undefined for any other path. */
export function sensitivePlace(path: string, hermesHome: string): SensitivePlace | undefined {
  if (/^\/(?:private\/)?etc\//.test(path)) return { id: 'write-system-config', why: 'changes system configuration' };
  if (/(?:^|\/)\.ssh(?:\/|$)/.test(path)) return { id: 'write-ssh', why: 'changes SSH keys or settings' };
  if (
    path === `${hermesHome}/.env` ||
    path === `${hermesHome}/config.yaml` ||
    /\/\.hermes\/(?:\.env|config\.yaml)$/.test(path)
  ) {
    return { id: 'write-hermes-config', why: "changes Hermes' own settings or keys" };
  }
  if (
    /(?:^|\/)\.(?:bashrc|bash_profile|bash_login|bash_logout|bash_aliases|profile|zshrc|zprofile|zshenv|zlogin|cshrc|kshrc)$|\/fish\/config\.fish$/.test(
      path,
    )
  ) {
    return { id: 'write-shell-startup', why: 'changes what every shell runs at start' };
  }
  if (
    /(?:^|\/)(?:\.netrc|\.pgpass|\.npmrc|\.pypirc|\.git-credentials|\.my\.cnf)$|\/\.aws\/(?:credentials|config)$|\/\.kube\/config$|\/\.docker\/config\.json$/.test(
      path,
    )
  ) {
    return { id: 'write-credentials', why: 'changes stored credentials' };
  }
  if (/(?:^|\/)\.env(?:\.(?!example$|sample$|template$|dist$)[\w-]+)?$/.test(path))
    return { id: 'write-env-file', why: 'overwrites an environment file' };
  if (/(?:^|\/)config\.ya?ml$/.test(path)) return { id: 'write-config-file', why: 'overwrites a configuration file' };
  return undefined;
}
