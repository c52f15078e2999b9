import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { endpointOf, listen, requestOf } from '../../test/support/model-endpoint.ts';
import { type ModelServer, startModelServer } from '../../test/support/model-server.ts';
import type { ModelFailure } from './client.ts';
import { createHttpFetch } from './http/http-fetch.ts';
import { createPiClient } from './pi-client.ts';
import { backOff, createRetryClient } from './retry.ts';

let server: ModelServer;
let waits: number[];
beforeEach(async () => {
  server = await startModelServer();
  waits = [];
});
afterEach(() => server.close());

const client = (maxRetries = 3) =>
  createRetryClient(
    createPiClient(endpointOf(server, 'openai-completions'), { fetch: createHttpFetch(), userAgent: 't' }),
    {
      maxRetries,
      random: () => 0,
      sleep: async (ms) => void waits.push(ms),
    },
  );
const overloaded = { status: 503, body: { error: { message: 'overloaded' } } };
const broken = { status: 500, body: { error: { message: 'oops' } } };

describe('retry', () => {
  it('tries again with growing waits and says so', async () => {
    server.script([broken, broken, { text: 'fine' }]);
    const heard = await listen(client(), requestOf());
    expect(heard.text).toBe('fine');
    expect(waits).toEqual([2000, 4000]);
    expect(heard.events.filter((event) => event.type === 'status')).toHaveLength(2);
  });

  it('gives up after its tries, and at once for what no try mends', async () => {
    server.script(() => broken);
    expect((await listen(client(2), requestOf())).end.failure?.reason).toBe('server_error');
    expect(server.requests).toHaveLength(3);
    server.script(() => ({ status: 401, body: {} }));
    await listen(client(), requestOf());
    expect(server.requests).toHaveLength(4);
  });

  it('KF-038: takes back what a cut answer had shown, and shows the whole one', async () => {
    server.script([
      { text: 'The three steps are: 1.', chunk: 4, cutAfter: 6 },
      { text: 'The three steps are: 1. a 2. b 3. c' },
    ]);
    const heard = await listen(client(), requestOf());
    expect(heard.events.filter((event) => event.type === 'restart')).toHaveLength(1);
    expect(heard.text).toBe('The three steps are: 1. a 2. b 3. c');
  });

  it('ends with the part that arrived when every try is cut', async () => {
    server.script(() => ({ text: 'half an answer', cutAfter: 3, chunk: 5 }));
    const { end } = await listen(client(9), requestOf());
    expect(end.failure?.reason).toBe('stream_cut');
    expect(JSON.stringify(end.message.content)).toContain('half');
    expect(server.requests.length).toBeLessThan(5);
  });

  it('KF-073: waits as long as the provider asks', async () => {
    server.script([
      { status: 429, body: { error: { message: 'slow' } }, headers: { 'retry-after': '5' } },
      { text: 'ok' },
    ]);
    expect((await listen(client(), requestOf())).text).toBe('ok');
    expect(waits).toEqual([5000]);
  });

  it('KF-036: a web page in place of an answer is tried again', async () => {
    server.script([{ html: '<html>busy</html>' }, { text: 'good' }]);
    expect((await listen(client(), requestOf())).text).toBe('good');
  });

  it('gives an overloaded provider more time, but not for ever', async () => {
    server.script(() => overloaded);
    await listen(client(), requestOf());
    expect(server.requests).toHaveLength(8);
    expect(waits.slice(3)).toEqual([15_000, 30_000, 60_000, 120_000]);
  });

  it('KF-072: a wait is shown and ends with the signal', async () => {
    server.script(() => ({ status: 429, body: {}, headers: { 'retry-after': '600' } }));
    const abort = new AbortController();
    const slow = createRetryClient(
      createPiClient(endpointOf(server, 'openai-completions'), { fetch: createHttpFetch(), userAgent: 't' }),
    );
    const kinds: string[] = [];
    for await (const event of slow.stream(requestOf(), abort.signal)) {
      kinds.push(event.type === 'end' ? event.message.stopReason : event.type);
      if (event.type === 'status') setImmediate(() => abort.abort());
    }
    expect(kinds).toEqual(['status', 'aborted']);
  });

  it('never waits longer than its ceiling, nor shorter than its base', () => {
    fc.assert(
      fc.property(
        fc.constantFrom('timeout', 'server_error', 'invalid_response', 'overloaded', 'rate_limit'),
        fc.integer({ min: 1, max: 40 }),
        fc.double({ min: 0, max: 1, noNaN: true }),
        (reason, tries, random) => {
          const failure: ModelFailure = { reason, recovery: 'retry', message: 'm' };
          const wait = backOff(failure, tries, () => random);
          expect(wait).toBeGreaterThanOrEqual(2000);
          expect(wait).toBeLessThanOrEqual(180_000);
        },
      ),
    );
  });
});
