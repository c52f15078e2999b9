/** What a command line command is given: nothing of it reads `process` itself, so a test can run it whole. */
import type { Readable, Writable } from 'node:stream';
import type { ReasoningEffort } from '../model/client.ts';
import type { ModelSelection } from '../model/models.ts';

/** What standard input is connected to; `none` is the null device. */
export type InputKind = 'terminal' | 'none' | 'file' | 'pipe' | 'socket';

export interface CliContext {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
  /** `-p/--profile`, already taken out of the arguments. */
  readonly profile: string | undefined;
  readonly stdin: Readable & { readonly isTTY?: boolean };
  readonly stdout: Writable & { readonly isTTY?: boolean; readonly columns?: number };
  readonly stderr: Writable & { readonly isTTY?: boolean };
  /** Known without opening `stdin`, which costs milliseconds. Judged by `stdin.isTTY` when absent. */
  readonly inputKind?: InputKind;
  /** Aborted by SIGINT or SIGTERM, and when nobody reads the output any more. */
  readonly signal: AbortSignal;
  /** The full-screen door; absent where none can open. Resolves with the exit code. */
  readonly openInteractive?: (options: InteractiveOptions, ctx: CliContext) => Promise<number>;
}

/** What the flags of `hermes` ask of an interactive conversation. */
export interface InteractiveOptions {
  /** Absolute path. */
  readonly cwd: string;
  readonly selection?: ModelSelection;
  /** A session to go on with: id, prefix, title or `latest`. */
  readonly resume?: string;
  readonly restoreCwd: boolean;
  readonly toolsets?: readonly string[];
  readonly maxTurns?: number;
  readonly reasoning?: ReasoningEffort;
  readonly yolo?: boolean;
  readonly ignoreRules?: boolean;
  readonly ignoreUserConfig?: boolean;
}

/** A sub-command; each lives in its own file and is imported only when called. Returns the exit code. */
export type CliCommand = (args: readonly string[], ctx: CliContext) => Promise<number>;

export function inputKind(ctx: CliContext): InputKind {
  return ctx.inputKind ?? (ctx.stdin.isTTY ? 'terminal' : 'pipe');
}
