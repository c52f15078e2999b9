/** What somebody typed on a command line, as the kind of value the setting takes. */
import type { KeySchema } from './keys.ts';
import { toBoolean } from './validate.ts';

/**
 * Text stays text for a setting that takes text; otherwise true/false words, numbers, `null` and JSON lists or maps are
 * recognised. A number too long to be exact stays text.
 */
export function coerceValue(text: string, schema: KeySchema): unknown {
  const kinds = kindsOf(schema);
  const trimmed = text.trim();
  if (kinds.has('string') && kinds.size === 1) return text;
  if (/^[[{]/.test(trimmed) && (kinds.size === 0 || kinds.has('array') || kinds.has('object'))) {
    const parsed = parseJson(trimmed);
    if (parsed !== undefined) return parsed;
  }
  if (kinds.size > 0 && !kinds.has('string') && kinds.has('array')) return splitList(trimmed);
  if (choices(schema).includes(text)) return text;
  if (trimmed === 'null' && (kinds.size === 0 || kinds.has('null'))) return null;
  const boolean = /^[01]$/.test(trimmed) ? undefined : toBoolean(trimmed);
  if (boolean !== undefined && (kinds.size === 0 || kinds.has('boolean'))) return boolean;
  if (kinds.size === 0 || kinds.has('integer') || kinds.has('number')) return toNumber(trimmed) ?? text;
  return text;
}

function splitList(text: string): string[] {
  return text === '' ? [] : text.split(',').map((part) => part.trim());
}

function toNumber(text: string): number | undefined {
  if (!/^[+-]?(\d+\.?\d*|\.\d+)$/.test(text) || /^[+-]?0\d/.test(text)) return undefined;
  const value = Number(text);
  return Number.isInteger(value) && !Number.isSafeInteger(value) ? undefined : value;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined; // then it is a text that happens to begin with a bracket
  }
}

/** Empty: anything. */
function kindsOf(schema: KeySchema): Set<string> {
  if (schema.anyOf) return new Set(schema.anyOf.flatMap((one) => [...kindsOf(one)]));
  if (schema.const !== undefined) return new Set([typeof schema.const]);
  return new Set(schema.type === undefined ? [] : [schema.type]);
}

function choices(schema: KeySchema): readonly unknown[] {
  return [...(schema.enum ?? []), ...(schema.anyOf ?? []).flatMap(choices)];
}
