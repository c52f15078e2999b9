/** The variables one home's agent sees. Read once, handed on as a value: `process.env` is never written. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { errorCode, errorText } from '../lib/errors.ts';
import { parseEnvFile } from './env-file.ts';
import { isSecretName, isSettingName, isUnsafeFromProject } from './env-names.ts';
import type { Environment, Home } from './home.ts';

/** Where homes and the administrator's folder are: a file inside one cannot move them. */
const PLACES = new Set(['HERMES_HOME', 'HERMES_MANAGED_DIR', 'HERMES_DATA_DIR_SUFFIX']);

export type EnvOrigin = 'shell' | '.env' | 'project .env' | 'managed .env';

export interface LoadedEnvironment {
  /** Every variable that is set; ours are never ''. */
  readonly env: Readonly<Record<string, string>>;
  readonly warnings: readonly string[];
  /** Where a variable comes from; undefined when it is not set. Never tells the value. */
  origin(name: string): EnvOrigin | undefined;
}

/**
 * The shell's variables, overridden by the home's `.env`; the `.env` of the working folder fills what is missing,
 * a managed one wins at last. A file that cannot be read gives a warning and never stops the start. Nothing of
 * another profile's home is looked at.
 */
export function loadEnvironment(home: Home, processEnv: Environment, cwd: string): LoadedEnvironment {
  const values = new Map<string, string>();
  const origins = new Map<string, EnvOrigin>();
  const warnings: string[] = [];
  const set = (name: string, raw: string, origin: EnvOrigin) => {
    if (origin !== 'shell' && PLACES.has(name)) return;
    const value = isSecretName(name) ? asciiOnly(name, raw, origin, warnings) : raw;
    if (value === '' && (origin !== 'shell' || isSettingName(name))) return; // empty means not set
    values.set(name, value);
    if (origin !== 'shell') origins.set(name, origin);
  };

  for (const [name, value] of Object.entries(processEnv)) if (value !== undefined) set(name, value, 'shell');
  for (const [name, value] of readEnv(home.path('.env'), home, warnings)) set(name, value, '.env');

  const projectFile = join(cwd, '.env');
  if (projectFile !== home.path('.env')) {
    const project = readEnv(projectFile, home, warnings);
    const refused = [...project.keys()].filter((name) => !values.has(name) && !isSafe(name, project));
    for (const [name, value] of project)
      if (!values.has(name) && !refused.includes(name)) set(name, value, 'project .env');
    if (refused.length > 0) warnings.push(`${home.display(projectFile)} may not set ${refused.join(', ')}; left out.`);
  }

  const managedFile = join(managedDir(processEnv), '.env');
  for (const [name, value] of readEnv(managedFile, home, warnings)) set(name, value, 'managed .env');

  return {
    env: Object.fromEntries(values),
    warnings,
    origin: (name) => origins.get(name) ?? (values.has(name) ? 'shell' : undefined),
  };
}

/** The administrator's folder, whose values win. Taken from the process alone, so no file can move it. */
export function managedDir(processEnv: Environment): string {
  if (processEnv.HERMES_MANAGED_DIR) return processEnv.HERMES_MANAGED_DIR;
  if (process.platform === 'win32') return join(processEnv.ProgramData ?? 'C:\\ProgramData', 'hermes');
  return '/etc/hermes';
}

/** A folder may send its own key to its own server, but not the user's. */
function isSafe(name: string, project: ReadonlyMap<string, string>): boolean {
  if (isUnsafeFromProject(name)) return false;
  const vendor = /^(.+)_(?:BASE_URL|API_URL|API_BASE|ENDPOINT|HOST)$/.exec(name)?.[1];
  return vendor === undefined || ['_API_KEY', '_TOKEN', '_KEY'].some((end) => project.has(vendor + end));
}

function readEnv(path: string, home: Home, warnings: string[]): ReadonlyMap<string, string> {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (error) {
    const code = errorCode(error);
    // A folder of that name may be anybody's in a project; at home it hides the keys.
    if (code !== 'ENOENT' && code !== 'ENOTDIR' && (code !== 'EISDIR' || path === home.path('.env')))
      warnings.push(`${home.display(path)} could not be read and is left out: ${errorText(error)}.`);
    return new Map();
  }
  return new Map(parseEnvFile(text).map(({ name, value }) => [name, value]));
}

/** Keys are copied from web pages together with invisible or typographic characters that no HTTP header may hold. */
function asciiOnly(name: string, value: string, origin: EnvOrigin, warnings: string[]): string {
  const clean = value.replace(/[^\x20-\x7e\t\r\n]/g, '');
  if (clean !== value) warnings.push(`${name} (${origin}) held characters outside ASCII; they were left out.`);
  return clean;
}
