import { usageError } from './usage-error.ts';

/** Flags whose value is free text, which may look like anything. */
const TEXT_FLAGS = new Set(['-q', '--query', '-z', '--oneshot']);

/** Takes `-p NAME` / `--profile NAME` out, wherever it stands. @throws AppError `usage` when the name is missing */
export function takeProfile(args: readonly string[]): { args: readonly string[]; profile: string | undefined } {
  const rest: string[] = [];
  let profile: string | undefined;
  for (let index = 0; index < args.length; index++) {
    const arg = args[index] ?? '';
    if (arg === '--') return { args: [...rest, ...args.slice(index)], profile };
    const isValue = index > 0 && TEXT_FLAGS.has(args[index - 1] ?? '');
    if (!isValue && (arg === '-p' || arg === '--profile')) {
      profile = args[++index];
      if (profile === undefined || profile.startsWith('-'))
        throw usageError(`${arg} needs the name of a profile.`, 'List them with `hermes profile list`.');
    } else if (!isValue && arg.startsWith('--profile=')) profile = arg.slice('--profile='.length);
    else rest.push(arg);
  }
  return { args: rest, profile };
}
