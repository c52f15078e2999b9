/**
 * A message as a row in the original's layout. Its plain columns are what the original's readers see; what they
 * cannot carry (block order, signatures, pictures, usage ...) stands in `extra_json`, which refers to the text in
 * the plain columns by length instead of holding it twice.
 */
import type { AssistantMessage, ChatMessage, ToolCall, ToolResultMessage, UserMessage } from '../contracts/message.ts';
import { isRecord } from '../lib/record.ts';
import { wellFormed } from '../lib/well-formed.ts';
import { IMAGE_PLACEHOLDER } from './content-column.ts';
import { parseJson } from './json.ts';
import type { StoredMessage } from './session-store.ts';

export interface MessageColumns {
  readonly role: string;
  readonly content: string | null;
  readonly tool_call_id: string | null;
  readonly tool_calls: string | null;
  readonly tool_name: string | null;
  /** Seconds. */
  readonly timestamp: number;
  readonly finish_reason: string | null;
  readonly reasoning: string | null;
  readonly reasoning_content: string | null;
  readonly reasoning_details: string | null;
  readonly codex_reasoning_items: string | null;
  readonly codex_message_items: string | null;
  readonly api_content: string | null;
  readonly _compressed_summary: number;
  readonly effect_disposition: string | null;
  readonly display_kind: string | null;
  readonly display_metadata: string | null;
  readonly extra_json: string | null;
}

/** What `extra_json` holds. */
export interface MessageExtra {
  /** Fields of the message that no column carries. */
  readonly rest?: Readonly<Record<string, unknown>>;
  /** The content blocks; `chars` says how much of the plain column is theirs, `call` which tool call. */
  readonly blocks?: readonly Readonly<Record<string, unknown>>[];
  /** The content, when it is a string that the plain column cannot hold exactly. */
  readonly text?: string;
}

export const FINISH_REASONS = { stop: 'stop', length: 'length', toolUse: 'tool_calls' } as const;

const EMPTY: Omit<MessageColumns, 'role' | 'timestamp'> = {
  content: null,
  tool_call_id: null,
  tool_calls: null,
  tool_name: null,
  finish_reason: null,
  reasoning: null,
  reasoning_content: null,
  reasoning_details: null,
  codex_reasoning_items: null,
  codex_message_items: null,
  api_content: null,
  _compressed_summary: 0,
  effect_disposition: null,
  display_kind: null,
  display_metadata: null,
  extra_json: null,
};

export function encodeMessage(stored: StoredMessage): MessageColumns {
  const { message, apiContent, displayKind, displayText, isSummary } = wellFormed(stored);
  return {
    ...EMPTY,
    ...encodeByRole(message),
    timestamp: message.timestamp / 1000,
    api_content: apiContent ?? null,
    _compressed_summary: isSummary ? 1 : 0,
    display_kind: displayKind ?? null,
    display_metadata: displayText === undefined ? null : JSON.stringify({ text: displayText }),
  };
}

/** Calls in a reply, as the session counts them. */
export function toolCallCount(message: ChatMessage): number {
  return message.role === 'assistant' ? message.content.filter((block) => block.type === 'toolCall').length : 0;
}

type RoleColumns = Partial<MessageColumns> & Pick<MessageColumns, 'role'>;

function encodeByRole(message: ChatMessage): RoleColumns {
  if (message.role === 'user') return encodeUser(message);
  return message.role === 'assistant' ? encodeAssistant(message) : encodeToolResult(message);
}

function encodeUser(message: UserMessage): RoleColumns {
  const { role, content, timestamp, ...rest } = message;
  if (typeof content === 'string') {
    const plain = withoutNul(content);
    const text = plain === content ? undefined : content;
    return { role, content: plain, extra_json: extra({ text, rest: withTime(rest, timestamp) }) };
  }
  const texts = createTextPool();
  const blocks = content.map((block) => packBlock(block, texts));
  return { role, content: texts.join() ?? '', extra_json: extra({ blocks, rest: withTime(rest, timestamp) }) };
}

function encodeToolResult(message: ToolResultMessage): RoleColumns {
  const { role: _role, content, timestamp, toolCallId, toolName, ...rest } = message;
  const texts = createTextPool();
  const blocks = content.map((block) => packBlock(block, texts));
  return {
    role: 'tool',
    content: texts.join() ?? '',
    tool_call_id: toolCallId,
    tool_name: toolName,
    extra_json: extra({ blocks, rest: withTime(rest, timestamp) }),
  };
}

function encodeAssistant(message: AssistantMessage): RoleColumns {
  const { role, content, timestamp, ...rest } = message;
  const texts = createTextPool();
  const thoughts = createTextPool();
  const calls: ToolCall[] = [];
  const blocks = content.map((block) => {
    if (block.type === 'text') return packBlock(block, texts);
    if (block.type === 'thinking') return packThinking(block, thoughts);
    calls.push(block);
    const { id: _id, name: _name, arguments: _arguments, ...others } = block;
    return { ...others, call: calls.length - 1 };
  });
  const known = FINISH_REASONS[message.stopReason as keyof typeof FINISH_REASONS];
  return {
    role,
    content: texts.join(),
    tool_calls: calls.length > 0 ? JSON.stringify(calls.map(encodeCall)) : null,
    finish_reason: known ?? message.stopReason,
    ...encodeReasoning(message, thoughts.join()),
    extra_json: extra({ blocks, rest: withTime(rest, timestamp) }),
  };
}

function encodeCall(call: ToolCall): unknown {
  return { id: call.id, type: 'function', function: { name: call.name, arguments: JSON.stringify(call.arguments) } };
}

/** Reasoning in the columns from which the original replays it, vendor by vendor. */
function encodeReasoning(message: AssistantMessage, reasoning: string | null): Partial<MessageColumns> {
  const thoughts = message.content.filter((block) => block.type === 'thinking');
  const signatures = thoughts.flatMap((block) => block.thinkingSignature || []);
  if (signatures.length === 0) return { reasoning };
  if (signatures[0] === 'reasoning_content') return { reasoning, reasoning_content: reasoning };
  const parsed = signatures.map(parseJson);
  if (message.api.includes('responses')) {
    return { reasoning, codex_reasoning_items: jsonList(parsed.filter((item) => isRecord(item))) };
  }
  if (Array.isArray(parsed[0])) return { reasoning, reasoning_details: JSON.stringify(parsed[0]) };
  if (message.api !== 'anthropic-messages') return { reasoning };
  return {
    reasoning,
    reasoning_details: jsonList(
      thoughts.map((block) =>
        block.redacted
          ? { type: 'redacted_thinking', data: block.thinkingSignature }
          : { type: 'thinking', thinking: block.thinking, signature: block.thinkingSignature },
      ),
    ),
  };
}

interface TextPool {
  /** @returns length of what was added, NULs left out */
  add(text: string): number;
  join(): string | null;
}

/** Between two blocks in a plain column. */
export const BLOCK_SEPARATOR = '\n';

function createTextPool(): TextPool {
  const parts: string[] = [];
  return {
    add(text) {
      const plain = withoutNul(text);
      parts.push(plain);
      return plain.length;
    },
    join: () => (parts.length === 0 ? null : parts.join(BLOCK_SEPARATOR)),
  };
}

function packBlock(block: { type: string; text?: string }, texts: TextPool): Record<string, unknown> {
  if (block.type === 'image') return { ...block, chars: texts.add(IMAGE_PLACEHOLDER) };
  const { text = '', ...others } = block;
  const chars = texts.add(text);
  return chars === text.length ? { ...others, chars } : { ...others, chars, text };
}

function packThinking(block: { thinking: string }, thoughts: TextPool): Record<string, unknown> {
  const { thinking, ...others } = block;
  const chars = thoughts.add(thinking);
  return chars === thinking.length ? { ...others, chars } : { ...others, chars, thinking };
}

/** SQLite's string functions, and the original's sentinel, read NUL as something else than text. */
function withoutNul(text: string): string {
  return text.includes('\0') ? text.replaceAll('\0', '') : text;
}

function withTime(rest: object, timestamp: number): Record<string, unknown> | undefined {
  const exact = Math.round((timestamp / 1000) * 1000) === timestamp;
  const all = exact ? rest : { ...rest, timestamp };
  return Object.keys(all).length === 0 ? undefined : (all as Record<string, unknown>);
}

function extra(parts: MessageExtra): string | null {
  const json = JSON.stringify(parts);
  return json === '{}' ? null : json;
}

function jsonList(items: readonly unknown[]): string | null {
  return items.length === 0 ? null : JSON.stringify(items);
}
