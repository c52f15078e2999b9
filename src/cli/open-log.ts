/** The log of the home that this run belongs to. */
import { homedir } from 'node:os';
import { resolveHome } from '../config/home.ts';
import type { Log } from '../contracts/log.ts';
import { redactSecrets } from '../security/redact.ts';
import type { CliContext } from './context.ts';
import { createFileLog } from './log.ts';

export interface HomeLog extends Log {
  /** Short form of a log's path, for people. */
  shownPath(name: string): string;
}

/** @throws AppError when there is no such home */
export function openLog(around: Pick<CliContext, 'env' | 'profile'>): HomeLog {
  const home = resolveHome({ profile: around.profile, env: around.env, homedir: homedir() });
  const log = createFileLog({ folder: home.path('logs'), redact: (text) => redactSecrets(text) });
  return { ...log, shownPath: (name) => home.display(home.path('logs', name)) };
}
