/** What a command line command is given: nothing of it reads `process` itself, so a test can run it whole. */
import type { Readable, Writable } from 'node:stream';

export interface CliContext {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
  /** `-p/--profile`, already taken out of the arguments. */
  readonly profile: string | undefined;
  readonly stdin: Readable & { readonly isTTY?: boolean };
  readonly stdout: Writable & { readonly isTTY?: boolean; readonly columns?: number };
  readonly stderr: Writable & { readonly isTTY?: boolean };
  /** Aborted by SIGINT or SIGTERM. */
  readonly signal: AbortSignal;
}

/** A sub-command; each lives in its own file and is imported only when called. Returns the exit code. */
export type CliCommand = (args: readonly string[], ctx: CliContext) => Promise<number>;
