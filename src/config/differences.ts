/** What somebody has set: the part of the settings that is not as it would be without any file. */
import { isDeepStrictEqual } from 'node:util';
import type { Config } from './schema.ts';
import { isTree, type Tree } from './tree.ts';
import { validateConfig } from './validate.ts';

export function differences(config: Config): Tree {
  return compare(config as Tree, validateConfig({}).config as Tree); // every group is a plain map
}

function compare(value: Tree, standard: Tree): Tree {
  const result: Tree = {};
  for (const [key, own] of Object.entries(value)) {
    const usual = standard[key];
    if (isDeepStrictEqual(own, usual)) continue;
    result[key] = isTree(own) && isTree(usual) ? compare(own, usual) : own;
  }
  return result;
}
