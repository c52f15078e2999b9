/** Holds the list of settings in use to what the application really reads, so that no page promises what nothing does. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { tempHome } from '../../test/support/run-hermes.ts';
import { openApp } from '../app.ts';
import { makeHome } from '../config/home.ts';
import { listKeys } from '../config/keys.ts';
import { KEYS_IN_USE } from '../config/keys-in-use.ts';
import { loadConfig } from '../config/load.ts';
import type { Config } from '../config/schema.ts';
import { settingsFrom } from '../tui/settings.ts';

const known = new Set(listKeys().map(({ path }) => path));

/** Read where a turn that goes well does not come by. */
const READ_ELSEWHERE = [
  // Decided only when nobody can be asked.
  ...['approvals.cron_mode', 'approvals.single_query_mode', 'approvals.unattended_mode'],
  // Older form, turned into newer settings as the file is loaded.
  'model_routing',
  // Handed on whole, with whatever is set.
  ...[...known].filter((name) => name.startsWith('provider_routing.')),
  // By a one-shot run, which loads the settings for itself.
  'terminal.oneshot_completion_wait_seconds',
];

/** The settings, noting the name of each that is read; `<name>` stands for names of the user's choosing. */
function watched(config: Config, read: Set<string>): Config {
  const watch = (value: object, path: readonly string[]): object =>
    new Proxy(value, {
      get(target, key) {
        const found: unknown = Reflect.get(target, key);
        if (typeof key === 'symbol' || Array.isArray(target)) return found;
        const own = [...path, key];
        const name = nameOf(own);
        if (name !== undefined) read.add(name);
        // A proxy may not replace a frozen property, and nothing inside a list is a setting of its own.
        return typeof found === 'object' && found !== null && !Array.isArray(found) ? watch(found, own) : found;
      },
    });
  return watch(config, []) as Config;
}

function nameOf(path: readonly string[]): string | undefined {
  const spellings = [path, ...path.map((_, index) => path.with(index, '<name>'))];
  return spellings.map((parts) => parts.join('.')).find((name) => known.has(name));
}

it('names every setting that is read, and no other', async () => {
  const dir = tempHome();
  writeFileSync(
    join(dir, 'config.yaml'),
    'model:\n  provider: demo\nproviders:\n  box:\n    base_url: http://127.0.0.1:9\n',
  );
  const read = new Set<string>(READ_ELSEWHERE);
  const app = await openApp({
    env: { PATH: process.env.PATH, HERMES_HOME: dir, HERMES_MANAGED_DIR: join(dir, 'managed') },
    cwd: dir,
    source: 'cli',
    door: { interactive: true, markdown: 'full', images: false, edits: 'apply' },
    watchConfig: (config) => watched(config, read),
  });
  await app.agent.run(
    app.newSession(),
    { content: [{ type: 'text', text: 'hello' }] },
    { emit: () => {}, ask: async () => undefined as never, signal: AbortSignal.timeout(10_000) },
  );
  await app.close();
  const { config } = await loadConfig(makeHome(dir, dir, 'default', dir), { HERMES_MANAGED_DIR: join(dir, 'managed') });
  settingsFrom(watched(config, read), undefined);
  expect([...read].sort()).toEqual([...KEYS_IN_USE].sort());
});
