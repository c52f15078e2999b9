/**
 * The settings in force. Every start passes here, so a warm one parses no YAML and loads no schema: the validated
 * result is kept beside the very texts it was made from, and serves only while those are the same.
 */
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Compiled } from './compile.ts';
import { managedDir } from './environment.ts';
import type { Environment, Home } from './home.ts';
import type { Config } from './schema.ts';
import { type ConfigProblem, type ConfigSource, problemText, readSource } from './source.ts';
import { hasReference, substitute } from './substitute.ts';

declare const __HERMES_VERSION__: string;

export interface LoadedConfig {
  readonly config: Config;
  /** Sentences to show once at start, problems included. */
  readonly warnings: readonly string[];
  /** Files that could not be read. */
  readonly problems: readonly ConfigProblem[];
  /** Settings that the administrator has fixed. */
  readonly pinned: readonly string[];
}

export interface LoadOptions {
  /** Defaults and managed settings only. */
  readonly ignoreUser?: boolean;
  /** Leave `${NAME}` as written: for showing and editing. */
  readonly keepReferences?: boolean;
}

interface CacheFile {
  readonly product: string;
  readonly user: string | null;
  readonly managed: string | null;
  readonly compiled: Compiled;
}

/**
 * Defaults, joined with the user's settings, joined with the administrator's, `${NAME}` filled in from `env` (that of
 * `loadEnvironment`). Never fails for what a file holds: that is in `warnings` and `problems`, and the newest good
 * copy is served instead. The file itself is never touched.
 */
export async function loadConfig(home: Home, env: Environment, options: LoadOptions = {}): Promise<LoadedConfig> {
  const absent: ConfigSource = { path: home.path('config.yaml'), text: undefined };
  const user = options.ignoreUser ? absent : readSource(absent.path);
  const managed = readSource(join(managedDir(env), 'config.yaml'));
  const cachePath = home.path('cache', options.ignoreUser ? 'config-defaults.json' : 'config.json');
  const key = { product: productStamp(), user: user.text ?? null, managed: managed.text ?? null };

  let compiled = user.fault || managed.fault ? undefined : readCache(cachePath, key);
  if (!compiled) {
    const { compileConfig } = await import('./compile.ts');
    compiled = await compileConfig({ home, user, managed, env });
    if (compiled.cacheable) await writeCache(cachePath, { ...key, compiled });
  }
  // Looking through every setting costs milliseconds, and most files refer to nothing.
  const refers = compiled.problems.length > 0 || hasReference(user.text) || hasReference(managed.text);
  const { value: config, warnings } =
    refers && !options.keepReferences ? substitute(compiled.config, env) : { value: compiled.config, warnings: [] };
  return {
    config,
    warnings: [
      ...compiled.problems.map(problemText),
      ...compiled.warnings,
      ...warnings.map((text) => `${home.display(user.path)}: ${text}`),
    ],
    problems: compiled.problems,
    pinned: compiled.pinned,
  };
}

function readCache(path: string, key: Omit<CacheFile, 'compiled'>): Compiled | undefined {
  try {
    const cache = JSON.parse(readFileSync(path, 'utf8')) as CacheFile; // only ever written below
    const fits = cache.product === key.product && cache.user === key.user && cache.managed === key.managed;
    return fits ? cache.compiled : undefined;
  } catch {
    return undefined; // none yet, or damaged: it is made anew
  }
}

async function writeCache(path: string, cache: CacheFile): Promise<void> {
  try {
    const { writeFileAtomic } = await import('../lib/atomic-file.ts');
    await writeFileAtomic(path, JSON.stringify(cache), { mode: 0o600 });
  } catch {
    // A home that cannot be written starts slower; whoever must write there reports it.
  }
}

/** Changes with every build, and in a source tree with every edit of the schema. */
function productStamp(): string {
  const file = fileURLToPath(import.meta.url);
  if (!file.endsWith('.ts')) return `${__HERMES_VERSION__} ${basename(file)} ${statSync(file).mtimeMs}`;
  const folder = dirname(file);
  const names = [...readdirSync(folder), ...readdirSync(join(folder, 'schema')).map((name) => join('schema', name))];
  return names.map((name) => statSync(join(folder, name)).mtimeMs).join(' ');
}
