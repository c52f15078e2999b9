/** Numbered steps that bring a settings file to today's spelling, comments kept. */
import { readFile } from 'node:fs/promises';
import { writeFileAtomic } from '../lib/atomic-file.ts';
import { AppError, errorCode } from '../lib/errors.ts';
import { withFileLock } from '../lib/file-lock.ts';
import { keepCopy } from './good-copies.ts';
import type { Home } from './home.ts';
import { joinKey } from './key-path.ts';
import { RENAMES } from './legacy.ts';
import { getAt, isTree, type Path, type Tree } from './tree.ts';
import { editYaml } from './yaml-edit.ts';
import { readYaml } from './yaml-text.ts';

interface Migration {
  /** The version a file has after this step. */
  readonly version: number;
  readonly moves: (tree: Tree) => readonly Move[];
}

interface Move {
  readonly from: Path;
  readonly to: Path;
  readonly value: unknown;
}

/** Files of the original product count up to 50; ours go on from there. */
const MIGRATIONS: readonly Migration[] = [
  { version: 50, moves: (tree) => [...renames(tree), ...progress(tree), ...speech(tree)] },
];

export const CONFIG_VERSION = MIGRATIONS.at(-1)?.version ?? 0;

export interface MigrationPlan {
  readonly from: number | undefined;
  readonly to: number;
  /** One line each: `compression.summary_model → auxiliary.compression.model`. */
  readonly steps: readonly string[];
  readonly text: string;
}

/** What would be done to a text; `text` is the result. A file from a newer version is left as it is. */
export function planMigration(text: string): MigrationPlan {
  const version = versionOf(text);
  const steps: string[] = [];
  let result = text;
  for (const migration of MIGRATIONS) {
    if (version !== undefined && version > migration.version) continue;
    for (const move of migration.moves(treeOf(result))) {
      const taken = getAt(treeOf(result), move.to) !== undefined;
      if (!taken) result = editYaml(result, move.to, move.value);
      result = editYaml(result, move.from, undefined);
      steps.push(`${joinKey(move.from)} → ${taken ? 'removed, the newer spelling is set too' : joinKey(move.to)}`);
    }
  }
  const behind = version === undefined ? steps.length > 0 : version < CONFIG_VERSION;
  if (behind) result = editYaml(result, ['_config_version'], CONFIG_VERSION);
  return { from: version, to: Math.max(version ?? 0, CONFIG_VERSION), steps, text: result };
}

/** Writes the plan, keeping a copy of the file before. @throws AppError `config-broken` */
export async function migrateConfig(home: Home, signal?: AbortSignal): Promise<MigrationPlan> {
  const file = home.path('config.yaml');
  return withFileLock(
    file,
    async () => {
      const text = await readFile(file, 'utf8').catch((error: unknown) => {
        if (errorCode(error) === 'ENOENT') return '';
        throw error;
      });
      const plan = planMigration(text);
      if (plan.text === text) return plan;
      await keepCopy(home, text, 'migrate');
      await writeFileAtomic(file, plan.text, { mode: 0o600 });
      return plan;
    },
    { signal },
  );
}

function renames(tree: Tree): Move[] {
  return RENAMES.flatMap(({ from, to }) => {
    const value = getAt(tree, from);
    return value === undefined ? [] : [{ from, to, value }];
  });
}

function progress(tree: Tree): Move[] {
  const from = ['display', 'tool_progress_overrides'];
  const old = getAt(tree, from);
  if (!isTree(old)) return [];
  return Object.entries(old).map(([platform, value]) => ({
    from: [...from, platform],
    to: ['display', 'platforms', platform, 'tool_progress'],
    value,
  }));
}

function speech(tree: Tree): Move[] {
  const value = getAt(tree, ['stt', 'model']);
  const provider = getAt(tree, ['stt', 'provider']);
  if (value === undefined) return [];
  return [
    {
      from: ['stt', 'model'],
      to: ['stt', typeof provider === 'string' && provider ? provider : 'local', 'model'],
      value,
    },
  ];
}

function versionOf(text: string): number | undefined {
  const version = treeOf(text)._config_version;
  return typeof version === 'number' ? version : undefined;
}

function treeOf(text: string): Tree {
  const parsed = readYaml(text);
  if (parsed.ok) return parsed.value;
  const { line, column, reason } = parsed.fault;
  throw new AppError('config-broken', `config.yaml cannot be read, line ${line}, column ${column}: ${reason}.`, {
    hint: 'Mend it first: hermes config edit.',
  });
}
