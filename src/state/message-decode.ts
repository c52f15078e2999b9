/** A row back as a message: exactly the one stored, or, for rows of the original, the best one its columns give. */
import type {
  AssistantMessage,
  ChatMessage,
  ThinkingContent,
  ToolCall,
  ToolResultMessage,
  Usage,
} from '../contracts/message.ts';
import { contentText, decodeContent } from './content-column.ts';
import { parseJson, parseJsonArray, parseJsonObject } from './json.ts';
import { BLOCK_SEPARATOR, FINISH_REASONS, type MessageColumns, type MessageExtra } from './message-row.ts';
import type { LoadedMessage } from './session-store.ts';

export type MessageRow = MessageColumns & { readonly id: number };

/** Of the session, for replies that do not say who wrote them. */
export interface RowOrigin {
  readonly model: string;
  readonly provider: string;
}

/** @returns undefined for rows that are no message of the conversation (`system`, markers) */
export function decodeRow(row: MessageRow, origin: RowOrigin): LoadedMessage | undefined {
  const message = decodeMessage(row, origin);
  if (message === undefined) return undefined;
  const displayText = parseJsonObject(row.display_metadata)?.text;
  return {
    rowId: row.id,
    message,
    ...(row.api_content !== null && { apiContent: row.api_content }),
    ...(row.display_kind !== null && { displayKind: row.display_kind }),
    ...(typeof displayText === 'string' && { displayText }),
    ...(row._compressed_summary === 1 && { isSummary: true }),
  };
}

function decodeMessage(row: MessageRow, origin: RowOrigin): ChatMessage | undefined {
  const shell = messageShell(row, origin);
  if (shell === undefined) return undefined;
  const extra = parseJsonObject(row.extra_json) as MessageExtra | undefined;
  const content = extra?.text ?? unpackBlocks(row, extra) ?? plainContent(row);
  return { ...shell, ...extra?.rest, content } as ChatMessage;
}

/** The message but for its content, as far as the plain columns tell. */
function messageShell(row: MessageRow, origin: RowOrigin): Omit<ChatMessage, 'content'> | undefined {
  const timestamp = Math.round(row.timestamp * 1000);
  switch (row.role) {
    case 'user':
      return { role: 'user', timestamp };
    case 'assistant':
      return replyShell(row, origin, timestamp);
    case 'tool':
      return toolResultShell(row, timestamp);
    default:
      return undefined;
  }
}

function toolResultShell(row: MessageRow, timestamp: number): Omit<ToolResultMessage, 'content'> {
  return {
    role: 'toolResult',
    toolCallId: row.tool_call_id ?? '',
    toolName: row.tool_name ?? '',
    isError: false,
    timestamp,
  };
}

function replyShell(row: MessageRow, origin: RowOrigin, timestamp: number): Omit<AssistantMessage, 'content'> {
  return {
    role: 'assistant',
    api: row.codex_reasoning_items === null ? 'openai-completions' : 'openai-codex-responses',
    provider: origin.provider,
    model: origin.model,
    usage: noUsage(),
    stopReason: stopReason(row),
    timestamp,
  };
}

function plainContent(row: MessageRow): ChatMessage['content'] {
  if (row.role === 'assistant') return plainReplyContent(row);
  const content = decodeContent(row.content);
  return row.role === 'tool' && typeof content === 'string' ? [{ type: 'text', text: content }] : content;
}

function plainReplyContent(row: MessageRow): AssistantMessage['content'] {
  const text = contentText(row.content);
  return [...plainThinking(row), ...(text === '' ? [] : [{ type: 'text' as const, text }]), ...plainCalls(row)];
}

function plainThinking(row: MessageRow): ThinkingContent[] {
  const items = parseJsonArray(row.codex_reasoning_items);
  if (items.length > 0)
    return items.map((item) => ({
      type: 'thinking',
      thinking: summaryText(item),
      thinkingSignature: JSON.stringify(item),
    }));
  const thinking = row.reasoning_content ?? row.reasoning ?? '';
  if (thinking === '') return [];
  const details = parseJsonArray(row.reasoning_details);
  if (details.length > 0) return [{ type: 'thinking', thinking, thinkingSignature: JSON.stringify(details) }];
  return [
    { type: 'thinking', thinking, ...(row.reasoning_content !== null && { thinkingSignature: 'reasoning_content' }) },
  ];
}

function summaryText(item: unknown): string {
  const summary = (item as { summary?: unknown } | null)?.summary;
  if (!Array.isArray(summary)) return '';
  return summary.map((part) => String((part as { text?: unknown } | null)?.text ?? '')).join('\n\n');
}

function plainCalls(row: MessageRow): ToolCall[] {
  return parseJsonArray(row.tool_calls).flatMap((value, index) => plainCall(value, `call_${row.id}_${index}`) ?? []);
}

function plainCall(value: unknown, fallbackId: string): ToolCall | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  const call = value as { id?: unknown; function?: { name?: unknown; arguments?: unknown } };
  const name = call.function?.name;
  if (typeof name !== 'string') return undefined;
  const id = typeof call.id === 'string' && call.id !== '' ? call.id : fallbackId;
  return { type: 'toolCall', id, name, ...callArguments(call.function?.arguments) };
}

function callArguments(raw: unknown): Pick<ToolCall, 'arguments' | 'argumentsError'> {
  const value = typeof raw === 'string' ? parseJson(raw) : raw;
  if (typeof value === 'object' && value !== null && !Array.isArray(value))
    return { arguments: value as ToolCall['arguments'] };
  if (raw === undefined || raw === null || raw === '') return { arguments: {} };
  return { arguments: {}, argumentsError: `The stored arguments are not a JSON object: ${String(raw)}` };
}

function stopReason(row: MessageRow): AssistantMessage['stopReason'] {
  for (const [reason, stored] of Object.entries(FINISH_REASONS)) {
    if (stored === row.finish_reason) return reason as AssistantMessage['stopReason'];
  }
  return row.tool_calls === null ? 'stop' : 'toolUse';
}

/** @returns undefined when the plain columns were rewritten since: then they are the truth */
function unpackBlocks(row: MessageRow, extra: MessageExtra | undefined): unknown[] | undefined {
  if (!Array.isArray(extra?.blocks)) return undefined;
  const texts = createReader(row.content);
  const thoughts = createReader(row.reasoning);
  const calls = plainCalls(row);
  let callsUsed = 0;
  const blocks = extra.blocks.map(({ chars, call, ...block }) => {
    if (block.type === 'toolCall') {
      callsUsed += 1;
      const { argumentsError: _stale, ...stored } = calls[Number(call)] ?? {};
      return { ...stored, ...block };
    }
    if (block.type === 'thinking') return { thinking: thoughts.take(Number(chars)), ...block };
    const text = texts.take(Number(chars));
    return block.type === 'image' ? block : { text, ...block };
  });
  return texts.isAtEnd() && thoughts.isAtEnd() && callsUsed === calls.length ? blocks : undefined;
}

function createReader(column: string | null): { take(chars: number): string; isAtEnd(): boolean } {
  const text = column ?? '';
  let position = 0;
  return {
    take(chars) {
      const part = text.slice(position, position + chars);
      position += chars + BLOCK_SEPARATOR.length;
      return part;
    },
    isAtEnd: () => (position === 0 ? text === '' : position - BLOCK_SEPARATOR.length === text.length),
  };
}

function noUsage(): Usage {
  return {
    input: 0,
    output: 0,
    cacheRead: 0,
    cacheWrite: 0,
    totalTokens: 0,
    cost: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, total: 0 },
  };
}
