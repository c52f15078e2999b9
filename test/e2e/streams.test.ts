/** Pipes, closed descriptors and signals: the right exit code, a quiet end, no process left behind. */
import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ModelServer, startModelServer } from '../support/model-server.ts';
import { bareEnv, hermesCommand, homeWithModel, startHermes, tempHome } from '../support/run-hermes.ts';

const command = hermesCommand()
  .map((part) => `'${part}'`)
  .join(' ');
const LONG = 'A line of the long answer.\n'.repeat(20_000);

let server: ModelServer;
beforeAll(async () => {
  server = await startModelServer();
});
afterAll(() => server.close());

/** In bash, with the exit codes of the last pipeline as the last line of standard output. */
function shell(script: string, home = tempHome()): { codes: string; out: string; err: string } {
  const line = `h() { ${command} "$@"; }; ${script}; echo "codes \${PIPESTATUS[*]}" >&2`;
  const run = spawnSync('bash', ['-c', line], {
    env: bareEnv(home),
    encoding: 'utf8',
    maxBuffer: 1e8,
    timeout: 20_000,
  });
  const [, err = '', codes = ''] = /^([\s\S]*)codes (.*)\n$/.exec(run.stderr) ?? [];
  return { codes, out: run.stdout, err };
}

describe('standard streams', () => {
  // The server answers from this process, which waits in spawnSync: what needs it is started with startHermes.
  it('gives all of a long answer to a reader that sleeps', async () => {
    server.script(() => ({ text: LONG, chunk: 50_000 }));
    const hermes = startHermes(['-z', 'long'], { home: homeWithModel(server.baseUrl) });
    hermes.process.stdout.pause();
    await new Promise((resolve) => setTimeout(resolve, 2000));
    hermes.process.stdout.resume();
    const { code, stdout, stderr } = await hermes.done;
    expect([code, stderr, stdout.length]).toEqual([0, '', LONG.length]);
  });

  it.each([
    ['h -z "run: echo x" | head -1', '0 0'],
    ['h -q "run: seq 1 3000" | head -1', '0 0'],
    ['h -z "run: echo x" | true', '0 0'],
    ['h sessions list --json | true', '0 0'],
    ['h --help | true', '0 0'],
    ['h -z "run: echo x" <&-', '0'],
    ['h -z "run: cat" < /dev/null', '0'],
    ['h -z "run: echo x" >&-', '0'],
    ['h -z "run: echo x" 2>&-', '0'],
    ['h -z "run: echo x" <&- >&- 2>&-', '0'],
  ])('%s', (script, codes) => {
    expect(shell(script)).toMatchObject({ codes, err: '' });
  });
});

describe.skipIf(process.platform !== 'linux')('a signal while a tool runs', () => {
  it.each([
    ['SIGINT', 130],
    ['SIGTERM', 143],
    ['SIGHUP', 129],
  ] as const)('%s ends the run, its command, and loses nothing', async (signal, code) => {
    const mark = `3${process.pid}.${code}`;
    const call = { name: 'terminal', args: { command: `sleep ${mark}` } };
    server.script(() => ({ text: 'Going to sleep.', toolCalls: [call] }));
    const home = homeWithModel(server.baseUrl, 'approvals:\n  mode: "off"\n');
    const hermes = startHermes(['-z', 'sleep please'], { home });
    await until(() => running(mark) > 0);
    hermes.process.kill(signal);
    const run = await hermes.done;
    expect([run.code, run.stdout]).toEqual([code, '']);
    expect(run.stderr.trim().split('\n')).toHaveLength(1);
    await until(() => running(mark) === 0);
    server.script(() => ({ text: 'awake' }));
    const next = await startHermes(['-r', 'latest', '-z', 'go on'], { home }).done;
    expect([next.code, next.stdout, next.stderr]).toEqual([0, 'awake\n', '']);
    expect(server.requests.at(-1)?.raw).toContain('sleep please');
  });
});

async function until(holds: () => boolean): Promise<void> {
  for (let waited = 0; !holds(); waited += 50) {
    if (waited > 10_000) throw new Error('waited ten seconds in vain');
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

/** How many processes carry the mark in their arguments. */
function running(mark: string): number {
  return readdirSync('/proc').filter((pid) => /^\d+$/.test(pid) && argumentsOf(pid).includes(mark)).length;
}

function argumentsOf(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8');
  } catch {
    return ''; // ended since
  }
}
