import { AppError } from '../lib/errors.ts';

/** What the user typed cannot be carried out: ends with exit code 2. */
export function usageError(message: string, hint?: string): AppError {
  return new AppError('usage', message, { exitCode: 2, ...(hint === undefined ? {} : { hint }) });
}
