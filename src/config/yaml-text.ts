/** From the text of a settings file to plain values, or to where and why it cannot be read. */
import { isMap, parseDocument } from 'yaml';
import { errorText } from '../lib/errors.ts';
import type { Tree } from './tree.ts';

export interface YamlFault {
  /** 1-based. */
  readonly line: number;
  readonly column: number;
  readonly reason: string;
}

export type YamlText =
  | { readonly ok: true; readonly value: Tree; readonly warnings: readonly string[] }
  | { readonly ok: false; readonly fault: YamlFault };

/** How every reader and writer of settings parses, so that positions and values agree. */
export const YAML_OPTIONS = { intAsBigInt: true, merge: true, uniqueKeys: false, prettyErrors: true } as const;

/**
 * An empty file is an empty map. A key written twice counts once, as its last, with a warning. Numbers too large to
 * be exact (chat ids) become text.
 */
export function readYaml(text: string): YamlText {
  const document = parseDocument(text, YAML_OPTIONS);
  const error = document.errors[0];
  if (error) return { ok: false, fault: { ...at(error.linePos?.[0]), reason: firstLine(error.message) } };
  if (document.contents !== null && !isMap(document.contents) && document.toJS() !== null)
    return { ok: false, fault: { line: 1, column: 1, reason: 'settings must be `name: value` lines' } };
  try {
    return { ok: true, value: (plain(document.toJS()) ?? {}) as Tree, warnings: duplicates(text) };
  } catch (thrown) {
    return { ok: false, fault: { line: 1, column: 1, reason: errorText(thrown) } };
  }
}

function duplicates(text: string): string[] {
  return parseDocument(text, { ...YAML_OPTIONS, uniqueKeys: true })
    .errors.filter((error) => error.code === 'DUPLICATE_KEY')
    .map((error) => `line ${error.linePos?.[0].line}: this key stands here for the second time; the last one counts.`);
}

function at(position: { line: number; col: number } | undefined): { line: number; column: number } {
  return { line: position?.line ?? 1, column: position?.col ?? 1 };
}

function firstLine(message: string): string {
  return (message.split('\n')[0] ?? '').replace(/ at line \d+, column \d+:?$/, '');
}

/** Also what JSON cannot hold: infinite numbers are kept as written. */
function plain(value: unknown): unknown {
  if (typeof value === 'bigint') return Number.isSafeInteger(Number(value)) ? Number(value) : String(value);
  if (typeof value === 'number' && !Number.isFinite(value)) return String(value);
  if (Array.isArray(value)) return value.map(plain);
  if (value instanceof Date) return value.toISOString();
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, child]) => [key, plain(child)]));
}
