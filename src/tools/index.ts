/** All built-in tools: one line each. */
import type { MemoryTarget, PromptMemory } from '../memory/prompt-memory.ts';
import type { SessionStore } from '../state/session-store.ts';
import { clarifyTool } from './clarify.ts';
import type { FileDeps } from './files/deps.ts';
import { memoryTool } from './memory.ts';
import { patchTool } from './patch.ts';
import { readFileTool } from './read-file.ts';
import { searchFilesTool } from './search-files.ts';
import { sessionSearchTool } from './session-search.ts';
import { type TodoState, todoTool } from './todo.ts';
import type { Tool } from './tool.ts';
import { writeFileTool } from './write-file.ts';

export interface BuiltinDeps {
  readonly files: FileDeps;
  readonly memory: PromptMemory;
  /** Notes stores that are switched on. */
  readonly memoryTargets: readonly MemoryTarget[];
  readonly store: SessionStore;
  readonly todo: TodoState;
  /** IANA zone of the times shown. */
  readonly timeZone?: string;
}

export function createBuiltinTools({
  files,
  memory,
  memoryTargets,
  store,
  todo,
  timeZone,
}: BuiltinDeps): readonly Tool[] {
  return [
    readFileTool(files),
    writeFileTool(files),
    patchTool(files),
    searchFilesTool(files),
    todoTool(todo),
    clarifyTool(),
    memoryTool({ memory, targets: memoryTargets }),
    sessionSearchTool({ store, ...(timeZone !== undefined && { timeZone }) }),
  ];
}
