/**
 * JSON Schemas from outside, reduced to what every vendor accepts: inlined references, no unions with null, an
 * object at the top, and a fixed order of keys, so that equal tools give equal bytes.
 */
import type { ToolSchema } from '../contracts/message.ts';
import { isRecord } from '../lib/record.ts';
import type { JsonSchema, Parameters } from './parameters.ts';
import type { Tool } from './tool.ts';

const TYPES = new Set(['string', 'number', 'integer', 'boolean', 'array', 'object']);
const KEPT = ['default', 'minimum', 'maximum', 'minItems', 'maxItems', 'minLength', 'maxLength'] as const;
const MAX_DEPTH = 24;
/** Schemas that refer to each other crosswise would expand without end. */
const MAX_NODES = 5_000;

type Node = Record<string, unknown>;

/** A valid object schema whatever comes in; never throws, ends for self-referring definitions. */
export function sanitizeSchema(raw: unknown): JsonSchema {
  const root = isRecord(raw) ? raw : {};
  const clean = convert(root, { root, open: [], depth: 0, budget: { nodes: MAX_NODES } }).node;
  const flat = Array.isArray(clean.anyOf) ? mergeVariants(clean, clean.anyOf.filter(isRecord)) : clean;
  if (flat.type === 'object') return isRecord(flat.properties) ? flat : { ...flat, properties: {} };
  return { type: 'object', properties: {} };
}

/** @throws when a zod schema cannot be told as JSON Schema; the registry leaves that tool out */
export async function toolSchema(tool: Tool): Promise<ToolSchema> {
  const { name, description } = tool;
  return { name, description, parameters: await jsonSchemaOf(tool.parameters) };
}

export function isParameters(value: Tool['parameters']): value is Parameters<unknown> {
  return 'jsonSchema' in value;
}

async function jsonSchemaOf(source: Tool['parameters']): Promise<JsonSchema> {
  if (isParameters(source)) return source.jsonSchema;
  const { toJSONSchema } = await import('zod/v4/core');
  return sanitizeSchema(toJSONSchema(source, { io: 'input' }));
}

interface Place {
  readonly root: Node;
  /** References being expanded: meeting one again ends the expansion. */
  readonly open: readonly string[];
  readonly depth: number;
  readonly budget: { nodes: number };
}

interface Converted {
  readonly node: Node;
  /** `null` was among the allowed values: the property becomes optional. */
  readonly nullable: boolean;
}

function convert(raw: unknown, place: Place): Converted {
  if (typeof raw === 'string' && TYPES.has(raw)) return convert({ type: raw }, place);
  if (!isRecord(raw) || place.depth > MAX_DEPTH || place.budget.nodes-- <= 0) return { node: {}, nullable: false };
  const inner = { ...place, depth: place.depth + 1 };
  if (typeof raw.$ref === 'string') return convertReference(raw, raw.$ref, inner);
  if (Array.isArray(raw.allOf)) return convertAll(raw, raw.allOf, inner);
  const variants = raw.anyOf ?? raw.oneOf;
  if (Array.isArray(variants)) return convertUnion(raw, variants, inner);
  if (Array.isArray(raw.type)) {
    const { type, ...rest } = raw;
    return convertUnion(
      { description: raw.description },
      type.map((one: unknown) => ({ ...rest, type: one })),
      inner,
    );
  }
  return convertPlain(raw, inner);
}

function convertReference(raw: Node, reference: string, place: Place): Converted {
  const { $ref: _, ...siblings } = raw;
  const target = place.open.includes(reference) ? undefined : lookUp(place.root, reference);
  if (target === undefined) {
    return { node: ordered({ type: 'object', description: siblings.description, properties: {} }), nullable: false };
  }
  return convert({ ...target, ...siblings }, { ...place, open: [...place.open, reference] });
}

function lookUp(root: Node, reference: string): Node | undefined {
  if (!reference.startsWith('#')) return undefined;
  let at: unknown = root;
  for (const step of reference.slice(1).split('/').filter(Boolean)) {
    const key = decodeStep(step);
    at = isRecord(at) && Object.hasOwn(at, key) ? at[key] : undefined;
  }
  return isRecord(at) ? at : undefined;
}

function decodeStep(step: string): string {
  const unescaped = step.replaceAll('~1', '/').replaceAll('~0', '~');
  try {
    return decodeURIComponent(unescaped);
  } catch {
    return unescaped; // a stray percent sign is part of the name
  }
}

/** Converted first, so that a part which refers back to the whole ends like any other reference. */
function convertAll(raw: Node, all: readonly unknown[], place: Place): Converted {
  const { allOf: _, ...base } = raw;
  const parts = [...all, base].map((part) => convert(part, place));
  const merged: Node = {};
  for (const { node } of parts) {
    const properties = { ...asNode(merged.properties), ...asNode(node.properties) };
    const required = [...new Set([...asList(merged.required), ...asList(node.required)])];
    Object.assign(merged, node);
    if (Object.keys(properties).length > 0) merged.properties = properties;
    if (required.length > 0) merged.required = required;
  }
  return { node: ordered(ofOneType(merged)), nullable: parts.every(({ nullable }) => nullable) };
}

/** Parts of different types leave words behind that mean nothing for the type that won. */
function ofOneType(node: Node): Node {
  const { items, properties, required, ...rest } = node;
  if (node.type === 'array') return { ...rest, items };
  if (node.type === 'object') return { ...rest, properties, required };
  return node.type === undefined ? node : rest;
}

function convertUnion(raw: Node, variants: readonly unknown[], place: Place): Converted {
  const alive = variants.filter((one) => !isNull(one));
  const converted = alive.map((one) => convert(one, place));
  const nullable = alive.length < variants.length || converted.some((one) => one.nullable);
  const [only] = converted;
  if (converted.length === 1 && only !== undefined) {
    const description = raw.description ?? only.node.description;
    const { anyOf: _a, oneOf: _o, $defs: _d, ...siblings } = raw;
    return { node: ordered({ ...carry(siblings), ...only.node, description }), nullable };
  }
  if (converted.length === 0) return { node: ordered({ description: raw.description }), nullable: true };
  return { node: ordered({ description: raw.description, anyOf: converted.map((one) => one.node) }), nullable };
}

function convertPlain(raw: Node, place: Place): Converted {
  const choices = 'const' in raw ? [raw.const] : Array.isArray(raw.enum) ? raw.enum : undefined;
  const values = choices?.filter((value) => value !== null);
  const type = typeOf(raw, values);
  const node: Node = { ...carry(raw), type, description: text(raw.description) };
  if (values !== undefined && values.length > 0) node.enum = values;
  if (raw.format === 'date-time') node.format = raw.format;
  if (type === 'array') node.items = convertItems(raw, place);
  if (type === 'object') Object.assign(node, convertObject(raw, place));
  return { node: ordered(node), nullable: choices !== undefined && values?.length !== choices.length };
}

function convertItems(raw: Node, place: Place): Node {
  const first = Array.isArray(raw.items) ? raw.items[0] : (raw.items ?? asList(raw.prefixItems)[0]);
  const { node } = convert(first, place);
  // An item without a type is refused by some vendors.
  return Object.keys(node).length === 0 ? { type: 'string' } : node;
}

function convertObject(raw: Node, place: Place): Node {
  const properties: Node = {};
  const nullable = new Set<string>();
  for (const [name, value] of Object.entries(asNode(raw.properties)).sort(([a], [b]) => compare(a, b))) {
    const converted = convert(value, place);
    properties[name] = converted.node;
    if (converted.nullable) nullable.add(name);
  }
  const required = [...new Set(asList(raw.required))]
    .filter((name) => typeof name === 'string' && Object.hasOwn(properties, name) && !nullable.has(name))
    .sort();
  const result: Node = { properties };
  if (required.length > 0) result.required = required;
  // A map from free names to values; `true`, `false` and nonsense say nothing a model needs.
  if (isRecord(raw.additionalProperties)) result.additionalProperties = convert(raw.additionalProperties, place).node;
  return result;
}

/** Vendors refuse a union at the top: all variants' properties, required only where every variant requires it. */
function mergeVariants(base: Node, variants: readonly Node[]): Node {
  const properties = Object.assign({}, ...variants.map((variant) => asNode(variant.properties)));
  const [first, ...rest] = variants.map((variant) => asList(variant.required));
  const required = (first ?? []).filter((name) => rest.every((other) => other.includes(name)));
  return ordered({
    type: 'object',
    description: base.description,
    properties,
    required: required.length > 0 ? required : undefined,
  });
}

function typeOf(raw: Node, values: readonly unknown[] | undefined): string | undefined {
  if (typeof raw.type === 'string' && TYPES.has(raw.type)) return raw.type;
  if (isRecord(raw.properties)) return 'object';
  if (raw.items !== undefined) return 'array';
  const sample = values?.[0];
  if (sample === undefined) return undefined;
  if (Number.isInteger(sample)) return 'integer';
  return TYPES.has(typeof sample) ? typeof sample : undefined;
}

function carry(raw: Node): Node {
  return Object.fromEntries(
    KEPT.filter((key) => ['string', 'number', 'boolean'].includes(typeof raw[key])).map((key) => [key, raw[key]]),
  );
}

const ORDER = ['type', 'description', 'enum', 'format', 'items', 'properties', 'required', 'anyOf'];

function ordered(node: Node): Node {
  const keys = Object.keys(node).filter((key) => node[key] !== undefined);
  const rank = (key: string) => (ORDER.includes(key) ? ORDER.indexOf(key) : ORDER.length);
  return Object.fromEntries(keys.sort((a, b) => rank(a) - rank(b) || compare(a, b)).map((key) => [key, node[key]]));
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

function isNull(value: unknown): boolean {
  return isRecord(value) && (value.type === 'null' || value.const === null);
}

function text(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

function asNode(value: unknown): Node {
  return isRecord(value) ? value : {};
}

function asList(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}
