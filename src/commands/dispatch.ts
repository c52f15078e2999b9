/** Runs a typed slash command. */
import { describeError } from '../lib/errors.ts';
import type { Command, CommandContext } from './command.ts';
import { availableAt, matchCommand, parseSlash } from './match.ts';

/** `not-a-command`: the line belongs to the model. `given-up`: the signal aborted, and the command says no more. */
export type Dispatched = 'done' | 'given-up' | 'not-a-command';

/**
 * Never rejects: what went wrong is said through the context. When `ctx.signal` aborts it resolves at once,
 * whatever the command still waits for.
 */
export async function dispatch(line: string, commands: readonly Command[], ctx: CommandContext): Promise<Dispatched> {
  const slash = parseSlash(line);
  if (slash === undefined) return 'not-a-command';
  const match = matchCommand(slash, availableAt(ctx.door, commands));
  if (match.kind === 'unknown') {
    const near = match.near.map((name) => `\`/${name}\``).join(', ');
    ctx.say(
      `There is no command \`/${match.name}\`.${near === '' ? '' : ` Did you mean ${near}?`} \`/help\` lists them.`,
    );
    return 'done';
  }
  if (ctx.busy && match.command.whileBusy !== true) {
    ctx.say(`\`/${match.command.name}\` has to wait: a turn is running. Stop it first with Ctrl+C or \`/stop\`.`);
    return 'done';
  }
  return runUntilAborted(match.command, match.args, ctx);
}

async function runUntilAborted(command: Command, args: string, ctx: CommandContext): Promise<Dispatched> {
  const aborted = Promise.withResolvers<Dispatched>();
  const onAbort = () => aborted.resolve('given-up');
  if (ctx.signal.aborted) return 'given-up';
  ctx.signal.addEventListener('abort', onAbort, { once: true });
  try {
    return await Promise.race([command.run(args, ctx).then((): Dispatched => 'done'), aborted.promise]);
  } catch (error) {
    ctx.say(`\`/${command.name}\`: ${describeError(error)}`);
    return 'done';
  } finally {
    ctx.signal.removeEventListener('abort', onAbort);
  }
}
