import { PassThrough } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { createFakeApp, type FakeApp } from '../../test/fakes/tui-app.ts';
import { runTui } from './index.ts';

async function run(app: FakeApp, input: string) {
  const stdin = new PassThrough();
  const [stdout, stderr] = [new PassThrough(), new PassThrough()];
  const texts = { out: '', err: '' };
  stdout.on('data', (chunk) => {
    texts.out += String(chunk);
  });
  stderr.on('data', (chunk) => {
    texts.err += String(chunk);
  });
  stdin.end(input);
  const code = await runTui(
    { openApp: async () => app, cwd: '/tmp' },
    { env: {}, profile: undefined, stdin, stdout, stderr, signal: new AbortController().signal },
  );
  return { code, ...texts };
}

describe('without a terminal', () => {
  it('KF-199 prints plain text, line by line', async () => {
    const app = createFakeApp();
    expect(await run(app, 'one\n\ntwo')).toEqual({ code: 0, out: 'echo: one\necho: two\n', err: '' });
    expect(app.closed).toBe(true);
  });

  it('denies what it cannot ask, and says that there was no answer', async () => {
    const app = createFakeApp();
    const answers: unknown[] = [];
    app.scripts.push(async (io) => {
      answers.push(await io.ask({ kind: 'approval', tool: 't', action: 'x', risks: [], choices: ['once', 'deny'] }));
      answers.push(await io.ask({ kind: 'secret', name: 'n', prompt: 'p' }));
      return { text: '' };
    });
    const { code, out, err } = await run(app, 'go');
    expect(answers).toEqual(['deny', undefined]);
    expect({ code, out }).toEqual({ code: 1, out: '' });
    expect(err).toContain('no answer');
  });
});
