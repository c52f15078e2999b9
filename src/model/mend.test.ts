import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { endpointOf, listen, requestOf } from '../../test/support/model-endpoint.ts';
import { type ModelServer, startModelServer } from '../../test/support/model-server.ts';
import type { AssistantMessage, ChatMessage } from '../contracts/message.ts';
import { createHttpFetch } from './http/http-fetch.ts';
import { imageSize } from './image-size.ts';
import { createMendingClient } from './mend.ts';
import { createPiClient } from './pi-client.ts';

let server: ModelServer;
beforeEach(async () => {
  server = await startModelServer();
});
afterEach(() => server.close());

const client = (reasoning = false) => {
  const endpoint = endpointOf(server, 'openai-completions');
  return createMendingClient(
    createPiClient(
      { ...endpoint, info: { ...endpoint.info, reasoning } },
      { fetch: createHttpFetch(), userAgent: 't' },
    ),
  );
};
const refuse = (message: string) => ({ status: 400, body: { error: { message } } });

/** The head of a PNG is enough to tell its size. */
function png(width: number, height: number, bytes = 64): string {
  const data = Buffer.alloc(bytes, width % 251);
  data.write('89504e470d0a1a0a0000000d49484452', 0, 'hex');
  data.writeUInt32BE(width, 16);
  data.writeUInt32BE(height, 20);
  return data.toString('base64');
}
const withImages = (...images: string[]): ChatMessage[] => [
  {
    role: 'user',
    content: [
      { type: 'text', text: 'look' },
      ...images.map((data) => ({ type: 'image' as const, data, mimeType: 'image/png' })),
    ],
    timestamp: 1,
  },
];

describe('mending', () => {
  it('KF-055: leaves out the picture that is too large, keeps the others, and stays that way', async () => {
    const [big, small] = [png(9500, 400), png(300, 300)];
    server.script([refuse('image dimensions exceed 8000 pixels'), { text: 'ok' }, { text: 'again' }]);
    const mended = client();
    const request = requestOf({ messages: withImages(big, small) });
    expect((await listen(mended, request)).text).toBe('ok');
    await listen(mended, request);
    for (const { raw } of server.requests.slice(1)) {
      expect(raw).not.toContain(big);
      expect(raw).toContain(small);
      expect(raw).toContain('picture left out');
    }
    expect(server.requests[2]?.raw).toBe(server.requests[1]?.raw);
  });

  it('gives up on pictures one by one, largest first, and then on the model', async () => {
    server.script(() => refuse('image too large'));
    const { end } = await listen(client(), requestOf({ messages: withImages(png(10, 10, 90), png(11, 11, 120)) }));
    expect(end.failure).toMatchObject({ reason: 'image_too_large', recovery: 'fallback' });
    expect(server.requests).toHaveLength(3);
  });

  it('drops pictures for a model that turns out not to read any', async () => {
    server.script([refuse('this model does not support image input'), { text: 'ok' }]);
    expect((await listen(client(), requestOf({ messages: withImages(png(9, 9)) }))).text).toBe('ok');
  });

  it('sends schemas a grammar can read, properties of the same name untouched', async () => {
    server.script([refuse('failed to parse grammar'), { text: 'ok' }]);
    const parameters = { type: 'object', properties: { pattern: { type: 'string', pattern: '^a', format: 'uri' } } };
    await listen(client(), requestOf({ tools: [{ name: 'grep', description: 'd', parameters }] }));
    expect(server.requests[1]?.body.tools[0].function.parameters).toEqual({
      type: 'object',
      properties: { pattern: { type: 'string' } },
    });
  });

  it('drops earlier reasoning that is no longer accepted', async () => {
    const reply: AssistantMessage = {
      role: 'assistant',
      provider: 'custom',
      model: 'mock-model',
      api: 'openai-completions',
      stopReason: 'stop',
      timestamp: 2,
      content: [
        { type: 'thinking', thinking: 'old thought', thinkingSignature: 'reasoning_content' },
        { type: 'text', text: 'a' },
      ],
      usage: {
        input: 0,
        output: 0,
        cacheRead: 0,
        cacheWrite: 0,
        totalTokens: 0,
        cost: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, total: 0 },
      },
    };
    server.script([refuse('thinking blocks cannot be modified: bad signature'), { text: 'ok' }]);
    const messages: ChatMessage[] = [...requestOf().messages, reply, ...requestOf().messages];
    expect((await listen(client(true), requestOf({ messages }))).text).toBe('ok');
    expect(server.requests.map(({ raw }) => raw.includes('old thought'))).toEqual([true, false]);
  });
});

describe('image size', () => {
  it('reads the common formats', () => {
    expect(imageSize(png(640, 480))).toEqual({ width: 640, height: 480 });
    const gif = Buffer.alloc(40);
    gif.write('GIF89a', 0, 'latin1');
    gif.writeUInt16LE(7, 6);
    gif.writeUInt16LE(9, 8);
    expect(imageSize(gif.toString('base64'))).toEqual({ width: 7, height: 9 });
    const jpeg = Buffer.concat([
      Buffer.from('ffd8ffe00010', 'hex'),
      Buffer.alloc(14),
      Buffer.from('ffc0001108012c0190', 'hex'),
      Buffer.alloc(20),
    ]);
    expect(imageSize(jpeg.toString('base64'))).toEqual({ width: 400, height: 300 });
    expect(imageSize('AAAA')).toBeUndefined();
  });
});
