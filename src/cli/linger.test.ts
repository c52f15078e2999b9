import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ModelServer, startModelServer } from '../../test/support/model-server.ts';
import { homeWithModel, runHermes } from '../../test/support/run-hermes.ts';

let server: ModelServer;
beforeAll(async () => {
  server = await startModelServer();
});
afterAll(() => server.close());

const background = (command: string, more: object = {}) => ({
  toolCalls: [{ name: 'terminal', args: { command, background: true, ...more } }],
});
const lastSent = () => JSON.stringify(server.requests.at(-1)?.body.messages.at(-1));

describe('a one-shot run that left a process running', () => {
  it('waits for it when its end was to be told, and gives the news to the agent', async () => {
    server.script([
      background('sleep 1; echo all built', { notify_on_complete: true }),
      { text: 'Started.' },
      { text: 'It is built.' },
    ]);
    const run = await runHermes(['-z', 'build'], { home: homeWithModel(server.baseUrl) });
    expect(run).toMatchObject({ code: 0, stdout: 'Started.\nIt is built.\n' });
    expect(lastSent()).toMatch(/ended with exit code 0.*all built/);
  });

  it('does not wait for one that nobody asked about', async () => {
    server.script([background('sleep 30'), { text: 'Started.' }]);
    const run = await runHermes(['-z', 'serve'], { home: homeWithModel(server.baseUrl) });
    expect(run).toMatchObject({ code: 0, stdout: 'Started.\n' });
    expect(run.durationMs).toBeLessThan(10_000);
  });

  it('gives up after the configured time and says so', async () => {
    server.script([background('sleep 30', { notify_on_complete: true }), { text: 'Started.' }]);
    const home = homeWithModel(server.baseUrl, 'terminal:\n  oneshot_completion_wait_seconds: 1\n');
    const run = await runHermes(['-q', 'build'], { home });
    expect(run.code).toBe(0);
    expect(run.stderr).toContain('Waited long enough: 1 of');
    expect(run.durationMs).toBeLessThan(10_000);
  });

  it('ends at once when it is interrupted', async () => {
    server.script([background('sleep 30', { notify_on_complete: true }), { text: 'Started.' }]);
    const home = homeWithModel(server.baseUrl);
    const run = await runHermes(['-z', 'build'], { home, signalOn: { text: 'Started.', signal: 'SIGINT' } });
    expect(run.code).toBe(130);
    expect(run.durationMs).toBeLessThan(10_000);
  });
});
