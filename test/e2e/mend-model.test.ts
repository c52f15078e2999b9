import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, it } from 'vitest';
import { type App, openApp } from '../../src/app.ts';
import { tempHome } from '../support/run-hermes.ts';

let app: App | undefined;
afterEach(() => app?.close());

it('a session whose configured model cannot be had is mended by switching to one that can', async () => {
  const home = tempHome();
  writeFileSync(join(home, 'config.yaml'), 'model:\n  provider: nobody\n  default: nothing\n');
  app = await openApp({
    env: { PATH: process.env.PATH, HERMES_HOME: home, HOME: home },
    cwd: home,
    source: 'cli',
    door: { interactive: true, markdown: 'full', images: false, edits: 'apply' },
  });
  const session = app.newSession();
  await expect(app.agent.model(session)).rejects.toThrow();
  await expect(app.agent.switchModel(session, { provider: 'nobody either' })).rejects.toThrow();
  expect(await app.agent.switchModel(session, { provider: 'demo', model: 'demo' })).toMatchObject({ demo: true });
  const events: string[] = [];
  const result = await app.agent.run(
    session,
    { content: [{ type: 'text', text: 'hello' }] },
    {
      emit: (event) => events.push(event.type),
      ask: () => Promise.reject(new Error('nothing is asked')),
      signal: AbortSignal.timeout(10_000),
    },
  );
  expect(result).toMatchObject({ stop: 'done', sessionId: session.id });
});
