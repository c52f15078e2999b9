/**
 * The one error class of the house. `message` is one sentence for a person: what is wrong and where;
 * `hint` is the command or step that mends it. Branch on `code`, never on text.
 */
export class AppError extends Error {
  override readonly name = 'AppError';
  readonly code: string;
  readonly hint: string | undefined;
  /** Exit code a command line door ends with: 1 runtime failure, 2 usage error. */
  readonly exitCode: number;

  constructor(code: string, message: string, options: { hint?: string; exitCode?: number; cause?: unknown } = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.code = code;
    this.hint = options.hint;
    this.exitCode = options.exitCode ?? 1;
  }
}

/** The text of whatever was thrown, without a stack. */
export function errorText(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** `message` and `hint` as a door prints them. */
export function describeError(error: unknown): string {
  if (!(error instanceof AppError) || error.hint === undefined) return errorText(error);
  return `${error.message} ${error.hint}`;
}

/** The `code` of a system or application error, if it has one (`ENOENT`, `session-busy`). */
export function errorCode(error: unknown): string | undefined {
  if (typeof error !== 'object' || error === null || !('code' in error)) return undefined;
  return typeof error.code === 'string' ? error.code : undefined;
}
