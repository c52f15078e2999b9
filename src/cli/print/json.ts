/** Every event as one line of JSON; the last line is `turn_end`, or `error` when no turn came about. */
import { AppError, errorText } from '../../lib/errors.ts';
import type { PrintContext, Printer } from './printer.ts';

export function createJsonPrinter(ctx: Pick<PrintContext, 'stdout'>): Printer {
  let ended = false;
  const line = (value: object) => ctx.stdout.write(`${JSON.stringify(value)}\n`);
  return {
    emit(event) {
      if (event.type === 'turn_end') ended = true;
      line(event);
    },
    notice(text) {
      line({ type: 'status', kind: 'warning', text });
    },
    end(result) {
      if (!ended) line({ type: 'turn_end', result });
    },
  };
}

export function jsonFailure(error: unknown): string {
  const known = error instanceof AppError ? { code: error.code, hint: error.hint } : { code: 'internal' };
  return `${JSON.stringify({ type: 'error', ...known, message: errorText(error) })}\n`;
}
