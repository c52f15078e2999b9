/** The question before a command that throws something away. */
import type { CommandContext } from './command.ts';

const SKIP_WORDS = new Set(['now', '--yes', '-y']);

/** Takes `now`, `--yes` and `-y` out of the arguments. */
export function takeSkip(args: string): { readonly rest: string; readonly skip: boolean } {
  const words = args.split(/\s+/).filter((word) => word !== '');
  const last = words.at(-1);
  const flags = words.filter((word) => word === '--yes' || word === '-y');
  const endsWithSkip = last !== undefined && SKIP_WORDS.has(last);
  if (flags.length === 0 && !endsWithSkip) return { rest: args.trim(), skip: false };
  const kept = (endsWithSkip ? words.slice(0, -1) : words).filter((word) => word !== '--yes' && word !== '-y');
  return { rest: kept.join(' '), skip: true };
}

/** True when the person agrees, or has said once for all that no question is wanted. */
export async function agreed(question: string, skip: boolean, ctx: CommandContext): Promise<boolean> {
  if (skip || !ctx.preferences.confirmDestructive) return true;
  const answer = await ctx.confirm(question, ctx.saveSetting !== undefined);
  if (answer === 'always') {
    ctx.preferences.confirmDestructive = false;
    await ctx.saveSetting?.('approvals.destructive_slash_confirm', false);
  }
  if (answer === 'cancel') ctx.say('Nothing was changed.');
  return answer !== 'cancel';
}
