/**
 * The entry. Nothing is imported before it is known to be needed: `--version` answers from here, and everything
 * else starts with one dynamic import.
 */

import type { CliContext, InteractiveOptions } from './cli/context.ts';
import type { TuiSettings } from './tui/settings.ts';

declare const __HERMES_VERSION__: string;

const fs = process.getBuiltinModule('node:fs');

/** Replaced by the build; running from sources it is read from the package. */
function version(): string {
  if (typeof __HERMES_VERSION__ === 'string') return __HERMES_VERSION__;
  const file = new URL('../package.json', import.meta.url);
  return (JSON.parse(fs.readFileSync(file, 'utf8')) as { version: string }).version;
}

const args = process.argv.slice(2);
if (args.length === 1 && (args[0] === '--version' || args[0] === '-V')) {
  // Straight to the descriptor: opening process.stdout loads the network stack when it is a pipe.
  try {
    fs.writeSync(1, `hermes ${version()}\n`);
  } catch {
    process.exitCode = 1; // nobody is reading, so there is nobody to tell
  }
} else {
  void import('./cli/start.ts').then(({ start }) => start(args, version(), openInteractive));
}

/** A door may not know another, so the way from the command line to the screen leads through here. */
async function openInteractive(options: InteractiveOptions, ctx: CliContext): Promise<number> {
  const { runTui } = await import('./tui/index.ts');
  return runTui(
    {
      ...options,
      openApp: async (more) => (await import('./app.ts')).openApp(more),
      loadSettings: () => screenSettings(ctx, options.ignoreUserConfig === true),
      saveSetting: (key, value) => saveSetting(ctx, key, value),
    },
    ctx,
  );
}

async function screenSettings(ctx: CliContext, ignoreUser: boolean): Promise<TuiSettings> {
  const [{ openConfig }, { settingsFrom }] = await Promise.all([
    import('./cli/open-config.ts'),
    import('./tui/settings.ts'),
  ]);
  const { home, loaded } = await openConfig(ctx, { ignoreUser });
  return settingsFrom(loaded.config, home.path('.hermes_history'));
}

async function saveSetting(ctx: CliContext, key: string, value: unknown): Promise<void> {
  const [{ openHome }, { setConfig }] = await Promise.all([import('./cli/open-config.ts'), import('./config/edit.ts')]);
  await setConfig({ home: openHome(ctx), env: ctx.env }, key, String(value));
}
