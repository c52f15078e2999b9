/** What a person meets when something is wrong: one sentence with the way out, an exit code, and nothing lost. */
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ModelServer, type ScriptedReply, startModelServer } from '../support/model-server.ts';
import { type HermesRun, homeWithModel, type RunOptions, runHermes, tempHome } from '../support/run-hermes.ts';

let server: ModelServer;
beforeAll(async () => {
  server = await startModelServer();
});
afterAll(() => server.close());

/** Every failure, whatever it is about. */
function expectOneSentence(run: HermesRun, code: number, says: RegExp): void {
  expect(run.code, run.stderr).toBe(code);
  const lines = run.stderr.trim().split('\n');
  expect(lines).toHaveLength(1);
  expect(lines[0]).toMatch(/^hermes: .*[.!?:]/);
  expect(lines[0]).toMatch(says);
  expect(run.stderr).not.toMatch(/\n\s+at |node:internal|\[object|undefined/);
}

const once = (home: string, options: RunOptions = {}) => runHermes(['-z', 'run: echo typed'], { home, ...options });

describe('the model server', () => {
  const cases: readonly (readonly [string, ScriptedReply, RegExp])[] = [
    ['401', { status: 401, body: { error: { message: 'Incorrect API key' } } }, /key.*\. Run `hermes setup`/],
    [
      '404',
      { status: 404, body: { error: { message: 'The model `x` does not exist' } } },
      /\. Choose .*`hermes model`/,
    ],
    ['a forbidden page', { status: 403, html: '<html><title>no</title></html>' }, /for the endpoint .*\. Run `hermes/],
    ['HTML instead of JSON', { html: '<html>Sign in</html>' }, /web page.*\. .*`hermes config get model.base_url`/],
  ];
  it.each(cases)('%s: says what is wrong, and keeps the question', async (_name, reply, says) => {
    server.script(() => reply);
    const home = homeWithModel(server.baseUrl, '  api_key: sk-test-0123456789\nagent:\n  api_max_retries: 0\n');
    expectOneSentence(await runHermes(['-z', 'keep this'], { home }), 2, says);
    expect((await runHermes(['sessions', 'search', 'keep'], { home })).stdout).toContain('keep');
  });

  it.each([
    ['http://127.0.0.1:1/v1', /Nothing is listening at .*\. Start the model server/],
    ['localhost/v1', /address of a model server\. .*`hermes config set model.base_url/],
  ])('unreachable: %s', async (url, says) => {
    expectOneSentence(await once(homeWithModel(url)), 2, says);
  });

  it('a stream that is cut once goes on, and shows nothing twice', async () => {
    const text = 'one two three four five six seven eight';
    let calls = 0;
    server.script(() => ({ text, chunk: 4, ...(calls++ === 0 ? { cutAfter: 4 } : {}) }));
    const run = await runHermes(['-z', 'count'], { home: homeWithModel(server.baseUrl) });
    expect([run.code, run.stdout, run.stderr]).toEqual([0, `${text}\n`, '']);
  });
});

describe('the database', () => {
  const used = async () => {
    const home = tempHome();
    expect((await once(home)).code).toBe(0);
    return { home, path: join(home, 'state.db') };
  };

  it.each(['torn', 'no database at all'])(
    'damaged (%s): doctor --fix keeps it and carries over what it can',
    async (how) => {
      const { home, path } = await used();
      const bytes = readFileSync(path);
      writeFileSync(path, how === 'torn' ? bytes.fill(0x5a, bytes.length - 8192) : 'something else');
      const before = await runHermes(['doctor'], { home });
      expect(before.stdout).toMatch(/✗ .*state\.db/);
      expect(before.stdout).toContain('hermes doctor --fix');
      const damaged = readFileSync(path);
      const fixed = await runHermes(['doctor', '--fix'], { home });
      expect(fixed.stdout).toMatch(/fixed: recovered \d+ sessions with \d+ messages; the damaged file is kept as /);
      const kept = readdirSync(home).find((name) => /^state\.db\.damaged-[^.]*$/.test(name));
      expect(readFileSync(join(home, kept ?? ''))).toEqual(damaged);
      expect(await once(home)).toMatchObject({ code: 0, stderr: '' });
    },
  );

  it('locked for long: says who holds it', async () => {
    const { home, path } = await used();
    const holder = new DatabaseSync(path);
    holder.exec('PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE');
    try {
      expectOneSentence(await once(home), 1, /Another process is holding .*\. Wait/);
    } finally {
      holder.close();
    }
  });

  it('of a later version: is used as it is, what is unknown stays', async () => {
    const { home, path } = await used();
    const later = new DatabaseSync(path);
    later.exec('UPDATE schema_version SET version = 9999; ALTER TABLE messages ADD COLUMN later TEXT');
    later.close();
    expect((await once(home)).code).toBe(0);
    const after = new DatabaseSync(path, { readOnly: true });
    expect(after.prepare('SELECT version FROM schema_version').get()).toEqual({ version: 9999 });
    expect(after.prepare('SELECT count(later) AS n FROM messages').get()).toEqual({ n: 0 });
    after.close();
  });

  it('a folder in its place: no finding is dressed up as damage', async () => {
    const { home, path } = await used();
    rmSync(path);
    mkdirSync(path);
    expectOneSentence(await once(home), 1, /state\.db cannot be opened/);
    expect((await runHermes(['doctor', '--fix'], { home })).stdout).toContain('mv ~/state.db ~/state.db.old');
  });
});

describe('the home', () => {
  it('config.yaml that cannot be read: the demo does not answer in its place, the file stays', async () => {
    const home = homeWithModel(server.baseUrl);
    const broken = 'model:\n  default: [open\n';
    writeFileSync(join(home, 'config.yaml'), broken);
    expectOneSentence(await once(home), 1, /config\.yaml cannot be read, line \d+.*hermes config edit/);
    expect(await runHermes(['config', 'set', 'display.compact', 'true'], { home })).toMatchObject({ code: 1 });
    expect(readFileSync(join(home, 'config.yaml'), 'utf8')).toBe(broken);
  });

  it('config.yaml broken later: goes on with the last good copy, and says so even to a script', async () => {
    server.script(() => ({ text: 'still here' }));
    const home = homeWithModel(server.baseUrl);
    expect((await once(home)).stdout).toBe('still here\n');
    writeFileSync(join(home, 'config.yaml'), 'model: [open\n');
    const run = await once(home);
    expect(run.stdout).toBe('still here\n');
    expectOneSentence(run, 0, /config\.yaml cannot be read/);
  });

  it('a broken .env: config check and doctor name the line, never the value', async () => {
    const home = tempHome();
    writeFileSync(join(home, '.env'), 'OPENROUTER_API_KEY="sk-or-secret\nnonsense\n');
    for (const args of [['config', 'check'], ['doctor']]) {
      const { stdout } = await runHermes(args, { home });
      expect(stdout).toMatch(/line 1: the quotes of OPENROUTER_API_KEY/);
      expect(stdout).toMatch(/line 2 is not NAME=value/);
      expect(stdout).not.toContain('sk-or-secret');
    }
  });

  it.runIf(process.platform === 'linux')('a place that can hold nothing', async () => {
    expectOneSentence(await once('/proc/hermes-home', { cwd: tmpdir() }), 1, /cannot be used: .* Set HERMES_HOME to/);
  });

  it('a file in its place', async () => {
    const home = join(tempHome(), 'file');
    writeFileSync(home, 'x');
    expectOneSentence(await once(home, { cwd: tmpdir() }), 1, /needs a folder\. Move it away: mv /);
  });

  it.runIf(process.getuid?.() === 0)('a home of somebody else', async ({ skip }) => {
    const home = tempHome();
    const { spawnSync } = await import('node:child_process');
    const { hermesCommand, bareEnv } = await import('../support/run-hermes.ts');
    const asNobody = (...command: string[]) =>
      spawnSync('setpriv', ['--reuid=65534', '--regid=65534', '--clear-groups', ...command], {
        env: bareEnv(home),
        cwd: '/',
        encoding: 'utf8',
      });
    const reachable = asNobody(...hermesCommand(), '--version');
    if (reachable.status !== 0) skip('the product lies where only root may look');
    const run = asNobody(...hermesCommand(), '-z', 'hi');
    expect(run.status).toBe(1);
    expect(run.stderr).toMatch(/^hermes: Hermes may not write in .*\. Run sudo chown -R .*HERMES_HOME.*\n$/);
  });

  it.runIf(statSync('/dev/full', { throwIfNoEntry: false }) !== undefined)(
    'a full disk behind a redirect',
    async () => {
      const { spawnSync } = await import('node:child_process');
      const { hermesCommand, bareEnv } = await import('../support/run-hermes.ts');
      const command = [...hermesCommand(), '-z', 'hi'].map((part) => `'${part}'`).join(' ');
      expect(spawnSync('sh', ['-c', `${command} > /dev/full`], { env: bareEnv(tempHome()) }).status).toBe(1);
    },
  );

  it.runIf(process.getuid?.() === 0)('a full disk: says so, and what was stored is still there', async ({ skip }) => {
    const { spawnSync } = await import('node:child_process');
    const home = tempHome();
    const mounted = spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=600k', 'tmpfs', home]);
    if (mounted.status !== 0) skip('this machine lets nobody mount');
    try {
      expect((await once(home, { cwd: tmpdir() })).code).toBe(0);
      expect(() => writeFileSync(join(home, 'filler'), Buffer.alloc(1_000_000))).toThrow('ENOSPC');
      expectOneSentence(await once(home, { cwd: tmpdir() }), 1, /disk .* is full\. Free some space/);
      rmSync(join(home, 'filler'));
      expect((await runHermes(['sessions', 'list'], { home, cwd: tmpdir() })).stdout).toContain('run: echo typed');
    } finally {
      spawnSync('umount', [home]);
    }
  });

  it('a working folder that was removed', async () => {
    const { spawnSync } = await import('node:child_process');
    const { hermesCommand, bareEnv } = await import('../support/run-hermes.ts');
    const gone = mkdtempSync(join(tmpdir(), 'hermes-gone-'));
    const command = [...hermesCommand(), '-z', 'hi'].map((part) => `'${part}'`).join(' ');
    const run = spawnSync('sh', ['-c', `rmdir '${gone}'; exec ${command}`], {
      env: bareEnv(tempHome()),
      cwd: gone,
      encoding: 'utf8',
    });
    expect([run.status, run.stderr]).toEqual([
      1,
      'hermes: The folder you are in is no longer there. Go to another one, for example with `cd ~`.\n',
    ]);
  });
});

describe('the command line', () => {
  it.each([
    [['foo'], 2, /no command "foo"/],
    [['sesions'], 2, /Did you mean `hermes sessions`/],
    [['--nope'], 2, /--nope/],
    [['-r', 'nope', '-z', 'hi'], 1, /`hermes sessions list`/],
    [['--image', '/nope.png', '-z', 'hi'], 2, /\/nope\.png/],
    [['setup', '--non-interactive', '--provider', 'nope'], 2, /`hermes model --providers`/],
    [['config', 'edit'], 1, /no terminal\. .*hermes config set/],
    [[], 2, /no terminal/],
  ] as const)('%j', async (args, code, says) => {
    expectOneSentence(await runHermes(args), code, says);
  });

  it('setup with a provider that does not exist saves nothing', async () => {
    const home = homeWithModel(server.baseUrl);
    const before = readFileSync(join(home, 'config.yaml'), 'utf8');
    await runHermes(['setup', '--non-interactive', '--provider', 'nope'], { home });
    expect(readFileSync(join(home, 'config.yaml'), 'utf8')).toBe(before);
  });
});
