/**
 * What a model sent, brought to the types that the schema asks for. Models quote numbers, send lists as JSON text
 * and `null` for "not given"; none of that is worth a round trip.
 */

import { isRecord } from '../lib/record.ts';
import type { JsonSchema } from './parameters.ts';

export type Checked =
  | { readonly ok: true; readonly value: Record<string, unknown> }
  | { readonly ok: false; readonly issues: readonly string[] };

/** Never throws. Arguments that the schema does not name are dropped, and named when something is amiss. */
export function checkArguments(schema: JsonSchema, raw: Readonly<Record<string, unknown>>): Checked {
  const issues: string[] = [];
  const value = walk(schema, raw, '', issues);
  if (issues.length === 0) return { ok: true, value: value as Record<string, unknown> }; // type object, no issue
  const known = Object.keys(asSchema(schema.properties) ?? {});
  const unknown = Object.keys(raw).filter((key) => !known.includes(key));
  if (unknown.length > 0) issues.push(`not known: ${unknown.join(', ')} (known: ${known.join(', ')})`);
  return { ok: false, issues };
}

function walk(schema: JsonSchema, raw: unknown, path: string, issues: string[]): unknown {
  if (Array.isArray(schema.anyOf)) return walkAny(schema.anyOf.map(asSchema), raw, path, issues);
  const value = coerce(schema, raw);
  const problem = mismatch(schema, value);
  if (problem !== undefined) {
    issues.push(`${path === '' ? 'arguments' : path}: ${problem}`);
    return value;
  }
  if (Array.isArray(value)) {
    const items = asSchema(schema.items);
    return items === undefined ? value : value.map((item, index) => walk(items, item, `${path}[${index}]`, issues));
  }
  return isRecord(value) ? walkObject(schema, value, path, issues) : value;
}

function walkAny(options: readonly (JsonSchema | undefined)[], raw: unknown, path: string, issues: string[]): unknown {
  let first: string[] | undefined;
  for (const option of options) {
    if (option === undefined) continue;
    const own: string[] = [];
    const value = walk(option, raw, path, own);
    if (own.length === 0) return value;
    first ??= own;
  }
  issues.push(...(first ?? []));
  return raw;
}

function walkObject(schema: JsonSchema, value: Record<string, unknown>, path: string, issues: string[]): unknown {
  const properties = asSchema(schema.properties);
  if (properties === undefined) return value;
  const required = Array.isArray(schema.required) ? schema.required : [];
  const result: Record<string, unknown> = {};
  for (const [key, property] of Object.entries(properties)) {
    const at = path === '' ? key : `${path}.${key}`;
    const given = Object.hasOwn(value, key) ? value[key] : undefined;
    if (given === undefined || (given === null && !allowsNull(property))) {
      if (required.includes(key)) issues.push(`${at} is required`);
      continue;
    }
    result[key] = walk(asSchema(property) ?? {}, given, at, issues);
  }
  if (isRecord(schema.additionalProperties)) {
    for (const key of Object.keys(value)) if (!Object.hasOwn(properties, key)) result[key] = value[key];
  }
  return result;
}

function coerce(schema: JsonSchema, value: unknown): unknown {
  const { type } = schema;
  if (typeof value === 'string') return coerceText(schema, value);
  if (type === 'string' && (typeof value === 'number' || typeof value === 'boolean')) return String(value);
  if (type === 'array' && !Array.isArray(value) && mismatch(asSchema(schema.items) ?? {}, value) === undefined) {
    return [value];
  }
  return value;
}

function coerceText(schema: JsonSchema, value: string): unknown {
  const trimmed = value.trim();
  switch (schema.type) {
    case 'integer':
    case 'number':
      return trimmed !== '' && Number.isFinite(Number(trimmed)) ? Number(trimmed) : value;
    case 'boolean':
      if (/^(true|yes|on|1)$/i.test(trimmed)) return true;
      return /^(false|no|off|0)$/i.test(trimmed) ? false : value;
    case 'string':
      return matchEnum(schema.enum, value);
    case 'object':
      return parsedAs(trimmed, isRecord) ?? value;
    case 'array': {
      const parsed = parsedAs(trimmed, Array.isArray);
      if (parsed !== undefined) return parsed;
      return asSchema(schema.items)?.type === 'string' ? [value] : value;
    }
    default:
      return value;
  }
}

function matchEnum(allowed: unknown, value: string): string {
  if (!Array.isArray(allowed) || allowed.includes(value)) return value;
  const wanted = value.trim().toLowerCase();
  return allowed.find((option) => typeof option === 'string' && option.toLowerCase() === wanted) ?? value;
}

function parsedAs(text: string, is: (value: unknown) => boolean): unknown {
  try {
    const value: unknown = JSON.parse(text);
    return is(value) ? value : undefined;
  } catch {
    return undefined; // not JSON: the caller reports the mismatch
  }
}

function mismatch(schema: JsonSchema, value: unknown): string | undefined {
  const { type } = schema;
  if (Array.isArray(schema.enum) && !schema.enum.includes(value)) {
    return `must be one of ${schema.enum.join(', ')}`;
  }
  if (typeof type !== 'string' || fits(type, value)) return undefined;
  return `must be ${/^[aeiou]/.test(type) ? 'an' : 'a'} ${type}, not ${kindOf(value)}`;
}

function fits(type: string, value: unknown): boolean {
  if (type === 'integer') return Number.isInteger(value);
  if (type === 'number') return typeof value === 'number';
  if (type === 'string') return typeof value === 'string';
  if (type === 'boolean') return typeof value === 'boolean';
  if (type === 'array') return Array.isArray(value);
  if (type === 'object') return isRecord(value);
  return type !== 'null' || value === null;
}

function kindOf(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'a list';
  return typeof value === 'object' ? 'an object' : `${typeof value} ${JSON.stringify(value)?.slice(0, 60)}`;
}

function allowsNull(schema: unknown): boolean {
  const at = asSchema(schema);
  if (at === undefined) return false;
  return at.type === 'null' || (Array.isArray(at.anyOf) && at.anyOf.some(allowsNull));
}

function asSchema(value: unknown): JsonSchema | undefined {
  return isRecord(value) ? value : undefined;
}
