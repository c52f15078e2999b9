/** Stored messages and times as a model reads them. */
import type { LoadedMessage, SessionRow } from '../../state/session-store.ts';

/** Characters of one message inside a window, and of one that only gives the picture. */
export const WINDOW_CHARS = 4_000;
export const BOOKEND_CHARS = 1_200;

export function shownMessage(loaded: LoadedMessage, maxChars: number, anchor = false): Record<string, unknown> {
  const { message, rowId } = loaded;
  const full = contentText(loaded);
  const content = full === undefined ? null : cut(full, maxChars);
  return {
    id: rowId,
    role: message.role === 'toolResult' ? 'tool' : message.role,
    content,
    timestamp: new Date(message.timestamp).toISOString(),
    ...(message.role === 'toolResult' && { tool_name: message.toolName, tool_call_id: message.toolCallId }),
    ...calls(loaded),
    ...(full !== undefined &&
      full.length > maxChars && { content_truncated: true, original_content_chars: full.length }),
    ...(anchor && { anchor: true }),
  };
}

function calls({ message }: LoadedMessage): { tool_calls?: readonly unknown[] } {
  if (message.role !== 'assistant') return {};
  const made = message.content.filter((block) => block.type === 'toolCall');
  if (made.length === 0) return {};
  return {
    tool_calls: made.map(({ id, name, arguments: args }) => ({ id, name, arguments: cut(JSON.stringify(args), 500) })),
  };
}

export function contentText({ message }: LoadedMessage): string | undefined {
  if (typeof message.content === 'string') return stripAnsi(message.content);
  const texts = message.content.flatMap((block) => (block.type === 'text' ? [block.text] : []));
  return texts.length === 0 ? undefined : stripAnsi(texts.join('\n'));
}

function stripAnsi(text: string): string {
  return text.replace(/\u001b\[[0-?]*[ -/]*[@-~]|\u001b\][^\u0007\u001b]*(?:\u0007|\u001b\\)/g, '');
}

function cut(text: string, maxChars: number): string {
  return text.length <= maxChars ? text : `${text.slice(0, maxChars)}…`;
}

export function linkTo(row: Pick<SessionRow, 'id' | 'profile'>): string {
  return `@session:${row.profile}/${row.id}`;
}

/** `July 22, 2026 at 08:43 PM` */
export function whenText(at: number, timeZone: string | undefined): string {
  const zone = timeZone === undefined ? {} : { timeZone };
  const date = new Intl.DateTimeFormat('en-US', { dateStyle: 'long', ...zone }).format(at);
  const time = new Intl.DateTimeFormat('en-US', { hour: '2-digit', minute: '2-digit', hour12: true, ...zone });
  return `${date} at ${time.format(at).replace(/\s/g, ' ')}`;
}
