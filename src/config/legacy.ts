/** Older spellings of settings, brought to today's. What is written in today's spelling always wins. */
import { deepMerge, getAt, isTree, type Path, type Tree, withAt } from './tree.ts';

export interface Rename {
  readonly from: Path;
  readonly to: Path;
}

/** Plain moves; `hermes config migrate` writes these into the file. */
export const RENAMES: readonly Rename[] = [
  { from: ['model', 'model'], to: ['model', 'default'] },
  { from: ['model', 'extra_headers'], to: ['model', 'default_headers'] },
  { from: ['model', 'aliases'], to: ['model_aliases'] },
  { from: ['max_turns'], to: ['agent', 'max_turns'] },
  { from: ['personalities'], to: ['agent', 'personalities'] },
  { from: ['terminal', 'env_type'], to: ['terminal', 'backend'] },
  { from: ['compression', 'summary_model'], to: ['auxiliary', 'compression', 'model'] },
  { from: ['compression', 'summary_provider'], to: ['auxiliary', 'compression', 'provider'] },
  { from: ['compression', 'summary_base_url'], to: ['auxiliary', 'compression', 'base_url'] },
  { from: ['compression', 'summary_api_key'], to: ['auxiliary', 'compression', 'api_key'] },
];

/** Values in today's spelling; `raw` is left as it is. */
export function modernise(raw: Tree): Tree {
  let tree: Tree = typeof raw.model === 'string' ? { ...raw, model: { default: raw.model } } : raw;
  for (const { from, to } of RENAMES) tree = move(tree, from, to);
  return capTurns(routing(providerList(speechModel(progressOverrides(tree)))));
}

function move(tree: Tree, from: Path, to: Path): Tree {
  const old = getAt(tree, from);
  if (old === undefined) return tree;
  const rest = withAt(tree, from, undefined);
  const current = getAt(rest, to);
  if (current === undefined || current === '' || current === null) return withAt(rest, to, old) as Tree;
  return isTree(old) && isTree(current) ? (withAt(rest, to, deepMerge(old, current)) as Tree) : (rest as Tree);
}

/** `display.tool_progress_overrides: {telegram: off}` */
function progressOverrides(tree: Tree): Tree {
  const old = getAt(tree, ['display', 'tool_progress_overrides']);
  if (!isTree(old)) return tree;
  let result = withAt(tree, ['display', 'tool_progress_overrides'], undefined);
  for (const [platform, value] of Object.entries(old)) {
    const to = ['display', 'platforms', platform, 'tool_progress'];
    if (getAt(result, to) === undefined) result = withAt(result, to, value);
  }
  return result as Tree;
}

/** `stt.model` belongs to the provider in use. */
function speechModel(tree: Tree): Tree {
  const provider = getAt(tree, ['stt', 'provider']);
  return move(tree, ['stt', 'model'], ['stt', typeof provider === 'string' && provider ? provider : 'local', 'model']);
}

/** The list form of `providers`; it stays readable beside the map. */
function providerList(tree: Tree): Tree {
  if (!Array.isArray(tree.custom_providers)) return tree;
  let result: unknown = tree;
  for (const entry of tree.custom_providers) {
    if (!isTree(entry) || typeof entry.name !== 'string' || entry.name.trim() === '') continue;
    const id = entry.name.trim().toLowerCase().replace(/\s+/g, '-');
    const current = getAt(result, ['providers', id]);
    result = withAt(result, ['providers', id], deepMerge(entry, isTree(current) ? current : {}));
  }
  return result as Tree;
}

/** `fallback_model` and `model_routing`: one fallback, and names for models with a chain. */
function routing(tree: Tree): Tree {
  let result: unknown = tree;
  const chain = getAt(tree, ['model_routing', 'fallback_providers']);
  const single = tree.fallback_model;
  const fallbacks = Array.isArray(chain) ? chain : single === undefined || single === '' ? [] : [single];
  if (fallbacks.length > 0 && getAt(tree, ['fallback_providers', '0']) === undefined)
    result = withAt(result, ['fallback_providers'], fallbacks);
  if (isTree(tree.model_routing)) {
    for (const [name, model] of Object.entries(tree.model_routing)) {
      if (typeof model !== 'string') continue;
      const to = name === 'default' ? ['model', 'default'] : ['model_aliases', name];
      if (!getAt(result, to)) result = withAt(result, to, model);
    }
  }
  return result as Tree;
}

function capTurns(tree: Tree): Tree {
  const turns = getAt(tree, ['agent', 'max_turns']);
  const unlimited = [0, -1, '0', '-1', 'none', 'unlimited', 'null'].includes(turns as string | number);
  return unlimited ? (withAt(tree, ['agent', 'max_turns'], null) as Tree) : tree;
}
