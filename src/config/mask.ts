/** Settings as they may be shown: secrets keep only their ends. */
import { isSecretName } from './env-names.ts';
import { isSecretPath } from './keys.ts';
import { isTree, type Path } from './tree.ts';

const SECRET_FIELD = /(?:^|_)(?:api_key|apikey|token|secret|password|password_hash|authorization|credentials?)$/i;

/** `sk-a…9f2c`; short ones are hidden whole. A bare `${NAME}` tells nothing and stays. */
export function maskSecret(value: string): string {
  if (value === '' || /^\$\{[^}]*\}$/.test(value)) return value;
  return value.length < 16 ? '••••••••' : `${value.slice(0, 4)}…${value.slice(-4)}`;
}

/** A copy with every secret below `path` masked. */
export function maskTree(value: unknown, path: Path = []): unknown {
  if (Array.isArray(value)) return value.map((item, i) => maskTree(item, [...path, String(i)]));
  if (isTree(value))
    return Object.fromEntries(Object.entries(value).map(([key, child]) => [key, maskTree(child, [...path, key])]));
  if ((typeof value === 'string' || typeof value === 'number') && isSecretPart(path)) return maskSecret(String(value));
  return value;
}

function isSecretPart(path: Path): boolean {
  const key = path.at(-1) ?? '';
  return (
    SECRET_FIELD.test(key) ||
    isSecretPath(path) ||
    // The variables and headers of a server are the usual place for its key.
    (['env', 'docker_env'].includes(path.at(-2) ?? '') && isSecretName(key)) ||
    (/headers$/.test(path.at(-2) ?? '') && !/^(?:accept|content-type|user-agent)$/i.test(key))
  );
}
