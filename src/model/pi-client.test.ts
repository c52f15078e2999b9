import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { endpointOf, KEY, listen, requestOf } from '../../test/support/model-endpoint.ts';
import { assertStablePrefix, type ModelServer, startModelServer } from '../../test/support/model-server.ts';
import type { ChatMessage, ToolSchema } from '../contracts/message.ts';
import type { Endpoint, LibraryApi } from './endpoint.ts';
import { createHttpFetch } from './http/http-fetch.ts';
import { createPiClient } from './pi-client.ts';

let server: ModelServer;
beforeEach(async () => {
  server = await startModelServer();
});
afterEach(() => server.close());

const APIS: LibraryApi[] = ['openai-completions', 'openai-responses', 'anthropic-messages'];
const clientOf = (endpoint: Endpoint) =>
  createPiClient(endpoint, {
    fetch: createHttpFetch({ readTimeoutMs: endpoint.timeouts.readMs }),
    userAgent: 'hermes-test',
  });
const TOOLS: ToolSchema[] = [
  {
    name: 'read_file',
    description: 'Reads',
    parameters: { type: 'object', properties: { path: { type: 'string' } }, required: ['path'] },
  },
  { name: 'todo', description: 'Plans', parameters: { type: 'object', properties: {} } },
];

describe.each(APIS)('%s', (api) => {
  it('streams text, reasoning and a tool call and ends once', async () => {
    server.script([
      {
        reasoning: 'let me see',
        text: 'Hello, 駅 wörld',
        toolCalls: [{ name: 'read_file', args: { path: 'a.txt' }, id: 'c1' }],
        chunk: 3,
      },
    ]);
    const heard = await listen(clientOf(endpointOf(server, api)), requestOf({ tools: TOOLS }));
    expect(heard.text).toBe('Hello, 駅 wörld');
    expect(heard.reasoning.trim()).toBe('let me see');
    expect(heard.events).toContainEqual({ type: 'toolcall_start', name: 'read_file' });
    const { message } = heard.end;
    expect(message).toMatchObject({ stopReason: 'toolUse', provider: 'custom', model: 'mock-model' });
    expect(message.content.find((block) => block.type === 'toolCall')).toMatchObject({
      name: 'read_file',
      arguments: { path: 'a.txt' },
    });
  });

  it('sends the same prefix over ten rounds, byte for byte', async () => {
    server.script((_request, index) => ({
      text: `step ${index}`,
      reasoning: 'hm',
      toolCalls: [{ name: 'read_file', args: { path: `f${index}`, z: 1, a: [2] }, id: `call_${index}` }],
    }));
    const endpoint = endpointOf(server, api);
    const client = clientOf({ ...endpoint, info: { ...endpoint.info, reasoning: true } });
    const messages: ChatMessage[] = [{ role: 'user', content: [{ type: 'text', text: 'go' }], timestamp: 1 }];
    for (let round = 0; round < 10; round++) {
      const { end } = await listen(client, requestOf({ tools: TOOLS, messages: [...messages] }));
      const call = end.message.content.find((block) => block.type === 'toolCall');
      if (call === undefined) throw new Error('no call');
      // As a store would return it: through JSON.
      messages.push(JSON.parse(JSON.stringify(end.message)));
      messages.push({
        role: 'toolResult',
        toolCallId: call.id,
        toolName: call.name,
        content: [{ type: 'text', text: `r${round}` }],
        isError: false,
        timestamp: 2,
      });
    }
    expect(server.requests).toHaveLength(10);
    assertStablePrefix(server.requests);
    const before = server.requests.at(-1)?.raw;
    await listen(client, requestOf({ tools: TOOLS, messages: messages.slice(0, -2) }));
    expect(server.requests.at(-1)?.raw).toBe(before);
  });

  it('KF-045: gives a provider its own reasoning back, and another provider none', async () => {
    server.script(() => ({ reasoning: 'r1', toolCalls: [{ name: 'todo', id: 'c1' }] }));
    const endpoint = endpointOf(server, api);
    const reasoning = { ...endpoint, info: { ...endpoint.info, reasoning: true } };
    const { end } = await listen(clientOf(reasoning), requestOf({ tools: TOOLS }));
    const call = end.message.content.find((block) => block.type === 'toolCall');
    const messages: ChatMessage[] = [
      ...requestOf().messages,
      end.message,
      {
        role: 'toolResult',
        toolCallId: call?.id ?? '',
        toolName: 'todo',
        content: [{ type: 'text', text: 'done' }],
        isError: false,
        timestamp: 2,
      },
    ];
    await listen(clientOf(reasoning), requestOf({ tools: TOOLS, messages }));
    expect(server.requests.at(-1)?.raw).toContain('"r1"');
    await listen(
      clientOf({ ...reasoning, info: { ...reasoning.info, model: 'other' } }),
      requestOf({ tools: TOOLS, messages }),
    );
    expect(server.requests.at(-1)?.raw).not.toContain('"r1"');
  });

  it('KF-053: half a surrogate pair becomes U+FFFD everywhere in the request', async () => {
    const half = 'ok \ud83d end';
    const tools = [{ ...TOOLS[0]!, description: half }];
    await listen(
      clientOf(endpointOf(server, api)),
      requestOf({
        system: half,
        tools,
        messages: [{ role: 'user', content: [{ type: 'text', text: half }], timestamp: 1 }],
      }),
    );
    const raw = server.requests[0]?.raw ?? '';
    expect(raw.split('ok \ufffd end')).toHaveLength(4);
    expect(raw).not.toMatch(/\\ud83d/i);
  });

  it('KF-056: puts a note in the place of a picture for a model that reads none', async () => {
    const picture: ChatMessage = {
      role: 'user',
      content: [
        { type: 'text', text: 'see' },
        { type: 'image', data: 'AAAA', mimeType: 'image/png' },
      ],
      timestamp: 1,
    };
    const endpoint = endpointOf(server, api);
    await listen(
      clientOf({ ...endpoint, info: { ...endpoint.info, images: false } }),
      requestOf({ messages: [picture] }),
    );
    expect(server.requests[0]?.raw).not.toContain('AAAA');
    expect(server.requests[0]?.raw).toContain('image omitted');
  });

  it('takes a plain answer, whether it was told not to stream or the server does not', async () => {
    const reply = { text: 'plain', toolCalls: [{ name: 'todo', args: { a: 1 }, id: 'c9' }] };
    server.script([reply]);
    const heard = await listen(clientOf(endpointOf(server, api, { streaming: false })), requestOf({ tools: TOOLS }));
    expect(server.requests[0]?.body.stream).toBeUndefined();
    expect(heard.text).toBe('plain');
    expect(heard.end.message.content.find((block) => block.type === 'toolCall')).toMatchObject({
      name: 'todo',
      arguments: { a: 1 },
    });
  });

  it('aborts soon and keeps what had arrived', async () => {
    server.script([{ text: 'first second third', chunk: 6, hangAfter: 4, hangMs: 20_000 }]);
    const abort = new AbortController();
    const events = [];
    for await (const event of clientOf(endpointOf(server, api)).stream(requestOf(), abort.signal)) {
      events.push(event);
      if (event.type === 'text_delta') abort.abort();
    }
    const end = events.at(-1);
    expect(end).toMatchObject({ type: 'end', message: { stopReason: 'aborted' } });
    expect(end).not.toHaveProperty('failure');
    expect(JSON.stringify(end)).toContain('first');
  });

  it('merges the user’s fields into the body and sends no key the endpoint does not want', async () => {
    const endpoint = endpointOf(server, api, {
      extraBody: { top_k: 7, metadata: { a: 1 } },
      headers: { 'x-team': 'blue' },
      credential: async () => undefined,
    });
    await listen(clientOf(endpoint), requestOf());
    const [request] = server.requests;
    expect(request?.body).toMatchObject({ top_k: 7, metadata: { a: 1 } });
    expect(request?.headers).toMatchObject({ 'x-team': 'blue', 'user-agent': 'hermes-test' });
    expect(JSON.stringify(request?.headers)).not.toMatch(/bearer|"x-api-key"/i);
  });

  it('explains a refusal in one sentence without the key', async () => {
    server.script([{ status: 401, body: { error: { message: `bad key ${KEY}`, type: 'authentication_error' } } }]);
    const { end } = await listen(clientOf(endpointOf(server, api)), requestOf());
    expect(end.failure).toMatchObject({ reason: 'auth', recovery: 'rotate', status: 401 });
    expect(end.failure?.hint).toContain('hermes setup');
    expect(JSON.stringify(end)).not.toContain(KEY);
  });

  it('KF-069: notices a stream that only keeps alive', async () => {
    server.script([{ text: 'one two three', chunk: 4, hangAfter: 5, hangMs: 20_000, keepAlive: true }]);
    const endpoint = endpointOf(server, api, { timeouts: { readMs: 0, staleMs: 150, callMs: 0 } });
    const { end } = await listen(clientOf(endpoint), requestOf());
    expect(end.failure).toMatchObject({ reason: 'timeout', recovery: 'retry' });
  });

  it('KF-036: sees a web page for what it is', async () => {
    server.script([{ html: '<html>busy</html>' }]);
    const { end } = await listen(clientOf(endpointOf(server, api)), requestOf());
    expect(end.failure).toMatchObject({ reason: 'invalid_response', recovery: 'retry' });
    expect(end.failure?.message).not.toContain('<html>');
  });

  it('KF-038: tells a cut stream from a finished one', async () => {
    server.script([{ text: 'The three steps are: 1.', chunk: 4, cutAfter: 6 }]);
    const { end } = await listen(clientOf(endpointOf(server, api)), requestOf());
    expect(end.failure).toMatchObject({ reason: 'stream_cut', recovery: 'retry' });
    expect(end.message.stopReason).toBe('error');
  });

  it('KF-040: keeps characters whole however the bytes are cut', async () => {
    server.script([{ text: '駅 🚉 é', chunk: 1, writeBytes: 1 }]);
    expect((await listen(clientOf(endpointOf(server, api)), requestOf())).text).toBe('駅 🚉 é');
  });
});

describe('chat completions', () => {
  const api = 'openai-completions';

  it('KF-035: takes a tool name that is sent twice once, and gives every call its own id', async () => {
    const delta = (value: unknown, finish: string | null = null) =>
      `data: ${JSON.stringify({ id: 'x', choices: [{ index: 0, delta: value, finish_reason: finish }] })}\n\n`;
    const call = (index: number, name: string | undefined, args: string, id?: string) => ({
      tool_calls: [{ index, id, function: { name, arguments: args } }],
    });
    server.script([
      {
        raw:
          delta(call(0, 'read_file', '')) +
          delta(call(0, 'read_file', '{"path":"a"}')) +
          delta(call(1, 'todo', '{}')) +
          delta({}, 'tool_calls') +
          'data: [DONE]\n\n',
      },
    ]);
    const { end } = await listen(clientOf(endpointOf(server, api)), requestOf({ tools: TOOLS }));
    const calls = end.message.content.filter((block) => block.type === 'toolCall');
    expect(calls.map((block) => block.name)).toEqual(['read_file', 'todo']);
    expect(new Set(calls.map((block) => block.id)).size).toBe(2);
    expect(calls.every((block) => block.id !== '')).toBe(true);
  });

  it('KF-037: a last part without choices ends the reply', async () => {
    const { end } = await listen(clientOf(endpointOf(server, api)), requestOf());
    expect(end.message.stopReason).toBe('stop');
  });

  it('KF-032: marks arguments that the output limit cut', async () => {
    server.script([
      { toolCalls: [{ name: 'read_file', args: '{"path":"a.txt","content":"hel', id: 'c1' }], finish: 'length' },
    ]);
    const { end } = await listen(clientOf(endpointOf(server, api)), requestOf({ tools: TOOLS }));
    expect(end.message.stopReason).toBe('length');
    expect(end.message.content[0]).toHaveProperty('argumentsError');
  });

  it('sends no output cap that nobody set', async () => {
    const endpoint = endpointOf(server, api);
    await listen(clientOf({ ...endpoint, info: { ...endpoint.info, maxOutputTokens: undefined } }), requestOf());
    await listen(
      clientOf({ ...endpoint, info: { ...endpoint.info, maxOutputTokens: undefined } }),
      requestOf({ maxOutputTokens: 99 }),
    );
    expect(server.requests[0]?.raw).not.toMatch(/max_(completion_)?tokens/);
    expect(server.requests[1]?.raw).toMatch(/max_(completion_)?tokens":99/);
  });

  it('says that nothing listens', async () => {
    const closed = await startModelServer();
    await closed.close();
    const { end } = await listen(clientOf(endpointOf(closed, api)), requestOf());
    expect(end.failure?.message).toContain(`Nothing is listening at ${closed.baseUrl}`);
  });
});

describe('anthropic messages', () => {
  it('never sets more than four cache marks', async () => {
    const messages: ChatMessage[] = [];
    const client = clientOf(endpointOf(server, 'anthropic-messages'));
    for (let round = 0; round < 4; round++) {
      messages.push({ role: 'user', content: [{ type: 'text', text: `q${round}` }], timestamp: 1 });
      const { end } = await listen(client, requestOf({ tools: TOOLS, messages: [...messages] }));
      messages.push(end.message);
    }
    const marks = server.requests.map((request) => request.raw.split('cache_control').length - 1);
    expect(Math.max(...marks)).toBe(4);
    assertStablePrefix(server.requests);
  });
});
