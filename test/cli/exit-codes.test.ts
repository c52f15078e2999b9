import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ModelServer, startModelServer } from '../support/model-server.ts';
import { homeWithModel, runHermes } from '../support/run-hermes.ts';

let server: ModelServer;
let home: string;

beforeAll(async () => {
  server = await startModelServer();
  home = homeWithModel(server.baseUrl);
});
afterAll(() => server.close());

const ask = (args: readonly string[], more: object = {}) => runHermes(args, { home, ...more });

describe('one turn as a program', () => {
  it('-z answers alone on stdout, with stderr empty and code 0', async () => {
    server.script([{ text: 'forty-two' }]);
    expect(await ask(['-z', 'what is it?'])).toMatchObject({ code: 0, stdout: 'forty-two\n', stderr: '' });
  });

  it('a turn that fails is code 2, in one sentence and with the usage file written', async () => {
    server.script(() => ({ status: 401, body: { error: { message: 'invalid api key' } } }));
    const run = await ask(['-z', 'x', '--usage-file', 'usage.json']);
    expect(run).toMatchObject({ code: 2, stdout: '' });
    expect(run.stderr).toMatch(/^hermes: [^\n]+\n$/);
    const usage = JSON.parse(readFileSync(join(home, 'usage.json'), 'utf8')) as Record<string, unknown>;
    expect(usage).toMatchObject({ failed: true, completed: false });
  });

  it('goes on with a session, and an unknown one is code 1', async () => {
    server.script([{ text: 'noted' }, { text: 'blue' }]);
    const first = await ask(['chat', '-Q', '-q', 'my colour is blue']);
    const id = /^session_id: (\S+)$/m.exec(first.stderr)?.[1] ?? '';
    expect(first).toMatchObject({ code: 0, stdout: 'noted\n' });
    expect(await ask(['-r', id, '-Q', '-q', 'which colour?'])).toMatchObject({ code: 0, stdout: 'blue\n' });
    expect(JSON.stringify(server.requests.at(-1)?.body)).toContain('my colour is blue');
    expect(await ask(['-r', 'nowhere', '-q', 'x'])).toMatchObject({ code: 1, stdout: '' });
  });
});

describe('usage errors', () => {
  it('are one sentence with the nearest right word, and code 2', async () => {
    const runs = await Promise.all(
      [['sesions'], ['--modl', 'x'], ['chat', '--verbos'], ['sessions', 'lst'], ['sessions', 'show']].map((args) =>
        ask(args),
      ),
    );
    for (const run of runs) {
      expect(run).toMatchObject({ code: 2, stdout: '' });
      expect(run.stderr).toMatch(/^hermes: [^\n]+\n$/);
    }
    expect(runs.map((run) => /Did you mean (.*)\?/.exec(run.stderr)?.[1])).toEqual([
      '`hermes sessions`',
      '--model',
      '--verbose',
      '`hermes sessions list`',
      undefined,
    ]);
  });

  it('a profile that does not exist is code 1, wherever it is named', async () => {
    const run = await ask(['tools', '-p', 'ghost']);
    expect(run).toMatchObject({ code: 1, stdout: '' });
    expect(run.stderr).toContain('ghost');
  });

  it('--version and --help need neither home nor model', async () => {
    const env = { HERMES_HOME: '/dev/null/home' };
    const [version, help] = await Promise.all([
      ask(['--version'], { env }),
      ask(['sessions', 'export', '--help'], { env }),
    ]);
    expect(version).toMatchObject({ code: 0, stderr: '' });
    expect(version.stdout).toMatch(/^hermes \d+\.\d+\.\d+/);
    expect(help.stdout).toContain('--format FORMAT');
  });
});

describe('a failure inside Hermes', () => {
  it('never shows a stack; the log has it', async () => {
    const other = homeWithModel(server.baseUrl);
    const run = await runHermes(['-z', 'x'], {
      home: other,
      env: { NODE_OPTIONS: `--import=data:text/javascript,${THROWER}` },
    });
    expect(run).toMatchObject({ code: 1, stdout: '' });
    expect(run.stderr).toMatch(
      /^hermes: Something went wrong inside Hermes: planted\. The details are in [^\n]+errors\.log\.\n$/,
    );
    expect(readFileSync(join(other, 'logs', 'errors.log'), 'utf8')).toMatch(/ERROR cli: Error: planted\n\s+at /);
  });
});

/** Makes a timer of the running program throw, as a forgotten callback would. */
const THROWER = encodeURIComponent("setTimeout(()=>{throw new Error('planted')},250)");
