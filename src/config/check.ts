/** Everything that can be said about a settings file: what `hermes config check` prints. */
import { envFaults } from './env-file.ts';
import type { Environment, Home } from './home.ts';
import { joinKey } from './key-path.ts';
import { lookUp } from './keys.ts';
import { modernise } from './legacy.ts';
import { loadConfig } from './load.ts';
import { CONFIG_VERSION, planMigration } from './migrate.ts';
import { readSource } from './source.ts';
import { isTree, type Path, type Tree } from './tree.ts';
import { readYaml } from './yaml-text.ts';

export interface ConfigReport {
  /** Undefined when the file does not say. */
  readonly version: number | undefined;
  readonly currentVersion: number;
  /** Sentences on what is wrong: unreadable files, values of the wrong kind, references that lead nowhere. */
  readonly faults: readonly string[];
  /** Names that Hermes does not know, with the known one most likely meant. */
  readonly unknown: readonly { readonly key: string; readonly near: string | undefined }[];
  /** Older spellings, as `old → new`. */
  readonly outdated: readonly string[];
}

/** @param env that of `loadEnvironment` */
export async function checkConfig(home: Home, env: Environment): Promise<ConfigReport> {
  const { warnings } = await loadConfig(home, env);
  const source = readSource(home.path('config.yaml'));
  const parsed = readYaml(source.text ?? '');
  const tree: Tree = parsed.ok ? parsed.value : {};
  const outdated = parsed.ok ? planMigration(source.text ?? '').steps : [];
  const version = typeof tree._config_version === 'number' ? tree._config_version : undefined;
  const unknown = unknownKeys(modernise(tree));
  const named = unknown.map(({ key }) => ` ${key} is not a setting`);
  return {
    version,
    currentVersion: CONFIG_VERSION,
    faults: warnings.filter((text) => !named.some((part) => text.includes(part))),
    unknown,
    outdated,
  };
}

/** What reads like a mistake in the home's `.env`. Its values are never told. */
export function checkEnvFile(home: Home): string[] {
  const path = home.path('.env');
  const { text = '', fault } = readSource(path);
  // One that cannot be opened at all is told of by `loadEnvironment`.
  const reasons = [...(fault === undefined || text === '' ? [] : [fault]), ...envFaults(text)];
  return reasons.map((reason) => `${home.display(path)}: ${reason}.`);
}

function unknownKeys(tree: Tree): { key: string; near: string | undefined }[] {
  const found: { key: string; near: string | undefined }[] = [];
  const visit = (value: Tree, prefix: Path) => {
    for (const [key, child] of Object.entries(value)) {
      const path = [...prefix, key];
      const known = lookUp(path);
      if (!known.known) found.push({ key: joinKey(path), near: known.near });
      else if (isTree(child)) visit(child, path);
    }
  };
  visit(tree, []);
  return found;
}
