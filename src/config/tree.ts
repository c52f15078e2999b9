/** Settings as plain nested values: reading, changing and joining them by path. */

export type Tree = Record<string, unknown>;
export type Path = readonly string[];

export function isTree(value: unknown): value is Tree {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The value at a path of keys and list indexes, undefined when there is none. */
export function getAt(value: unknown, path: Path): unknown {
  let at = value;
  for (const key of path) {
    if (Array.isArray(at)) at = /^\d+$/.test(key) ? at[Number(key)] : undefined;
    else if (isTree(at) && Object.hasOwn(at, key)) at = at[key];
    else return undefined;
  }
  return at;
}

/** A copy with the value at a path replaced, or taken out when it is undefined; groups on the way are made. */
export function withAt(value: unknown, path: Path, leaf: unknown): unknown {
  const [key, ...rest] = path;
  if (key === undefined) return leaf;
  if (Array.isArray(value) && /^\d+$/.test(key)) {
    const copy: unknown[] = [...value];
    if (rest.length === 0 && leaf === undefined) copy.splice(Number(key), 1);
    else copy[Number(key)] = withAt(copy[Number(key)], rest, leaf);
    return copy;
  }
  const copy: Tree = isTree(value) ? { ...value } : {};
  if (rest.length > 0) define(copy, key, withAt(Object.hasOwn(copy, key) ? copy[key] : undefined, rest, leaf));
  else if (leaf === undefined) delete copy[key];
  else define(copy, key, leaf);
  return copy;
}

/** Groups are joined key by key; anything else of `over` replaces what `base` has. */
export function deepMerge(base: unknown, over: unknown): unknown {
  if (!isTree(base) || !isTree(over)) return over;
  const joined: Tree = { ...base };
  for (const [key, value] of Object.entries(over))
    define(joined, key, Object.hasOwn(base, key) ? deepMerge(base[key], value) : value);
  return joined;
}

/** Dotted paths of everything that is not a group. */
export function leafPaths(value: unknown, prefix: Path = []): Path[] {
  if (!isTree(value) || Object.keys(value).length === 0) return prefix.length === 0 ? [] : [prefix];
  return Object.entries(value).flatMap(([key, child]) => leafPaths(child, [...prefix, key]));
}

/** Keys come from files: one called `__proto__` must stay an ordinary key. */
function define(target: Tree, key: string, value: unknown): void {
  Object.defineProperty(target, key, { value, enumerable: true, configurable: true, writable: true });
}
