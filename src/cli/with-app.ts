/** Opens the application for the length of one command. */
import type { App, AppOptions } from '../app.ts';
import type { CliContext } from './context.ts';

export type OpenApp = (options: AppOptions) => Promise<App>;

export const openRealApp: OpenApp = async (options) => (await import('../app.ts')).openApp(options);

/** Always closes it again. What the application has to say at start goes to standard error. */
export async function withApp<T>(
  ctx: CliContext,
  openApp: OpenApp,
  work: (app: App) => Promise<T>,
  options: { readonly silent?: boolean; readonly selection?: AppOptions['selection'] } = {},
): Promise<T> {
  const app = await openApp({
    env: ctx.env,
    cwd: ctx.cwd,
    profile: ctx.profile,
    source: 'cli',
    door: { interactive: false, markdown: 'plain', images: false, edits: 'apply' },
    selection: options.selection,
  });
  try {
    if (!options.silent) for (const warning of app.warnings) ctx.stderr.write(`hermes: ${warning}\n`);
    return await work(app);
  } finally {
    await app.close();
  }
}
