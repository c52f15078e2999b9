/**
 * Changes one value in the text of a settings file and nothing else: the rest stays byte for byte, comments, order,
 * indentation and line ends included.
 */

import { isDeepStrictEqual } from 'node:util';
import {
  type Document,
  isAlias,
  isCollection,
  isMap,
  isScalar,
  isSeq,
  type Node,
  type Pair,
  parseDocument,
  type Scalar,
  stringify,
  type YAMLMap,
  type YAMLSeq,
} from 'yaml';
import { AppError } from '../lib/errors.ts';
import { joinKey } from './key-path.ts';
import { getAt, isTree, type Path, type Tree, withAt } from './tree.ts';
import { readYaml, YAML_OPTIONS } from './yaml-text.ts';

/** `compat` quotes what older YAML readers would take for something else, such as `off`. */
const STRINGIFY = { compat: 'yaml-1.1', lineWidth: 0, version: '1.2' } as const;

/**
 * The text with the value at `path` set, or taken out when `value` is undefined. Groups on the way are made; a group
 * that becomes empty goes with its last entry.
 * @throws AppError `config-shape` when the file cannot hold such a value there
 */
export function editYaml(text: string, path: Path, value: unknown): string {
  const before = readYaml(text);
  if (!before.ok) throw new AppError('config-broken', `The settings cannot be read: ${before.fault.reason}.`);
  if (value === undefined && getAt(before.value, path) === undefined) return text;
  const target = value === undefined ? emptiedBy(before.value, path) : path;
  checkShape(before.value, target);
  const wanted = withAt(before.value, target, value);
  if (isDeepStrictEqual(wanted, before.value)) return text;
  for (const edit of [splice, rewrite]) {
    const edited = edit(text, before.value, target, value);
    const after = edited === undefined ? undefined : readYaml(edited);
    if (edited !== undefined && after?.ok && isDeepStrictEqual(after.value, wanted)) return edited;
  }
  throw new AppError(
    'config-shape',
    `${joinKey(path)} cannot be changed here: it is written through an alias or merge.`,
    {
      hint: 'Change it by hand: hermes config edit.',
    },
  );
}

/** The outermost group that holds nothing but the entry at `path`, or the entry itself. */
function emptiedBy(root: unknown, path: Path): Path {
  let target = path;
  while (target.length > 1) {
    const parent = getAt(root, target.slice(0, -1));
    if (!isTree(parent) || Object.keys(parent).length !== 1) break;
    target = target.slice(0, -1);
  }
  return target;
}

function checkShape(root: unknown, path: Path): void {
  for (let i = 1; i < path.length; i++) {
    const parent = getAt(root, path.slice(0, i));
    const key = path[i] ?? '';
    const name = joinKey(path.slice(0, i));
    if (parent === undefined || parent === null) return;
    if (Array.isArray(parent)) {
      if (/^\d+$/.test(key) && Number(key) <= parent.length) continue;
      throw new AppError('config-shape', `${name} is a list of ${parent.length}, so it has no entry ${key}.`, {
        hint: `Entries are numbered from 0; ${name}.${parent.length} adds one.`,
      });
    }
    if (isTree(parent)) continue;
    throw new AppError('config-shape', `${name} holds a value of its own, so ${joinKey(path)} cannot be set.`, {
      hint: `Take it out first: hermes config unset ${name}`,
    });
  }
}

/** Works on the text at the places the parser reports. Undefined when it does not know how. */
function splice(text: string, root: Tree, path: Path, value: unknown): string | undefined {
  const newline = text.includes('\r\n') ? '\r\n' : '\n';
  const document = parseDocument(text, YAML_OPTIONS);
  const found = deepest(document, path);
  if (!found) return value === undefined ? undefined : appendTop(text, path, value, newline);
  const { parent, rest } = found;
  const key = rest[0] ?? '';
  // What stands there may be an alias: it becomes a group of its own.
  const current = getAt(root, path.slice(0, path.length - rest.length + 1));
  const whole = rest.length > 1 ? withAt(current, rest.slice(1), value) : value;
  const entry = entryOf(parent, key);
  if (parent.flow) return spliceFlow(text, parent, key, whole);
  if (entry && value === undefined) return removeEntry(text, parent, entry);
  if (entry) return replaceEntry(text, parent, entry, key, whole, newline);
  return insertEntry(text, parent, key, whole, newline);
}

interface Found {
  readonly parent: YAMLMap | YAMLSeq;
  /** What is left of the path: one key that `parent` has or gets, and those below it that are new. */
  readonly rest: Path;
}

function deepest(document: Document, path: Path): Found | undefined {
  let parent = document.contents as Node | null;
  if (!isMap(parent) || parent.items.length === 0) return undefined;
  for (const [i, key] of path.entries()) {
    if (!(isMap(parent) || isSeq(parent))) return undefined;
    const last: Found = { parent, rest: path.slice(i) };
    if (last.rest.length === 1) return last;
    const child: unknown = childNode(parent, key);
    if (!isCollection(child) || isAlias(child) || (child.items.length === 0 && !isSeq(child))) return last;
    parent = child as YAMLMap | YAMLSeq; // what `isCollection` admits
  }
  return undefined;
}

type Entry = { readonly start: number; readonly valueNode: Node | null; readonly index: number; readonly pair?: Pair };

function entryOf(parent: YAMLMap | YAMLSeq, key: string): Entry | undefined {
  if (isSeq(parent)) {
    const node = parent.items[Number(key)] as Node | undefined;
    return node?.range ? { start: node.range[0], valueNode: node, index: Number(key) } : undefined;
  }
  for (let index = parent.items.length - 1; index >= 0; index--) {
    const pair = parent.items[index];
    if (pair && isScalar(pair.key) && String(pair.key.value) === key && pair.key.range)
      return { start: pair.key.range[0], valueNode: pair.value as Node | null, index, pair };
  }
  return undefined;
}

function childNode(parent: YAMLMap | YAMLSeq, key: string): unknown {
  return entryOf(parent, key)?.valueNode;
}

/** The smallest bracketed collection around the value is written anew. */
function spliceFlow(text: string, parent: YAMLMap | YAMLSeq, key: string, value: unknown): string | undefined {
  if (!parent.range) return undefined;
  const current = readYaml(`x: ${text.slice(parent.range[0], parent.range[1])}`);
  if (!current.ok) return undefined;
  const changed = withAt(current.value.x, [key], value);
  return text.slice(0, parent.range[0]) + flowText(changed) + text.slice(parent.range[1]);
}

function flowText(value: unknown): string {
  return stringify(value, { ...STRINGIFY, collectionStyle: 'flow', flowCollectionPadding: false })
    .trimEnd()
    .replace(/\n\s*/g, ' ');
}

function replaceEntry(
  text: string,
  parent: YAMLMap | YAMLSeq,
  entry: Entry,
  key: string,
  value: unknown,
  newline: string,
): string | undefined {
  const node = entry.valueNode;
  const range = node?.range;
  if (!node || !range) return undefined;
  if (isScalar(node) && !isCollectionValue(value) && isPlainScalar(node, text)) {
    const separator = range[0] === range[1] && /[:-]/.test(text[range[0] - 1] ?? '') ? ' ' : '';
    return text.slice(0, range[0]) + separator + scalarText(value, node) + text.slice(range[1]);
  }
  if (isCollection(node) && node.flow && isCollectionValue(value) && !isEmptyCollection(node))
    return text.slice(0, range[0]) + flowText(value) + text.slice(range[1]);
  const indent = columnOf(text, entry.start);
  const start = isSeq(parent) ? text.lastIndexOf('-', entry.start) : entry.start;
  const column = isSeq(parent) ? columnOf(text, start) : indent;
  const block = blockText(parent, key, value, column, newline);
  const end = contentEnd(text, range[1]);
  return text.slice(0, start) + block.trimStart().replace(/\r?\n$/, '') + text.slice(end);
}

function insertEntry(
  text: string,
  parent: YAMLMap | YAMLSeq,
  key: string,
  value: unknown,
  newline: string,
): string | undefined {
  const first = firstEntryStart(parent, text);
  const last = lastEntryEnd(parent);
  if (first === undefined || last === undefined) return undefined;
  const at = endOfLine(text, contentEnd(text, last));
  const block = blockText(parent, key, value, columnOf(text, first), newline);
  const needsBreak = at > 0 && !/\n$/.test(text.slice(0, at));
  return text.slice(0, at) + (needsBreak ? newline : '') + block + text.slice(at);
}

function removeEntry(text: string, parent: YAMLMap | YAMLSeq, entry: Entry): string | undefined {
  const anchor = isSeq(parent) ? text.lastIndexOf('-', entry.start) : entry.start;
  const lineStart = text.lastIndexOf('\n', anchor - 1) + 1;
  // The first key of a list's map shares its line with the dash.
  if (text.slice(lineStart, anchor).trim() !== '') return undefined;
  const end = endOfLine(text, contentEnd(text, entry.valueNode?.range?.[1] ?? anchor));
  return text.slice(0, lineStart) + text.slice(end);
}

function appendTop(text: string, path: Path, value: unknown, newline: string): string | undefined {
  const document = parseDocument(text, YAML_OPTIONS);
  if (document.contents !== null && !(isScalar(document.contents) && document.contents.value === null)) {
    if (!isMap(document.contents) || document.contents.items.length > 0) return undefined;
    const [start, end] = document.contents.range ?? [0, 0];
    return text.slice(0, start) + render(withAt({}, path, value), newline).trimEnd() + text.slice(end);
  }
  const gap = text === '' || text.endsWith('\n') ? '' : newline;
  return text + gap + render(withAt({}, path, value), newline);
}

/** `key: value` or `- value` with its line end, indented to `column`. */
function blockText(parent: YAMLMap | YAMLSeq, key: string, value: unknown, column: number, newline: string): string {
  const source = isSeq(parent) ? [value] : { [key]: value };
  return render(source, newline)
    .split(newline)
    .map((line) => (line === '' ? line : ' '.repeat(column) + line))
    .join(newline);
}

function render(value: unknown, newline: string): string {
  const text = stringify(value, STRINGIFY);
  return newline === '\n' ? text : text.replaceAll('\n', newline);
}

/** In the quotes of the value it replaces, so that the file keeps its looks. */
function scalarText(value: unknown, old: Scalar): string {
  const type =
    typeof value === 'string' && (old.type === 'QUOTE_DOUBLE' || old.type === 'QUOTE_SINGLE') ? old.type : undefined;
  const text = stringify(value, { ...STRINGIFY, ...(type && { defaultStringType: type }) }).trimEnd();
  // One line always fits where a value stood; block scalars would need the indentation.
  return text.includes('\n') ? JSON.stringify(value) : text;
}

function isPlainScalar(node: Scalar, text: string): boolean {
  const source = text.slice(node.range?.[0], node.range?.[1]);
  return (
    node.type !== 'BLOCK_LITERAL' && node.type !== 'BLOCK_FOLDED' && !node.tag && !node.anchor && !/\n/.test(source)
  );
}

function isCollectionValue(value: unknown): boolean {
  return (isTree(value) && Object.keys(value).length > 0) || (Array.isArray(value) && value.length > 0);
}

function isEmptyCollection(node: { items: readonly unknown[] }): boolean {
  return node.items.length === 0;
}

function firstEntryStart(parent: YAMLMap | YAMLSeq, text: string): number | undefined {
  if (isMap(parent)) return entryStart(parent.items[0]);
  const start = (parent.items[0] as Node | undefined)?.range?.[0];
  return start === undefined ? undefined : text.lastIndexOf('-', start);
}

function entryStart(pair: Pair | undefined): number | undefined {
  return pair && isScalar(pair.key) ? pair.key.range?.[0] : undefined;
}

function lastEntryEnd(parent: YAMLMap | YAMLSeq): number | undefined {
  const last = parent.items.at(-1);
  if (!isMap(parent)) return (last as Node | undefined)?.range?.[1];
  const pair = last as Pair | undefined;
  const node = (pair?.value ?? pair?.key) as Node | undefined;
  return node?.range?.[1];
}

/** Where the last character of a value is, when its range runs on over line ends and comments. */
function contentEnd(text: string, end: number): number {
  let at = end;
  for (;;) {
    const lineStart = text.lastIndexOf('\n', at - 1) + 1;
    const line = text.slice(lineStart, at);
    if (at === 0 || (line.trim() !== '' && !/^\s*#/.test(line))) break;
    if (lineStart === 0) break;
    at = lineStart - 1;
  }
  return text[at - 1] === '\r' ? at - 1 : at;
}

/** After the line break of the line that `at` is in. */
function endOfLine(text: string, at: number): number {
  const end = text.indexOf('\n', at);
  return end < 0 ? text.length : end + 1;
}

function columnOf(text: string, at: number): number {
  return at - (text.lastIndexOf('\n', at - 1) + 1);
}

/** Last resort: values and comments stay, the layout is the library's. */
function rewrite(text: string, _root: Tree, path: Path, value: unknown): string | undefined {
  const document = parseDocument(text, YAML_OPTIONS);
  const keys = path.map((part, i) =>
    isSeq(i === 0 ? document.contents : document.getIn(path.slice(0, i))) ? Number(part) : part,
  );
  try {
    if (value === undefined) document.deleteIn(keys);
    else document.setIn(keys, document.createNode(value));
    return document.toString(STRINGIFY);
  } catch {
    return undefined; // an alias or a scalar in the way: told by the caller
  }
}
