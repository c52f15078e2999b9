/** A setting's name as people write it: `agent.max_turns`, `fallback_providers[0].model`, `models.gpt-4\.1`. */
import { AppError } from '../lib/errors.ts';
import { isTree, type Path } from './tree.ts';

/**
 * Splits at dots and brackets; a backslash keeps a dot inside a key.
 * @throws AppError `config-key` for an empty part
 */
export function splitKey(key: string): string[] {
  const parts: string[] = [''];
  for (let i = 0; i < key.length; i++) {
    const char = key[i] ?? '';
    const index = /^\[(\d+)\](?=[.[]|$)/.exec(key.slice(i));
    if (char === '\\' && (key[i + 1] === '.' || key[i + 1] === '\\')) parts.push((parts.pop() ?? '') + key[++i]);
    else if (char === '.') parts.push('');
    else if (index?.[1] !== undefined && parts.at(-1) !== '') {
      parts.push(index[1]);
      i += index[0].length - 1;
    } else parts.push((parts.pop() ?? '') + char);
  }
  if (parts.includes(''))
    throw new AppError('config-key', `"${key}" is not the name of a setting.`, {
      hint: 'Names look like agent.max_turns; `hermes config show` lists them.',
    });
  return parts;
}

/** The opposite of `splitKey`. */
export function joinKey(path: Path): string {
  return path.map((part) => part.replace(/[\\.]/g, '\\$&')).join('.');
}

/**
 * The path that a key means in a file: where the file has a key that itself contains dots, that key wins over
 * splitting.
 */
export function resolveKey(key: string, root: unknown): string[] {
  const parts = splitKey(key);
  const path: string[] = [];
  let at = root;
  let i = 0;
  while (i < parts.length) {
    let taken = 1;
    if (isTree(at)) {
      for (let n = parts.length - i; n > 1; n--) {
        if (!Object.hasOwn(at, parts.slice(i, i + n).join('.'))) continue;
        taken = n;
        break;
      }
    }
    const part = parts.slice(i, i + taken).join('.');
    path.push(part);
    at = isTree(at) || Array.isArray(at) ? (at as Record<string, unknown>)[part] : undefined;
    i += taken;
  }
  return path;
}
