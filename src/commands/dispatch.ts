/** Runs a typed slash command. */
import { describeError } from '../lib/errors.ts';
import type { Command, CommandContext } from './command.ts';
import { availableAt, matchCommand, parseSlash } from './match.ts';

/**
 * Never rejects: what went wrong is said through the context. When `ctx.signal` aborts it resolves at once,
 * whatever the command still waits for.
 * @returns false when the line is no slash command and belongs to the model
 */
export async function dispatch(line: string, commands: readonly Command[], ctx: CommandContext): Promise<boolean> {
  const slash = parseSlash(line);
  if (slash === undefined) return false;
  const match = matchCommand(slash, availableAt(ctx.door, commands));
  if (match.kind === 'unknown') {
    const near = match.near.map((name) => `\`/${name}\``).join(', ');
    ctx.say(
      `There is no command \`/${match.name}\`.${near === '' ? '' : ` Did you mean ${near}?`} \`/help\` lists them.`,
    );
    return true;
  }
  if (ctx.busy && match.command.whileBusy !== true) {
    ctx.say(`\`/${match.command.name}\` has to wait: a turn is running. Stop it first with Ctrl+C or \`/stop\`.`);
    return true;
  }
  await runUntilAborted(match.command, match.args, ctx);
  return true;
}

async function runUntilAborted(command: Command, args: string, ctx: CommandContext): Promise<void> {
  const aborted = Promise.withResolvers<'aborted'>();
  const onAbort = () => aborted.resolve('aborted');
  if (ctx.signal.aborted) return;
  ctx.signal.addEventListener('abort', onAbort, { once: true });
  try {
    const outcome = await Promise.race([command.run(args, ctx), aborted.promise]);
    if (outcome === 'aborted') ctx.say(`\`/${command.name}\` was given up.`);
  } catch (error) {
    if (!ctx.signal.aborted) ctx.say(`\`/${command.name}\`: ${describeError(error)}`);
  } finally {
    ctx.signal.removeEventListener('abort', onAbort);
  }
}
