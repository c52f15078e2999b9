import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ModelServer, startModelServer } from '../support/model-server.ts';
import { bareEnv, hermesCommand, homeWithModel, runHermes, startHermes } from '../support/run-hermes.ts';

let server: ModelServer;
let home: string;

beforeAll(async () => {
  server = await startModelServer();
  home = homeWithModel(server.baseUrl);
});
afterAll(() => server.close());

/** Runs a line of bash in which `hermes` is Hermes. */
async function bash(
  line: string,
  more: Record<string, string> = {},
): Promise<{ code: number; stdout: string; stderr: string }> {
  const hermes = hermesCommand()
    .map((part) => `'${part}'`)
    .join(' ');
  const child = spawn('bash', ['-c', `hermes() { ${hermes} "$@"; }; ${line}`], {
    env: bareEnv(home, more),
    cwd: home,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const out = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr'] as const)
    child[name].setEncoding('utf8').on('data', (text: string) => {
      out[name] += text;
    });
  const [code] = (await once(child, 'close')) as [number];
  return { code, ...out };
}

describe('pipes', () => {
  it('a long answer reaches a slow reader whole', async () => {
    const text = Array.from({ length: 30_000 }, (_, index) => `line ${index}`).join('\n');
    server.script([{ text, chunk: 50_000 }]);
    const run = await bash(`hermes -z x | { sleep 0.5; cat; }`);
    expect(run).toMatchObject({ code: 0, stderr: '' });
    expect(run.stdout).toBe(`${text}\n`);
  });

  it('a reader that leaves ends the run quietly', async () => {
    const text = `${'word '.repeat(20)}\n`.repeat(20_000);
    server.script(() => ({ text, chunk: 10_000 }));
    const run = await bash('hermes -q x | head -1; echo "codes $PIPESTATUS"');
    expect(run.stdout).toMatch(/^(word )+\ncodes 0\n$/);
    expect(run.stderr).not.toMatch(/EPIPE|\bat \w/);
  });

  it('what is piped in follows the question', async () => {
    server.script([{ text: 'ok' }]);
    await bash("printf '挨拶\\n' | LANG=C hermes -z 'translate this'");
    const sent = server.requests.at(-1)?.body.messages.at(-1);
    expect(JSON.stringify(sent)).toContain('translate this\\n\\n挨拶');
  });

  it('works with stdin, stdout or stderr closed', async () => {
    server.script(() => ({ text: 'ok' }));
    expect(await bash('hermes -z x <&-')).toMatchObject({ code: 0, stdout: 'ok\n' });
    expect(await bash('hermes -z x >&-; echo "code $?"')).toMatchObject({ stdout: 'code 0\n', stderr: '' });
    expect(await bash('hermes -q x 2>&-')).toMatchObject({ code: 0, stdout: 'ok\n' });
  });

  it('a full disk behind a redirect is no success', async () => {
    server.script(() => ({ text: 'ok' }));
    expect((await bash('hermes -z x >/dev/full; echo "code $?"')).stdout).toBe('code 1\n');
  });

  it('an input that nobody writes to nor closes does not hold up a question', async () => {
    server.script([{ text: 'ok' }]);
    expect(await runHermes(['-z', 'x'], { home, stdin: 'open' })).toMatchObject({
      code: 0,
      stdout: 'ok\n',
      stderr: '',
    });
  });

  it('KF-199 without a terminal and a question there is one sentence and code 2', async () => {
    const run = await runHermes([], { home });
    expect(run).toMatchObject({ code: 2, stdout: '' });
    expect(run.stderr).toMatch(/^hermes: [^\n]+\n$/);
  });
});

describe('KF-131 --json', () => {
  it('holds one JSON object a line and nothing else, whatever tools and warnings do', async () => {
    server.script([
      { toolCalls: [{ name: 'terminal', args: { command: 'echo out; echo err >&2' } }] },
      { text: 'done' },
    ]);
    const more = { NODE_DEBUG: 'http', NODE_OPTIONS: '--trace-warnings' };
    const odd = homeWithModel(server.baseUrl, 'no_such_setting: 1\n');
    const run = await runHermes(['chat', '--json', '-v', '-q', 'x'], { home: odd, env: more });
    const types = run.stdout
      .trimEnd()
      .split('\n')
      .map((line) => (JSON.parse(line) as { type: string }).type);
    expect(run.code).toBe(0);
    expect(types).toContain('toolcall_end');
    expect(types.at(-1)).toBe('turn_end');
  });

  it('tells a failure as its last line', async () => {
    const run = await runHermes(['chat', '--json', '-r', 'nowhere', '-q', 'x'], { home });
    expect(JSON.parse(run.stdout)).toMatchObject({ type: 'error', code: 'session-not-found' });
    expect(run.code).toBe(1);
  });
});

describe('signals', () => {
  const hang = () =>
    server.script(() => ({ text: 'a beginning of an answer that goes on', hangAfter: 2, hangMs: 60_000 }));

  it.each([
    ['SIGINT', 130],
    ['SIGTERM', 143],
    ['SIGHUP', 129],
  ] as const)('%s stops the turn, keeps the session and ends with %i', async (signal, code) => {
    hang();
    const run = await runHermes(['-q', 'long work'], { home, signalOn: { text: 'a beginning', signal } });
    expect(run).toMatchObject({ code, signal: null });
    expect(run.stderr).not.toMatch(/\n\s+at /);
    const id = /hermes -r (\S+)/.exec(run.stderr)?.[1] ?? '';
    const shown = await runHermes(['sessions', 'show', id], { home });
    expect(shown.stdout).toContain('long work');
  });

  it('a second SIGINT ends at once what does not stop', async () => {
    hang();
    const running = startHermes(['-q', 'x'], {
      home,
      env: { NODE_OPTIONS: `--import=data:text/javascript,${STUBBORN}` },
    });
    await running.sees('a beginning');
    running.process.kill('SIGINT');
    await running.sees('holding on');
    running.process.kill('SIGINT');
    expect(await running.done).toMatchObject({ code: 130 });
  });
});

/** Blocks the way out after the first signal, as a close that never comes back would. */
const STUBBORN = encodeURIComponent(
  "const exit=process.exit;process.once('SIGINT',()=>{process.exit=()=>{process.exit=exit;};process.stderr.write('holding on\\n');setInterval(()=>{},1000)})",
);
