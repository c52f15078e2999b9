/**
 * Which files the file tools leave alone. Not a boundary (the terminal reaches them too), but it keeps secrets out
 * of the conversation and the machine's own files from careless edits.
 */
import { basename, join } from 'node:path';
import { canonicalPath } from '../segments.ts';
import { isInside } from './paths.ts';

export interface FileGuardOptions {
  /** Absolute. Home of the running profile. */
  readonly home: string;
  /** Absolute. The root home, which holds `profiles/`; equal to `home` for the default profile. */
  readonly rootHome: string;
  /** Absolute. The person's own home folder. */
  readonly userHome: string;
  /** `HERMES_WRITE_SAFE_ROOT`; empty = anywhere. */
  readonly safeRoots?: readonly string[];
}

export interface FileGuard {
  /** One sentence why the file may not be read, or undefined. */
  readProblem(path: string): string | undefined;
  /** One sentence why it may not be written, or undefined; `ask`: only with the user's consent. */
  writeProblem(path: string, crossProfile: boolean): { readonly message: string } | 'ask' | undefined;
}

const PROJECT_SECRETS = /^\.env(\.(local|development|production|test|staging))?$|^\.envrc$/i;
const HOME_SECRETS = ['auth.json', 'auth.lock', '.anthropic_oauth.json', '.env', 'webhook_subscriptions.json'];
const HOME_SECRET_FOLDERS = ['mcp-tokens', 'auth', 'cache/secrets', 'skills/.hub'];
const HOME_STORES = ['state.db', 'state.db-wal', 'state.db-shm'];
const HOME_STORE_FOLDERS = ['pairing', 'sessions'];
const PROFILE_FOLDERS = ['skills', 'plugins', 'cron', 'memories'];

const SYSTEM_FOLDERS = ['/etc', '/boot', '/usr/lib/systemd', '/private/etc', '/private/var'];
/** Temporary files of macOS lie in here. */
const SYSTEM_EXCEPTIONS = ['/private/var/folders', '/private/var/tmp'];
const SYSTEM_FILES = ['/var/run/docker.sock', '/run/docker.sock'];
const CREDENTIAL_FOLDERS = ['.ssh', '.aws', '.gnupg', '.kube', '.docker', '.azure', '.config/gh', '.config/gcloud'];
const CREDENTIAL_FILES = ['.netrc', '.pgpass', '.npmrc', '.pypirc', '.git-credentials'];
const PROCESS_SECRETS = /^\/proc\/[^/]+\/(task\/[^/]+\/)?(environ|cmdline|maps|smaps|mem|auxv|pagemap)$/;

export function createFileGuard(options: FileGuardOptions): FileGuard {
  const home = canonicalPath(options.home);
  const rootHome = canonicalPath(options.rootHome);
  const userHome = canonicalPath(options.userHome);
  const safeRoots = (options.safeRoots ?? []).map(canonicalPath);
  const homes = [...new Set([home, rootHome])];

  /** A profile's home anywhere under the root counts like our own. */
  function homeOf(path: string): string | undefined {
    const profiles = join(rootHome, 'profiles');
    if (isInside(path, profiles) && path !== profiles) {
      return join(profiles, path.slice(profiles.length + 1).split(/[/\\]/)[0] ?? '');
    }
    return homes.find((one) => isInside(path, one));
  }

  function isHomeSecret(path: string): boolean {
    const owner = homeOf(path);
    if (owner === undefined) return false;
    return (
      HOME_SECRETS.some((name) => path === join(owner, name)) ||
      HOME_SECRET_FOLDERS.some((name) => isInside(path, join(owner, name)))
    );
  }

  function isCredential(path: string): boolean {
    const owner = homeOf(path);
    return (
      isHomeSecret(path) ||
      PROJECT_SECRETS.test(basename(path)) ||
      CREDENTIAL_FILES.some((name) => path === join(userHome, name)) ||
      CREDENTIAL_FOLDERS.some((name) => isInside(path, join(userHome, name))) ||
      (owner !== undefined &&
        (HOME_STORES.some((name) => path === join(owner, name)) ||
          HOME_STORE_FOLDERS.some((name) => isInside(path, join(owner, name)))))
    );
  }

  function isSystem(path: string): boolean {
    if (SYSTEM_EXCEPTIONS.some((folder) => isInside(path, folder))) return false;
    const owner = homeOf(path);
    return (
      SYSTEM_FOLDERS.some((folder) => isInside(path, folder)) ||
      SYSTEM_FILES.includes(path) ||
      (owner !== undefined && path === join(owner, 'config.yaml'))
    );
  }

  function foreignProfile(path: string): boolean {
    const owner = homeOf(path);
    if (owner === undefined || owner === home) return false;
    return PROFILE_FOLDERS.some((folder) => isInside(path, join(owner, folder)));
  }

  return {
    readProblem(path) {
      const real = canonicalPath(path);
      if (PROCESS_SECRETS.test(real) || PROCESS_SECRETS.test(path)) return `${path} shows the secrets of a process.`;
      const denied = isHomeSecret(real) || PROJECT_SECRETS.test(basename(real)) || PROJECT_SECRETS.test(basename(path));
      return denied ? `Read denied: '${path}' holds credentials. Ask the user for what you need from it.` : undefined;
    },
    writeProblem(path, crossProfile) {
      const real = canonicalPath(path);
      if (isSystem(real)) {
        const hint = basename(real) === 'config.yaml' ? ' Change settings with `hermes config set`.' : '';
        return { message: `Write denied: '${path}' is a protected system/credential file.${hint}` };
      }
      if (foreignProfile(real) && !crossProfile) {
        return {
          message: `'${path}' belongs to another profile. If the user asked for exactly that, repeat with cross_profile true.`,
        };
      }
      if (real === join(userHome, '.ssh', 'config')) return outsideSafeRoots(path, real) ?? 'ask';
      if (isCredential(real)) return { message: `Write denied: '${path}' is a protected system/credential file.` };
      return outsideSafeRoots(path, real);
    },
  };

  function outsideSafeRoots(path: string, real: string): { readonly message: string } | undefined {
    if (safeRoots.length === 0 || safeRoots.some((root) => isInside(real, root))) return undefined;
    return { message: `Write denied: '${path}' is outside HERMES_WRITE_SAFE_ROOT (${safeRoots.join(', ')}).` };
  }
}
