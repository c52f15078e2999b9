/**
 * The history as it may be sent: every call answered once and directly, no orphan result, roles that alternate. Pure and deterministic: the same history gives the same bytes, and a longer history
 * begins with what a shorter one gave.
 */
import type { AssistantMessage, ChatMessage, ToolCall, ToolResultMessage, UserMessage } from '../contracts/message.ts';

export function sanitizeHistory(messages: readonly ChatMessage[]): ChatMessage[] {
  return mergeNeighbours(pairResults(messages));
}

export function toolCallsOf(message: AssistantMessage): ToolCall[] {
  return message.content.filter((block) => block.type === 'toolCall');
}

export function textOf(message: ChatMessage): string {
  if (typeof message.content === 'string') return message.content;
  return message.content.map((block) => (block.type === 'text' ? block.text : '')).join('');
}

/** A result for a call that never got one. */
function missingResult(call: ToolCall, at: number): ToolResultMessage {
  return {
    role: 'toolResult',
    toolCallId: call.id,
    toolName: call.name,
    content: [{ type: 'text', text: '[No result: the call was interrupted before it finished.]' }],
    isError: true,
    timestamp: at,
  };
}

interface Slot {
  readonly call: ToolCall;
  result: ToolResultMessage | undefined;
}

/** Some models number their calls anew in every reply: a result belongs to the nearest open call of its id. */
function pairResults(messages: readonly ChatMessage[]): ChatMessage[] {
  const open = new Map<string, Slot[]>();
  const items = messages.flatMap((message) => {
    if (message.role === 'toolResult') {
      const slot = open.get(message.toolCallId)?.pop();
      if (slot !== undefined) slot.result = message;
      return []; // placed after its call
    }
    const slots =
      message.role === 'assistant' ? toolCallsOf(message).map((call): Slot => ({ call, result: undefined })) : [];
    for (const slot of slots) open.set(slot.call.id, [...(open.get(slot.call.id) ?? []), slot]);
    return [{ message, slots }];
  });
  return items.flatMap(({ message, slots }) => [
    message,
    ...slots.map(({ call, result }) => result ?? missingResult(call, message.timestamp)),
  ]);
}

function mergeNeighbours(messages: readonly ChatMessage[]): ChatMessage[] {
  const out: ChatMessage[] = [];
  for (const message of messages) {
    const last = out.at(-1);
    if (last?.role === 'user' && message.role === 'user') out[out.length - 1] = mergeUsers(last, message);
    else if (last?.role === 'assistant' && message.role === 'assistant')
      out[out.length - 1] = mergeReplies(last, message);
    else if (!(message.role === 'assistant' && message.content.length === 0)) out.push(message);
  }
  return out;
}

function mergeUsers(first: UserMessage, second: UserMessage): UserMessage {
  if (typeof first.content === 'string' && typeof second.content === 'string')
    return { ...first, content: `${first.content}\n\n${second.content}` };
  return { ...first, content: [...blocks(first), ...blocks(second)] };
}

function blocks(message: UserMessage): Exclude<UserMessage['content'], string> {
  return typeof message.content === 'string' ? [{ type: 'text', text: message.content }] : message.content;
}

function mergeReplies(first: AssistantMessage, second: AssistantMessage): AssistantMessage {
  return { ...second, content: [...first.content, ...second.content] };
}
