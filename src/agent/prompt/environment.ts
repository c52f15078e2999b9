/** What is unusual about this machine and would lead a model astray if it did not know. */
import { existsSync, readFileSync } from 'node:fs';

export interface MachineFacts {
  readonly platform: NodeJS.Platform;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Text of /proc/version; '' where there is none. */
  readonly kernel: string;
  readonly container: boolean;
}

export function readMachine(env: Readonly<Record<string, string | undefined>>): MachineFacts {
  const linux = process.platform === 'linux';
  return {
    platform: process.platform,
    env,
    kernel: linux ? readIfThere('/proc/version') : '',
    container: linux && (existsSync('/.dockerenv') || existsSync('/run/.containerenv')),
  };
}

export function environmentHints(machine: MachineFacts): readonly string[] {
  const hints: string[] = [];
  if (/microsoft/i.test(machine.kernel))
    hints.push(
      'This is WSL: Windows drives are under /mnt, and explorer.exe and other Windows programs can be called.',
    );
  if (machine.env.TERMUX_VERSION !== undefined)
    hints.push('This is Termux on Android: there is no sudo, packages come from pkg, and paths are below $PREFIX.');
  if (machine.container) hints.push('This is a container: services of the host and its other files are not visible.');
  return hints;
}

function readIfThere(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return ''; // hidden in some sandboxes
  }
}
