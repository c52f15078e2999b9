/** The forms for scripts: `-z` and `-Q` print the final text and nothing else on standard output. */

import { troubleOf } from './error-line.ts';
import type { PrintContext, Printer } from './printer.ts';
import { visible } from './visible.ts';

export function createAnswerPrinter(ctx: PrintContext, form: 'answer' | 'quiet'): Printer {
  const quiet = form === 'quiet';
  let began = false;
  return {
    emit(event) {
      began ||= event.type === 'turn_start';
      if (!quiet) return;
      if (event.type === 'status' && event.kind === 'warning') ctx.stderr.write(`hermes: ${event.text}\n`);
      if (event.type === 'turn_start' && event.provider === 'demo')
        ctx.stderr.write('hermes: this is the demo model; set up a real one with `hermes setup`.\n');
    },
    notice(text) {
      if (quiet) ctx.stderr.write(`hermes: ${text}\n`);
    },
    end(result) {
      if (result.text.trim() !== '') {
        const text = ctx.stdout.isTTY ? visible(result.text) : result.text;
        ctx.stdout.write(text.endsWith('\n') ? text : `${text}\n`);
      }
      const trouble = troubleOf(result);
      if (trouble !== undefined) ctx.stderr.write(`hermes: ${trouble}\n`);
      if (quiet && began) ctx.stderr.write(`session_id: ${result.sessionId}\n`);
    },
  };
}
