import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { assistant, call, toolResult, user } from '../../test/support/state-store.ts';
import type { ChatMessage } from '../contracts/message.ts';
import { interruptedResult, pairToolResults } from './history.ts';
import type { LoadedMessage } from './session-store.ts';

function rows(...messages: ChatMessage[]): LoadedMessage[] {
  return messages.map((message, index) => ({ rowId: index + 1, message }));
}

function texts(messages: readonly LoadedMessage[]): string[] {
  return messages.map(({ message }) =>
    typeof message.content === 'string'
      ? message.content
      : message.content.map((block) => (block.type === 'text' ? block.text : block.type)).join('+'),
  );
}

/** Every call answered once, by its own result, right behind its reply; no other result anywhere. */
function isSendable(messages: readonly LoadedMessage[]): boolean {
  let expected: string[] = [];
  for (const { message } of messages) {
    if (message.role === 'toolResult') {
      if (expected.shift() !== message.toolCallId) return false;
      continue;
    }
    if (expected.length > 0) return false;
    if (message.role === 'assistant')
      expected = message.content.flatMap((block) => (block.type === 'toolCall' ? [block.id] : []));
  }
  return expected.length === 0;
}

describe('pairing calls with results', () => {
  it('puts a late result behind its call and leaves orphans out', () => {
    const paired = pairToolResults(
      rows(
        toolResult('ghost', 'orphan'),
        user('q'),
        assistant('', [call('a'), call('b')]),
        toolResult('b', 'B'),
        user('next'),
        toolResult('a', 'A'),
      ),
    );
    expect(texts(paired.messages)).toEqual(['q', 'toolCall+toolCall', 'A', 'B', 'next']);
    expect(paired.open).toEqual([]);
  });

  it('gives each reply its own result when ids repeat from reply to reply', () => {
    const paired = pairToolResults(
      rows(
        assistant('', [call('call_0')]),
        toolResult('call_0', 'first'),
        assistant('', [call('call_0')]),
        toolResult('call_0', 'second'),
      ),
    );
    expect(texts(paired.messages)).toEqual(['toolCall', 'first', 'toolCall', 'second']);
  });

  it('prefers a result that did arrive to the one written in its absence', () => {
    const paired = pairToolResults(
      rows(assistant('', [call('a')]), interruptedResult(call('a'), 1), toolResult('a', 'real')),
    );
    expect(texts(paired.messages)).toEqual(['toolCall', 'real']);
  });

  it('is sendable for any order and any loss, once the open calls are answered', () => {
    const part = fc.oneof(
      fc.constant(user('hello')),
      fc.array(fc.constantFrom('a', 'b', 'c'), { maxLength: 3 }).map((ids) =>
        assistant(
          'reply',
          ids.map((id) => call(id)),
        ),
      ),
      fc.constantFrom('a', 'b', 'c', 'ghost').map((id) => toolResult(id, 'result')),
    );
    fc.assert(
      fc.property(fc.array(part, { maxLength: 20 }), (messages) => {
        const open = pairToolResults(rows(...messages)).open.map((item) => interruptedResult(item, 1));
        const paired = pairToolResults(rows(...messages, ...open));
        expect(paired.open).toEqual([]);
        expect(isSendable(paired.messages)).toBe(true);
        const spoken = (message: ChatMessage): boolean => message.role !== 'toolResult';
        expect(paired.messages.map((row) => row.message).filter(spoken)).toEqual(messages.filter(spoken));
      }),
    );
  });
});
