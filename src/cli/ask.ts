/** Questions of a one-turn run: asked on a terminal, otherwise answered at once with the policy, which is no. */
import type { AnswerTo, Question, TurnIO } from '../contracts/turn.ts';
import type { CliContext } from './context.ts';

export interface AskOptions {
  readonly interactive: boolean;
  notice(text: string): void;
}

export function createAsk(ctx: CliContext, options: AskOptions): TurnIO['ask'] {
  let queue: Promise<unknown> = Promise.resolve();
  return <Q extends Question>(question: Q) => {
    const answer = queue.then(() => (options.interactive ? askPerson(question, ctx) : refuse(question, options)));
    queue = answer.catch(() => undefined);
    return answer as Promise<AnswerTo<Q>>;
  };
}

/** Approval fails closed: without a listener the answer is no, and it says so. */
function refuse(question: Question, options: AskOptions): 'deny' | undefined {
  if (question.kind !== 'approval') {
    options.notice(`nobody is here to answer: ${question.prompt}`);
    return undefined;
  }
  const why = question.risks.map((risk) => risk.why).join(', ');
  options.notice(
    `refused, because nobody is here to approve it${why === '' ? '' : ` (${why})`}: ${question.action}\n` +
      'Run it in a terminal to be asked, or add --yolo to allow risky commands in this run.',
  );
  return 'deny';
}

async function askPerson(question: Question, ctx: CliContext): Promise<string | undefined> {
  const { askOnTerminal } = await import('./ask-terminal.ts');
  return askOnTerminal(question, ctx);
}
