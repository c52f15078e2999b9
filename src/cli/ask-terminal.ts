/** The plain question of a one-turn run on a terminal: one line out, one line in, on standard error. */
import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ApprovalChoice, Question } from '../contracts/turn.ts';
import type { CliContext } from './context.ts';
import { visible } from './print/visible.ts';

const DEADLINE_MS = 300_000;
const SETTLE_MS = 100;

const CHOICES: Readonly<Record<string, ApprovalChoice>> = { o: 'once', s: 'session', a: 'always', d: 'deny' };

/** Settles with a decision, `undefined` for no answer, and with deny or `undefined` after the deadline or an abort. */
export async function askOnTerminal(
  question: Question,
  ctx: Pick<CliContext, 'stdin' | 'stderr' | 'signal'>,
  deadlineMs = DEADLINE_MS,
): Promise<string | undefined> {
  const signal = AbortSignal.any([ctx.signal, AbortSignal.timeout(deadlineMs)]);
  const text = await readLine(prompt(question), ctx, { signal, echo: question.kind !== 'secret' });
  if (question.kind === 'approval') return text === undefined ? 'deny' : choice(text, question.choices);
  if (question.kind === 'secret') return text || undefined;
  const picked = text === undefined ? undefined : question.options[Number(text.trim()) - 1];
  return picked ?? (text?.trim() || undefined);
}

/** Only a single letter or a whole word decides; free text ("yes, once the backup is done") is a no. */
export function choice(text: string, allowed: readonly ApprovalChoice[]): ApprovalChoice {
  const word = text.trim().toLowerCase();
  const meant =
    CHOICES[word] ??
    allowed.find((candidate) => candidate === word) ??
    (word === 'y' || word === 'yes' ? 'once' : 'deny');
  return allowed.includes(meant) ? meant : 'deny';
}

function prompt(question: Question): string {
  if (question.kind === 'secret') return `\n${visible(question.prompt)}: `;
  if (question.kind === 'clarify') {
    const options = question.options.map((option, index) => `  ${index + 1}. ${visible(option)}\n`).join('');
    return `\n${visible(question.prompt)}\n${options}> `;
  }
  const why = question.risks.map((risk) => risk.why).join(', ');
  const keys = question.choices.map((name) => `[${name[0]}]${name.slice(1)}`).join(' ');
  return `\nMay it run this${why === '' ? '' : ` (${visible(why)})`}?\n  ${visible(question.action)}\n${keys}: `;
}

async function readLine(
  text: string,
  ctx: Pick<CliContext, 'stdin' | 'stderr'>,
  options: { readonly signal: AbortSignal; readonly echo: boolean },
): Promise<string | undefined> {
  let muted = false;
  const output = new Writable({
    write(chunk, _encoding, done) {
      if (!muted) ctx.stderr.write(chunk);
      done();
    },
  });
  await dropTyped(ctx.stdin, options.signal);
  if (ctx.stdin.readableEnded) return undefined;
  const lines = createInterface({ input: ctx.stdin, output, terminal: ctx.stdin.isTTY === true });
  try {
    const closed = new Promise<undefined>((resolve) => lines.once('close', () => resolve(undefined)));
    const answer = lines.question(text, { signal: options.signal });
    muted = !options.echo;
    return await Promise.race([answer, closed]);
  } catch {
    return undefined; // aborted or timed out: no answer
  } finally {
    muted = false;
    lines.close();
    ctx.stdin.pause();
    if (!options.echo) ctx.stderr.write('\n');
  }
}

/** What was typed before the question stood there is no answer to it; the terminal may hand it over only now. */
async function dropTyped(stdin: CliContext['stdin'], signal: AbortSignal): Promise<void> {
  const drop = () => {};
  stdin.on('data', drop);
  await sleep(SETTLE_MS, undefined, { signal }).catch(() => undefined); // an abort is seen by the question itself
  stdin.off('data', drop).pause();
}
