/** Where commands run. One folder entry per backend (local; later container, SSH ...). */

export interface ExecOptions {
  /** Absolute. */
  readonly cwd: string;
  /** The whole environment of the child: nothing is inherited beside it. */
  readonly env: Readonly<Record<string, string>>;
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
  /** Decoded text, never cut inside a character. */
  onOutput(text: string): void;
}

export interface ExecResult {
  /** 124 after a time-out, 130 after an abort. */
  readonly exitCode: number;
  readonly timedOut: boolean;
  readonly aborted: boolean;
  /** Physical working directory after the command. */
  readonly cwd: string;
}

export type ProcessState = 'running' | 'exited' | 'killed';

export interface BackgroundProcess {
  /** `proc_<12 hex>` */
  readonly id: string;
  readonly pid: number;
  readonly command: string;
  readonly startedAt: number;
}

export interface ExecutionBackend {
  readonly id: string;
  /**
   * Runs one command of a session; exported variables, functions and the working directory carry over to its
   * next one. Resolves when the process exits, not when its output closes (a background child may hold that).
   * After time-out or abort the whole process group is gone.
   */
  exec(sessionId: string, command: string, options: ExecOptions): Promise<ExecResult>;
  /** Ends every process group it started. */
  dispose(): Promise<void>;
}
