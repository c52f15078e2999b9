import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ChatMessage } from '../contracts/message.ts';
import { wellFormed } from '../lib/well-formed.ts';
import { decodeRow, type MessageRow } from './message-decode.ts';
import { encodeMessage } from './message-row.ts';

const ORIGIN = { model: 'some-model', provider: 'some-provider' };
const text = fc.string({ unit: 'binary', maxLength: 40 });
const halves = fc.string({ unit: fc.constantFrom('a', '\ud83d', '\ude00', '\0', '\n', '[image]'), maxLength: 8 });
const anyText = fc.oneof(text, halves);
/** Values that JSON can carry: what a model's arguments are parsed from. */
const jsonObject = fc
  .dictionary(fc.string({ minLength: 1, maxLength: 8 }), fc.jsonValue({ maxDepth: 2 }), { maxKeys: 4 })
  .map((value) => JSON.parse(JSON.stringify(value)));
const id = fc.stringMatching(/^[a-z0-9_|]{1,20}$/);
const timestamp = fc.integer({ min: 0, max: 4_000_000_000_000 });
const usage = fc.record({
  input: fc.nat(),
  output: fc.nat(),
  cacheRead: fc.nat(),
  cacheWrite: fc.nat(),
  totalTokens: fc.nat(),
  cost: fc.record({ input: fc.nat(), output: fc.nat(), cacheRead: fc.nat(), cacheWrite: fc.nat(), total: fc.nat() }),
});

const textBlock = fc.record(
  { type: fc.constant('text' as const), text: anyText, textSignature: text },
  { requiredKeys: ['type', 'text'] },
);
const imageBlock = fc.record({
  type: fc.constant('image' as const),
  data: fc.base64String(),
  mimeType: fc.constant('image/png'),
});
const thinkingBlock = fc.record(
  { type: fc.constant('thinking' as const), thinking: anyText, thinkingSignature: anyText, redacted: fc.boolean() },
  { requiredKeys: ['type', 'thinking'] },
);
const callBlock = fc.record(
  {
    type: fc.constant('toolCall' as const),
    id,
    name: text,
    arguments: jsonObject,
    thoughtSignature: text,
    argumentsError: text,
  },
  { requiredKeys: ['type', 'id', 'name', 'arguments'] },
);

const userMessage = fc.record({
  role: fc.constant('user' as const),
  content: fc.oneof(anyText, fc.array(fc.oneof(textBlock, imageBlock), { maxLength: 4 })),
  timestamp,
});
const assistantMessage = fc.record(
  {
    role: fc.constant('assistant' as const),
    content: fc.array(fc.oneof(textBlock, thinkingBlock, callBlock), { maxLength: 5 }),
    api: fc.constantFrom('openai-completions', 'anthropic-messages', 'openai-codex-responses', 'google-generative-ai'),
    provider: text,
    model: text,
    responseId: text,
    errorMessage: anyText,
    usage,
    stopReason: fc.constantFrom('stop', 'length', 'toolUse', 'error', 'aborted'),
    timestamp,
  },
  { requiredKeys: ['role', 'content', 'api', 'provider', 'model', 'usage', 'stopReason', 'timestamp'] },
);
const toolResultMessage = fc.record(
  {
    role: fc.constant('toolResult' as const),
    toolCallId: id,
    toolName: text,
    content: fc.array(fc.oneof(textBlock, imageBlock), { maxLength: 3 }),
    details: jsonObject,
    isError: fc.boolean(),
    timestamp,
    durationMs: fc.nat(),
  },
  { requiredKeys: ['role', 'toolCallId', 'toolName', 'content', 'isError', 'timestamp'] },
);
const message = fc.oneof(userMessage, assistantMessage, toolResultMessage) as fc.Arbitrary<ChatMessage>;

function roundTrip(value: ChatMessage): ChatMessage | undefined {
  return decodeRow({ id: 1, ...encodeMessage({ message: value }) }, ORIGIN)?.message;
}

describe('a message as a row', () => {
  it('comes back as it went in', () => {
    fc.assert(
      fc.property(message, (value) => {
        expect(roundTrip(value)).toEqual(wellFormed(value));
      }),
      { numRuns: 500 },
    );
  });

  it('shows readers of the plain columns the text, without a NUL and without pictures', () => {
    fc.assert(
      fc.property(message, (value) => {
        const columns = encodeMessage({ message: value });
        const texts =
          typeof value.content === 'string'
            ? [value.content]
            : value.content.flatMap((block) => (block.type === 'text' ? [block.text] : []));
        for (const part of texts) expect(columns.content).toContain(wellFormed(part).replaceAll('\0', ''));
        expect(columns.content ?? '').not.toContain('\0');
      }),
    );
  });

  it('writes tool calls in the shape of the original', () => {
    const columns = encodeMessage({
      message: {
        role: 'assistant',
        content: [{ type: 'toolCall', id: 'c1', name: 'read_file', arguments: { path: 'a' } }],
        api: 'openai-completions',
        provider: 'p',
        model: 'm',
        usage: {
          input: 0,
          output: 0,
          cacheRead: 0,
          cacheWrite: 0,
          totalTokens: 0,
          cost: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, total: 0 },
        },
        stopReason: 'toolUse',
        timestamp: 1500,
      },
    });
    expect(JSON.parse(columns.tool_calls ?? '')).toEqual([
      { id: 'c1', type: 'function', function: { name: 'read_file', arguments: '{"path":"a"}' } },
    ]);
    expect(columns).toMatchObject({ role: 'assistant', content: null, finish_reason: 'tool_calls', timestamp: 1.5 });
  });

  it('believes the plain columns when they were rewritten', () => {
    const columns = encodeMessage({
      message: { role: 'user', content: [{ type: 'text', text: 'before' }], timestamp: 1 },
    });
    const row: MessageRow = { id: 1, ...columns, content: 'rewritten by another program' };
    expect(decodeRow(row, ORIGIN)?.message.content).toBe('rewritten by another program');
  });

  it('KF-053: half of a surrogate pair becomes U+FFFD', () => {
    expect(roundTrip({ role: 'user', content: 'ok \ud83d end', timestamp: 1 })?.content).toBe('ok \ufffd end');
  });

  it('is no message when the row is the system prompt or a marker', () => {
    const columns = encodeMessage({ message: { role: 'user', content: 'x', timestamp: 1 } });
    expect(decodeRow({ id: 1, ...columns, role: 'session_meta' }, ORIGIN)).toBeUndefined();
  });
});
