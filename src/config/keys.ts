/** What is known of each setting, read from the schema: for checking names, converting values and the reference page. */
import * as z from 'zod';
import { nearest } from '../lib/nearest.ts';
import { configSchema } from './schema.ts';
import { isTree, type Path } from './tree.ts';

/** The part of JSON Schema that our schema turns into. */
export interface KeySchema {
  readonly type?: string;
  readonly description?: string;
  readonly default?: unknown;
  readonly secret?: boolean;
  /** A group that takes further keys of any name. */
  readonly open?: boolean;
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly anyOf?: readonly KeySchema[];
  readonly properties?: Readonly<Record<string, KeySchema>>;
  readonly additionalProperties?: KeySchema | false;
  readonly items?: KeySchema;
}

let cached: KeySchema | undefined;

export function keySchema(): KeySchema {
  cached ??= z.toJSONSchema(configSchema, { io: 'output', unrepresentable: 'any' }) as KeySchema; // a subset of it
  return cached;
}

export type Lookup =
  | { readonly known: true; readonly schema: KeySchema }
  /** `at` is the first part that is unknown; `near` the whole name most likely meant. */
  | { readonly known: false; readonly at: number; readonly near: string | undefined };

/** Whether a path names a setting. Names inside maps of the user's own are free, their listed fields are not. */
export function lookUp(path: Path): Lookup {
  let schema: KeySchema = keySchema();
  for (const [i, part] of path.entries()) {
    const next = child(schema, part);
    if (!next) return { known: false, at: i, near: suggest(path, i, schema) };
    schema = next;
  }
  return { known: true, schema };
}

/** Every setting with a value of its own, `<name>` standing for names of the user's choosing. */
export function listKeys(schema = keySchema(), prefix: readonly string[] = []): { path: string; schema: KeySchema }[] {
  const groups = schema.properties;
  if (!groups) {
    const entry = namedEntry(schema);
    const self = [{ path: prefix.join('.'), schema }];
    return entry ? [...self, ...listKeys(entry, [...prefix, '<name>'])] : self;
  }
  return Object.entries(groups).flatMap(([key, value]) => listKeys(value, [...prefix, key]));
}

/** A secret by its place in the schema. */
export function isSecretPath(path: Path): boolean {
  const found = lookUp(path);
  return found.known && found.schema.secret === true;
}

/** `whole number, at least 1`; `one of: a, b`. */
export function typeText(schema: KeySchema): string {
  if (schema.anyOf) return schema.anyOf.map(typeText).join(' or ');
  if (schema.enum)
    return `one of: ${schema.enum.map((value) => (value === '' ? '(empty)' : String(value))).join(', ')}`;
  if (schema.const !== undefined) return String(schema.const);
  if (schema.type === 'array') return schema.items?.type === 'string' ? 'list of texts' : 'list';
  const names: Record<string, string> = {
    boolean: 'true or false',
    integer: 'whole number',
    number: 'number',
    string: 'text',
    object: 'map',
    null: 'null',
  };
  return names[schema.type ?? ''] ?? 'anything';
}

function child(schema: KeySchema, part: string): KeySchema | undefined {
  if (schema.anyOf) {
    for (const one of schema.anyOf) {
      const found = child(one, part);
      if (found) return found;
    }
    return undefined;
  }
  if (schema.type === 'array') return /^\d+$/.test(part) ? (schema.items ?? {}) : undefined;
  if (schema.properties && Object.hasOwn(schema.properties, part)) return schema.properties[part];
  if (schema.type === undefined && !schema.properties) return {}; // anything goes below a value of any kind
  if (schema.type !== 'object') return undefined;
  if (schema.properties && !schema.open) return undefined;
  return schema.additionalProperties || undefined;
}

function suggest(path: Path, at: number, schema: KeySchema): string | undefined {
  const siblings = namesOf(schema);
  const near = nearest(path[at] ?? '', siblings);
  if (near !== undefined) {
    const whole = [...path.slice(0, at), near, ...path.slice(at + 1)];
    return lookUp(whole).known ? whole.join('.') : [...path.slice(0, at), near].join('.');
  }
  // The right name in the wrong group: `max_turns` for `agent.max_turns`.
  const last = path.at(-1);
  const elsewhere = listKeys().filter((key) => key.path.split('.').at(-1) === last);
  if (elsewhere.length === 1) return elsewhere[0]?.path;
  return at === 0
    ? nearest(
        path.join('.'),
        listKeys().map((key) => key.path),
      )
    : siblings[0] && closest(path[at] ?? '', siblings, path.slice(0, at));
}

/** Some name is always nearest; a wild guess still shows how names of this group look. */
function closest(word: string, names: readonly string[], prefix: Path): string {
  const shared = (name: string) => [...new Set(word)].filter((char) => name.includes(char)).length / name.length;
  const best = [...names].sort((a, b) => shared(b) - shared(a))[0] ?? '';
  return [...prefix, best].join('.');
}

function namesOf(schema: KeySchema): string[] {
  return [...Object.keys(schema.properties ?? {}), ...(schema.anyOf ?? []).flatMap(namesOf)];
}

function namedEntry(schema: KeySchema): KeySchema | undefined {
  const entry = schema.additionalProperties;
  return isTree(entry) && entry.properties ? entry : undefined;
}
