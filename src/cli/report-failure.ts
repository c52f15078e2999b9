/** The last word on a failure: one sentence for the person, the stack for the log. */
import { AppError, describeError, errorText } from '../lib/errors.ts';
import type { CliContext } from './context.ts';

export interface FailureSurroundings extends Pick<CliContext, 'env' | 'profile'> {
  readonly stderr: Pick<CliContext['stderr'], 'write'>;
}

/** Never throws. Returns the exit code. */
export async function reportFailure(error: unknown, around: FailureSurroundings): Promise<number> {
  if (error instanceof AppError) {
    around.stderr.write(`hermes: ${oneLine(describeError(error))}\n`);
    return error.exitCode;
  }
  const file = await record(error, around);
  const where = file === undefined ? '' : ` The details are in ${file}.`;
  around.stderr.write(`hermes: Something went wrong inside Hermes: ${sentence(errorText(error))}${where}\n`);
  return 1;
}

async function record(error: unknown, around: FailureSurroundings): Promise<string | undefined> {
  try {
    const { openLog } = await import('./open-log.ts');
    const log = openLog(around);
    log.error('cli', error instanceof Error ? (error.stack ?? error.message) : String(error));
    return log.shownPath('errors.log');
  } catch {
    return undefined; // a home that cannot be found or written must not hide the failure itself
  }
}

function oneLine(text: string): string {
  return text.replace(/\s*\n\s*/g, ' ').trim();
}

function sentence(text: string): string {
  const line = oneLine(text).slice(0, 300);
  return /[.!?]$/.test(line) ? line : `${line}.`;
}
