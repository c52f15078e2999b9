import { afterEach, describe, expect, it } from 'vitest';
import { assertStablePrefix, type ModelServer, startModelServer } from './model-server.ts';

let server: ModelServer | undefined;
afterEach(async () => {
  await server?.close();
  server = undefined;
});

const post = (url: string, body: unknown) =>
  fetch(url, { method: 'POST', body: JSON.stringify(body), headers: { 'content-type': 'application/json' } });

describe('model server', () => {
  it('speaks three protocols, streamed and plain', async () => {
    server = await startModelServer();
    server.script(() => ({ text: 'hello there', toolCalls: [{ name: 'run', args: { a: 1 }, id: 'c1' }] }));
    for (const [path, marks] of [
      ['/v1/chat/completions', ['"tool_calls"', '[DONE]']],
      ['/v1/responses', ['response.function_call_arguments.done', 'response.completed']],
      ['/v1/messages', ['"tool_use"', 'message_stop']],
    ] as const) {
      const streamed = await (await post(server.url + path, { model: 'm', stream: true })).text();
      for (const mark of marks) expect(streamed).toContain(mark);
      const plain = JSON.stringify(await (await post(server.url + path, { model: 'm' })).json());
      expect(plain).toContain('hello there');
    }
    expect(server.requests).toHaveLength(6);
  });

  it('misbehaves as told and says when the script is over', async () => {
    server = await startModelServer();
    server.script([
      { status: 429, body: { error: { message: 'slow down' } }, headers: { 'retry-after': '3' } },
      { text: 'abc', cutAfter: 2 },
    ]);
    const url = `${server.baseUrl}/chat/completions`;
    const refused = await post(url, {});
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '3']);
    expect(await (await post(url, { stream: true })).text()).not.toContain('[DONE]');
    expect((await post(url, {})).status).toBe(400);
  });

  it('tells a kept prefix from a changed one', async () => {
    server = await startModelServer();
    const url = `${server.baseUrl}/chat/completions`;
    const first = [
      { role: 'system', content: 's' },
      { role: 'user', content: 'a' },
    ];
    await post(url, { model: 'm', messages: first });
    await post(url, { model: 'm', messages: [...first, { role: 'assistant', content: 'b' }] });
    assertStablePrefix(server.requests);
    await post(url, { model: 'm', messages: [{ role: 'system', content: 'S' }] });
    const { requests } = server;
    expect(() => assertStablePrefix(requests)).toThrow('changed message 0');
  });
});
