/** Checks settings against the schema; what does not fit is converted where the meaning is plain, else left out. */
import type * as z from 'zod';
import { joinKey } from './key-path.ts';
import { lookUp, typeText } from './keys.ts';
import { type Config, configSchema } from './schema.ts';
import { getAt, isTree, type Tree, withAt } from './tree.ts';

export interface ConfigFault {
  readonly path: readonly string[];
  readonly value: unknown;
  /** `one of: a, b` */
  readonly expected: string;
  readonly default: unknown;
}

export interface Validation {
  readonly config: Config;
  readonly faults: readonly ConfigFault[];
}

type Issue = z.core.$ZodIssue;

const MAX_ROUNDS = 50;

/** Every setting with a value that fits: the user's, or its default. Unknown settings are kept. */
export function validateConfig(raw: Tree): Validation {
  const faults: ConfigFault[] = [];
  let tree: unknown = raw;
  for (let round = 0; round < MAX_ROUNDS; round++) {
    const result = configSchema.safeParse(tree);
    if (result.success) return { config: result.data, faults };
    // Last first: taking an entry out of a list moves those behind it.
    for (const issue of [...result.error.issues].reverse()) tree = mend(tree, issue, faults);
  }
  throw new Error('the settings schema refuses its own defaults');
}

function mend(tree: unknown, issue: Issue, faults: ConfigFault[]): unknown {
  const path = existing(tree, issue.path.map(String));
  const value = getAt(tree, path);
  const converted = value === null ? undefined : convert(value, issue);
  if (converted !== undefined) return withAt(tree, path, converted);
  if (value !== null) faults.push(describe(path, value));
  return withAt(tree, path, undefined);
}

/** The longest part of a path that is really there: a missing field is the fault of its group. */
function existing(tree: unknown, path: string[]): string[] {
  let here = path;
  while (here.length > 1 && getAt(tree, here) === undefined) here = here.slice(0, -1);
  return here;
}

function describe(path: readonly string[], value: unknown): ConfigFault {
  const found = lookUp(path);
  return found.known
    ? { path, value, expected: rangeText(found.schema), default: found.schema.default }
    : { path, value, expected: 'another kind of value', default: undefined };
}

function rangeText(schema: Parameters<typeof typeText>[0]): string {
  const { minimum, maximum } = schema as { minimum?: number; maximum?: number };
  const low = minimum !== undefined && Number.isSafeInteger(minimum) ? ` from ${minimum}` : '';
  const high = maximum !== undefined && maximum < Number.MAX_SAFE_INTEGER ? ` to ${maximum}` : '';
  return typeText(schema) + low + high;
}

/** The value as the kind that is asked for, when everyone would read it so; undefined otherwise. */
function convert(value: unknown, issue: Issue): unknown {
  if (issue.code === 'invalid_union') {
    for (const branch of issue.errors) {
      const [only] = branch;
      const result = only && branch.length === 1 && only.path.length === 0 ? convert(value, only as Issue) : undefined;
      if (result !== undefined) return result;
    }
    return undefined;
  }
  if (issue.code === 'invalid_value') return convertChoice(value, issue.values);
  if (issue.code !== 'invalid_type') return undefined;
  if (issue.expected === 'boolean') return toBoolean(value);
  if (issue.expected === 'string')
    return typeof value === 'number' || typeof value === 'boolean' ? String(value) : undefined;
  if (issue.expected === 'number' || issue.expected === 'int') return toNumber(value);
  if (issue.expected === 'array') return isTree(value) || value === '' ? undefined : [value];
  return undefined;
}

/** Other YAML readers take a bare `off` for false, so files hold either. */
function convertChoice(value: unknown, choices: readonly unknown[]): unknown {
  if (typeof value === 'boolean') return choices.find((choice) => choice === (value ? 'on' : 'off'));
  if (typeof value !== 'string') return undefined;
  const wanted = value.trim().toLowerCase();
  return choices.find((choice) => typeof choice === 'string' && choice.toLowerCase() === wanted);
}

export function toBoolean(value: unknown): boolean | undefined {
  const word = typeof value === 'string' ? value.trim().toLowerCase() : value;
  if (word === 'true' || word === 'yes' || word === 'on' || word === 1 || word === '1') return true;
  if (word === 'false' || word === 'no' || word === 'off' || word === 0 || word === '0') return false;
  return undefined;
}

function toNumber(value: unknown): number | undefined {
  if (typeof value !== 'string' || !/^[+-]?(\d[\d_]*)?\.?\d+$/.test(value.trim())) return undefined;
  return Number(value.trim().replaceAll('_', ''));
}

/** `config.yaml: display.streaming is "maybe" but must be true or false; true is used.` */
export function faultText(file: string, fault: ConfigFault): string {
  const used = fault.default === undefined ? 'it is left out' : `${JSON.stringify(fault.default)} is used`;
  const shown = isTree(fault.value) ? 'a map' : Array.isArray(fault.value) ? 'a list' : JSON.stringify(fault.value);
  return `${file}: ${joinKey(fault.path)} is ${shown} but must be ${fault.expected}; ${used}.`;
}
