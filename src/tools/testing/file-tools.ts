/** File tools over a real temporary folder, called as a model would. */
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { FileDeps } from '../files/deps.ts';
import { createFileGuard } from '../files/guard.ts';
import { createFileLedger } from '../files/ledger.ts';
import { patchTool } from '../patch.ts';
import { readFileTool } from '../read-file.ts';
import { createToolRegistry, type ExecutedCall } from '../registry.ts';
import { type SearchDeps, searchFilesTool } from '../search-files.ts';
import { writeFileTool } from '../write-file.ts';
import { type TestContextOptions, testContext } from './context.ts';

export interface CalledTool extends ExecutedCall {
  /** The result's JSON. */
  readonly json: Record<string, unknown>;
}

export function fileTools(options: Partial<SearchDeps> & { readonly safeRoots?: readonly string[] } = {}) {
  const base = realpathSync(mkdtempSync(join(tmpdir(), 'file-tools-')));
  const [cwd, userHome, rootHome] = ['work', 'person', 'person/.hermes'].map((name) => join(base, name)) as [
    string,
    string,
    string,
  ];
  for (const folder of [cwd, rootHome]) mkdirSync(folder, { recursive: true });
  const { safeRoots = [], ...rest } = options;
  const deps: FileDeps = {
    guard: createFileGuard({ home: rootHome, rootHome, userHome, safeRoots }),
    ledger: createFileLedger(),
    userHome,
    redact: (text) => text,
    ...rest,
  };
  const registry = createToolRegistry({
    tools: [readFileTool(deps), writeFileTool(deps), patchTool(deps), searchFilesTool(deps)],
    spillDir: join(base, 'spill'),
    afterCall: deps.ledger.afterCall,
  });
  const at = (name: string) => join(cwd, name);
  return {
    cwd,
    userHome,
    rootHome,
    deps,
    at,
    put(name: string, content: string | Uint8Array): string {
      mkdirSync(dirname(at(name)), { recursive: true });
      writeFileSync(at(name), content);
      return at(name);
    },
    text: (name: string) => readFileSync(at(name), 'utf8'),
    bytes: (name: string) => readFileSync(at(name)),
    async call(name: string, args: Record<string, unknown>, more: TestContextOptions = {}): Promise<CalledTool> {
      const ctx = testContext({ cwd, ...more });
      const executed = await registry.execute(registry.prepare({ id: 'call_1', name, args }, ctx));
      const [block] = executed.result.content;
      return { ...executed, json: JSON.parse(block?.type === 'text' ? block.text : '{}') };
    },
  };
}
