/** `config set` and `config unset`: one value, in the right file, under a lock, leaving the rest alone. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { writeFileAtomic } from '../lib/atomic-file.ts';
import { AppError, errorCode } from '../lib/errors.ts';
import { withFileLock } from '../lib/file-lock.ts';
import { coerceValue } from './coerce.ts';
import { editEnvText, envValues } from './env-file.ts';
import { isSettingName } from './env-names.ts';
import { managedDir } from './environment.ts';
import { listCopies } from './good-copies.ts';
import type { Environment, Home } from './home.ts';
import { storageError } from './home-setup.ts';
import { joinKey, resolveKey } from './key-path.ts';
import { type KeySchema, lookUp } from './keys.ts';
import { modernise } from './legacy.ts';
import { readSource } from './source.ts';
import { getAt, isTree, leafPaths, type Path, type Tree, withAt } from './tree.ts';
import { validateConfig } from './validate.ts';
import { editYaml } from './yaml-edit.ts';
import { readYaml } from './yaml-text.ts';

export interface EditTarget {
  readonly home: Home;
  /** The process environment: names the administrator's folder. */
  readonly env: Environment;
  readonly signal?: AbortSignal;
}

export interface EditResult {
  /** Absolute path of the file that holds the setting. */
  readonly file: string;
  /** As written into the file. */
  readonly key: string;
  /** Undefined for one taken out; masked by whoever shows it. */
  readonly value: unknown;
  readonly changed: boolean;
}

/**
 * @param text as typed; converted to the kind the setting takes
 * @throws AppError, with nothing changed: `config-key` unknown (the nearest is named), `config-value` of the wrong
 *   kind, `config-pinned`, `config-broken`, `config-shape`, `lock-timeout`
 */
export function setConfig(target: EditTarget, key: string, text: string): Promise<EditResult> {
  const variable = variableName(key);
  if (variable) return setVariable(target, variable, text);
  return editFile(target, key, (path, schema, root) => {
    const value = coerceValue(text, schema);
    checkValue(path, value, root);
    return value;
  });
}

/** Takes a setting out, so that its default is in force again. @throws AppError as `setConfig` */
export function unsetConfig(target: EditTarget, key: string): Promise<EditResult> {
  const variable = variableName(key);
  if (variable) return setVariable(target, variable, undefined);
  return editFile(target, key, () => undefined, { allowUnknown: true });
}

/** The variable that a bare name means: `OPENROUTER_API_KEY`, in either case. */
export function variableName(key: string): string | undefined {
  const name = key.toUpperCase();
  if (!/^[A-Z_][A-Z0-9_]*$/.test(name) || lookUp([key]).known) return undefined;
  return isSettingName(name) || /_(?:API_KEY|TOKEN|SECRET|PASSWORD)$/.test(name) ? name : undefined;
}

async function setVariable({ home, env, signal }: EditTarget, name: string, value: string | undefined) {
  const managedFile = join(managedDir(env), '.env');
  if (envValues(readSource(managedFile).text ?? '').get(name)) throw pinnedError(name, managedFile);
  const file = home.path('.env');
  const changed = await rewrite(home, file, signal, (text) => editEnvText(text, name, value));
  return { file, key: name, value, changed };
}

type Decide = (path: Path, schema: KeySchema, root: Tree) => unknown;

async function editFile(
  { home, env, signal }: EditTarget,
  key: string,
  decide: Decide,
  options: { allowUnknown?: boolean } = {},
): Promise<EditResult> {
  const file = home.path('config.yaml');
  let path: Path = [];
  let value: unknown;
  const changed = await rewrite(home, file, signal, async (text) => {
    const root = await parse(home, file, text);
    path = whereItBelongs(key, root);
    const schema = knownSchema(key, path, root, options.allowUnknown ?? false);
    checkPinned(path, env);
    checkShadow(path, root);
    value = decide(path, schema, root);
    // `model: name` is short for a map and becomes one when it gets a second entry.
    const shortModel = path[0] === 'model' && path.length > 1 && typeof root.model === 'string' && value !== undefined;
    const ready = shortModel ? editYaml(text, ['model'], { default: root.model }) : text;
    const [place, content] = value === undefined ? [path, value] : startList(path, value, root);
    return editYaml(ready, place, content);
  });
  return { file, key: joinKey(path), value, changed };
}

/** Re-reads under the lock, so that what another process just wrote is kept. */
async function rewrite(
  home: Home,
  file: string,
  signal: AbortSignal | undefined,
  change: (text: string) => string | Promise<string>,
): Promise<boolean> {
  const work = withFileLock(
    file,
    async () => {
      const bytes = await readFile(file).catch((error: unknown) => {
        if (errorCode(error) === 'ENOENT') return Buffer.alloc(0);
        throw error;
      });
      const before = decode(home, file, bytes);
      const after = await change(before);
      if (after === before) return false;
      await writeFileAtomic(file, after, { mode: 0o600 });
      return true;
    },
    { signal },
  );
  return work.catch((error: unknown) => {
    throw signal?.aborted || errorCode(error) === undefined ? error : storageError(home, error);
  });
}

/** Keeps a byte order mark, and never writes back what it could not read. */
function decode(home: Home, file: string, bytes: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch (error) {
    throw new AppError('config-broken', `${home.display(file)} is not UTF-8 text; nothing was changed.`, {
      hint: 'Save it as UTF-8 first.',
      cause: error,
    });
  }
}

async function parse(home: Home, file: string, text: string): Promise<Tree> {
  const parsed = readYaml(text);
  const copy = (await listCopies(home, 'good')).at(-1);
  if (parsed.ok && text === '' && copy !== undefined)
    throw new AppError('config-broken', `${home.display(file)} is empty although it once held settings.`, {
      hint: `Bring them back: cp ${home.display(copy)} ${home.display(file)}`,
    });
  if (parsed.ok) return parsed.value;
  const { line, column, reason } = parsed.fault;
  throw new AppError(
    'config-broken',
    `${home.display(file)} cannot be read, line ${line}, column ${column}: ${reason}; nothing was changed.`,
    { hint: 'Mend it first: hermes config edit.' },
  );
}

/** A display setting of a platform has its place under `display.platforms`; a bare model id is its default. */
function whereItBelongs(key: string, root: Tree): Path {
  const path = resolveKey(key, root);
  if (path.join('.') === 'model' && isTree(root.model)) return ['model', 'default'];
  const [first, platform, name] = path;
  if (first === 'platforms' && platform && name && path.length === 3 && lookUp(['display', name]).known)
    if (!lookUp(['platforms', platform, name]).known) return ['display', 'platforms', platform, name];
  return path;
}

function knownSchema(key: string, path: Path, root: Tree, allowUnknown: boolean): KeySchema {
  if (path.join('.') === 'model') return { type: 'string' };
  const found = lookUp(path);
  if (found.known) return found.schema;
  // What a newer version or a plugin has written there may be changed and taken out.
  if (getAt(root, path) !== undefined && (allowUnknown || !isTree(getAt(root, path)))) return {};
  const near = found.near ? `Did you mean ${found.near}? ` : '';
  throw new AppError('config-key', `There is no setting "${key}"; nothing was changed.`, {
    hint: `${near}\`hermes config show --all\` lists every setting.`,
  });
}

function checkValue(path: Path, value: unknown, root: Tree): void {
  const base =
    path[0] === 'model' && typeof root.model === 'string' ? { ...root, model: { default: root.model } } : root;
  const changed = modernise(withAt(base, ...startList(path, value, root)) as Tree);
  const name = joinKey(path);
  const fault = validateConfig(changed).faults.find(({ path: at }) => {
    const place = joinKey(at);
    return place === name || place.startsWith(`${name}.`) || name.startsWith(`${place}.`);
  });
  if (!fault || fault.value === getAt(root, fault.path)) return;
  if (typeof fault.value === 'string' && fault.value.includes('${')) return; // judged when it is filled in
  throw new AppError(
    'config-value',
    `${name} must be ${fault.expected}, not ${JSON.stringify(fault.value)}; nothing was changed.`,
    {
      hint: fault.default === undefined ? '' : `Its default is ${JSON.stringify(fault.default)}.`,
    },
  );
}

function checkPinned(path: Path, env: Environment): void {
  const file = join(managedDir(env), 'config.yaml');
  const { text, fault } = readSource(file);
  const parsed = text === undefined || fault ? undefined : readYaml(text);
  if (!parsed?.ok) return;
  const name = joinKey(path);
  const pinned = leafPaths(modernise(parsed.value)).map(joinKey);
  if (pinned.some((at) => at === name || at.startsWith(`${name}.`) || name.startsWith(`${at}.`)))
    throw pinnedError(name, file);
}

function pinnedError(name: string, file: string): AppError {
  return new AppError('config-pinned', `${name} is fixed by ${file}; nothing was changed.`, {
    hint: 'Ask whoever administers this machine.',
  });
}

/** The first entry of a list that is not there yet brings the list. */
function startList(path: Path, value: unknown, root: Tree): [Path, unknown] {
  for (let i = 1; i < path.length; i++) {
    const above = path.slice(0, i);
    const found = lookUp(above);
    if (!found.known || found.schema.type !== 'array' || Array.isArray(getAt(root, above))) continue;
    if (path[i] === '0') return [above, [withAt(undefined, path.slice(i + 1), value)]];
  }
  return [path, value];
}

/** `a.b` beside a key that is itself called `a.b` would make two settings that look alike. */
function checkShadow(path: Path, root: Tree): void {
  for (let depth = 0; depth < path.length - 1; depth++) {
    const parent = getAt(root, path.slice(0, depth));
    if (!isTree(parent)) return;
    const rest = path.slice(depth).join('.');
    const rival = Object.keys(parent).find(
      (name) => name.includes('.') && (name === rest || rest.startsWith(`${name}.`) || name.startsWith(`${rest}.`)),
    );
    if (rival === undefined || rival === path[depth]) continue;
    throw new AppError(
      'config-shape',
      `${joinKey(path)} would stand beside the key "${rival}", which looks the same.`,
      {
        hint: `Write its dots as \\. to mean that key: ${joinKey([...path.slice(0, depth), rival])}`,
      },
    );
  }
}
