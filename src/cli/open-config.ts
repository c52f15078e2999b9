/** Home, environment and settings, for commands that look at them without opening the whole application. */
import { homedir } from 'node:os';
import { type LoadedEnvironment, loadEnvironment } from '../config/environment.ts';
import { type Home, resolveHome } from '../config/home.ts';
import { type LoadedConfig, loadConfig } from '../config/load.ts';
import type { CliContext } from './context.ts';

export interface OpenedConfig {
  readonly home: Home;
  readonly environment: LoadedEnvironment;
  readonly loaded: LoadedConfig;
}

export function openHome(ctx: Pick<CliContext, 'env' | 'profile'>): Home {
  return resolveHome({ profile: ctx.profile, env: ctx.env, homedir: homedir() });
}

export async function openConfig(
  ctx: Pick<CliContext, 'env' | 'profile' | 'cwd'>,
  options: { readonly ignoreUser?: boolean } = {},
): Promise<OpenedConfig> {
  const home = openHome(ctx);
  const environment = loadEnvironment(home, ctx.env, ctx.cwd);
  const loaded = await loadConfig(home, environment.env, { ignoreUser: options.ignoreUser === true });
  return { home, environment, loaded };
}
