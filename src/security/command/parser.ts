/** The shell grammar, loaded on first use (some 40 ms) and kept. */
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Node, Parser } from 'web-tree-sitter';
import { AppError } from '../../lib/errors.ts';

export type { Node };

/** @returns undefined when the grammar gives up */
export type ParseShell = (source: string) => Node | undefined;

let loading: Promise<ParseShell> | undefined;

/** May be called early, so that the first real command does not wait. */
export function loadShellParser(): Promise<ParseShell> {
  loading ??= load().catch((error: unknown) => {
    loading = undefined; // the next command tries again
    throw error;
  });
  return loading;
}

async function load(): Promise<ParseShell> {
  const { Language, Parser } = await import('web-tree-sitter');
  await Parser.init({ locateFile: () => wasmFile('web-tree-sitter') });
  const parser: Parser = new Parser();
  parser.setLanguage(await Language.load(wasmFile('tree-sitter-bash')));
  return (source) => parser.parse(source)?.rootNode;
}

/** Beside the bundle, or above its chunks; in `node_modules` when the sources run. */
function wasmFile(name: 'web-tree-sitter' | 'tree-sitter-bash'): string {
  const here = dirname(fileURLToPath(import.meta.url));
  for (const folder of [here, dirname(here)]) {
    const file = join(folder, `${name}.wasm`);
    if (existsSync(file)) return file;
  }
  try {
    return createRequire(import.meta.url).resolve(`${name}/${name}.wasm`);
  } catch (cause) {
    throw new AppError('install-broken', `The file ${name}.wasm is missing from the installation.`, {
      hint: 'Install Hermes again.',
      cause,
    });
  }
}
