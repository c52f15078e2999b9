/** A printer draws the events of one turn. One per form of output; each lives in its own file. */
import type { AgentEvent, TurnResult } from '../../contracts/turn.ts';
import type { CliContext } from '../context.ts';
import { createAnswerPrinter } from './answer.ts';
import { createFeedPrinter } from './feed.ts';
import { createJsonPrinter } from './json.ts';

/** `answer`: -z. `quiet`: -Q. `feed`: the default. `json`: one event a line. */
export type Form = 'answer' | 'quiet' | 'feed' | 'json';

export interface Printer {
  emit(event: AgentEvent): void;
  /** News for the person beside the output, such as a refused approval. */
  notice(text: string): void;
  end(result: TurnResult): void;
}

export interface PrintOptions {
  readonly verbose: boolean;
}

export type PrintContext = Pick<CliContext, 'stdout' | 'stderr' | 'env'>;

export function createPrinter(form: Form, ctx: PrintContext, options: PrintOptions): Printer {
  if (form === 'json') return createJsonPrinter(ctx);
  if (form === 'feed') return createFeedPrinter(ctx, options);
  return createAnswerPrinter(ctx, form);
}
