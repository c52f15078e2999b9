/** The slow half of loading: parse, join, modernise and validate. Its result is what `load.ts` keeps in the cache. */
import { readFile } from 'node:fs/promises';
import { keepCopy, listCopies } from './good-copies.ts';
import type { Home } from './home.ts';
import { joinKey } from './key-path.ts';
import { lookUp } from './keys.ts';
import { modernise } from './legacy.ts';
import type { Config } from './schema.ts';
import type { ConfigProblem, ConfigSource } from './source.ts';
import { hasReference, substitute } from './substitute.ts';
import { deepMerge, isTree, leafPaths, type Tree } from './tree.ts';
import { faultText, validateConfig } from './validate.ts';
import { readYaml } from './yaml-text.ts';

export interface Compiled {
  /** Validated, references not filled in. */
  readonly config: Config;
  readonly warnings: readonly string[];
  readonly problems: readonly ConfigProblem[];
  /** Names that the administrator's file fixes. */
  readonly pinned: readonly string[];
  /** False when the result depends on more than the text of the files. */
  readonly cacheable: boolean;
}

export interface CompileRequest {
  readonly home: Home;
  readonly user: ConfigSource;
  readonly managed: ConfigSource;
  readonly env: Readonly<Record<string, string | undefined>>;
}

export async function compileConfig({ home, user, managed, env }: CompileRequest): Promise<Compiled> {
  const problems: ConfigProblem[] = [];
  const warnings: string[] = [];
  const own = await readUser(home, user, problems, warnings);
  const fixed = readManaged(home, managed, problems);
  const userTree = modernise(own);
  const fixedTree = modernise(fixed);
  const merged = deepMerge(userTree, fixedTree) as Tree;
  warnings.push(...misspelt(userTree).map((text) => `${home.display(user.path)}: ${text}`));

  let { config, faults } = validateConfig(merged);
  // A reference may stand for a number or a choice: then only the filled-in value can be judged.
  const late = faults.some((fault) => hasReference(fault.value));
  if (late) ({ config, faults } = validateConfig(substitute(merged, env).value));
  warnings.push(...faults.map((fault) => faultText(home.display(user.path), fault)));
  return {
    config,
    warnings,
    problems,
    pinned: leafPaths(fixedTree).map(joinKey),
    cacheable: problems.length === 0 && !late,
  };
}

async function readUser(
  home: Home,
  source: ConfigSource,
  problems: ConfigProblem[],
  warnings: string[],
): Promise<Tree> {
  if (source.text === undefined) return {};
  const parsed = source.fault ? undefined : readYaml(source.text);
  const copy = (await listCopies(home, 'good')).at(-1);
  // A file cut to nothing by a full disk or a crash looks like this; nobody writes one by hand.
  const lost = source.text === '' && copy !== undefined;
  if (parsed?.ok && !lost) {
    warnings.push(...parsed.warnings.map((text) => `${home.display(source.path)}, ${text}`));
    await keepCopy(home, source.text, 'good').catch(() => {}); // a copy is a kindness, not a condition
    return parsed.value;
  }
  const fault = parsed && !parsed.ok ? parsed.fault : { line: 1, column: 1, reason: source.fault ?? 'it is empty' };
  const served = copy === undefined ? undefined : readYaml(await readFile(copy, 'utf8'));
  problems.push({
    file: home.display(source.path),
    ...fault,
    served: served?.ok && copy !== undefined ? home.display(copy) : undefined,
  });
  return served?.ok ? served.value : {};
}

function readManaged(home: Home, source: ConfigSource, problems: ConfigProblem[]): Tree {
  if (source.text === undefined) return {};
  const parsed = source.fault ? undefined : readYaml(source.text);
  if (parsed?.ok) return parsed.value;
  const fault = parsed?.fault ?? { line: 1, column: 1, reason: source.fault ?? '' };
  problems.push({ file: home.display(source.path), ...fault, served: undefined });
  return {};
}

/** Unknown names that are one slip away from a known one; others may belong to a plugin. */
function misspelt(tree: Tree): string[] {
  const found: string[] = [];
  const visit = (value: Tree, prefix: readonly string[]) => {
    for (const [key, child] of Object.entries(value)) {
      const path = [...prefix, key];
      const known = lookUp(path);
      if (known.known) {
        if (isTree(child)) visit(child, path);
      } else if (known.near?.startsWith(prefix.join('.')) && isSlip(key, known.near.split('.')[prefix.length] ?? '')) {
        found.push(`${joinKey(path)} is not a setting; did you mean ${known.near}?`);
      }
    }
  };
  visit(tree, []);
  return found;
}

function isSlip(word: string, near: string): boolean {
  return near !== '' && word !== near && Math.abs(word.length - near.length) <= 2 && word[0] === near[0];
}
