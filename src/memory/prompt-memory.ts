/** MEMORY.md and USER.md: bounded notes that go into the prompt as a snapshot frozen at session start. */

export type MemoryTarget = 'memory' | 'user';

export type MemoryOperation =
  | { readonly action: 'add'; readonly content: string }
  | { readonly action: 'replace'; readonly oldText: string; readonly content: string }
  | { readonly action: 'remove'; readonly oldText: string };

export interface MemoryUsage {
  /** Characters, delimiters included. */
  readonly used: number;
  readonly limit: number;
}

export type MemoryWrite =
  | { readonly ok: true; readonly usage: MemoryUsage; readonly entryCount: number; readonly message: string }
  | {
      readonly ok: false;
      /** `over-limit`, `no-match`, `ambiguous`, `threat`, `drift`, `invalid`. */
      readonly code: string;
      /** One sentence that tells the model what to do. */
      readonly message: string;
      readonly usage: MemoryUsage;
      /** Present when the model needs them to go on; passed through the same scan as the snapshot. */
      readonly entries?: readonly string[];
      /** Absolute path of the copy that was made of a file with drift. */
      readonly backup?: string;
    };

export interface MemoryEntries {
  /** As they stand in the file, for a person. */
  readonly entries: readonly string[];
  /** As a model may see them: those that read like an attack are withheld. */
  readonly screened: readonly string[];
  readonly usage: MemoryUsage;
}

export interface PromptMemory {
  /** The blocks for the system prompt, '' when there is nothing. Reads disk once per call. */
  snapshot(): Promise<string>;
  entries(target: MemoryTarget): Promise<MemoryEntries>;
  /** All or nothing, atomic on disk under a lock shared by processes. */
  write(target: MemoryTarget, operations: readonly MemoryOperation[]): Promise<MemoryWrite>;
}
