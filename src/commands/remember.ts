/** `--global`: for this session and every one after it. */
import type { CommandContext } from './command.ts';

export function wantsGlobal(words: readonly string[]): boolean {
  return words.includes('--global');
}

/** Writes the settings, in order. @returns a sentence for the person about what happened */
export async function remember(
  settings: readonly (readonly [string, unknown])[],
  ctx: CommandContext,
): Promise<string> {
  if (ctx.saveSetting === undefined) {
    const commands = settings.map(([key, value]) => `\`hermes config set ${key} ${String(value)}\``);
    return `This door cannot write the configuration; ${commands.join(' and ')} can.`;
  }
  for (const [key, value] of settings) await ctx.saveSetting(key, value);
  return 'Saved as the default.';
}
