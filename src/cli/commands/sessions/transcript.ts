/** A stored session as text for people, and as lines of JSON for programs. */
import type { ChatMessage, ToolCall } from '../../../contracts/message.ts';
import type { LoadedSession, SessionRow } from '../../../state/session-store.ts';

export function* markdown({ row, messages }: LoadedSession): Generator<string> {
  yield `# ${row.title || row.preview || row.id}\n\n`;
  yield `- session: ${row.id}\n- started: ${new Date(row.startedAt).toISOString()}\n`;
  yield `- model: ${row.provider}:${row.model}\n- folder: ${row.cwd}\n`;
  for (const { message, displayKind } of messages) if (displayKind !== 'hidden') yield messageMarkdown(message);
}

/** One line for the session, then one for each message. */
export function* jsonLines({ row, messages }: LoadedSession): Generator<string> {
  yield `${JSON.stringify({ type: 'session', ...row })}\n`;
  for (const { rowId, message, isSummary } of messages)
    yield `${JSON.stringify({ type: 'message', session_id: row.id, row_id: rowId, ...(isSummary ? { is_summary: true } : {}), message })}\n`;
}

function messageMarkdown(message: ChatMessage): string {
  if (message.role === 'user') return `\n## User\n\n${textOf(message.content)}\n`;
  if (message.role === 'toolResult')
    return `\n### Result of ${message.toolName}\n\n${fenced(textOf(message.content))}\n`;
  const text = textOf(message.content);
  const calls = message.content.filter((block): block is ToolCall => block.type === 'toolCall');
  const parts = calls.map(
    (call) => `### Call of ${call.name}\n\n${fenced(JSON.stringify(call.arguments, null, 2), 'json')}\n`,
  );
  return `\n## Hermes\n\n${[...(text === '' ? [] : [`${text}\n`]), ...parts].join('\n')}`;
}

/** The text of a message's blocks; pictures and reasoning are left out or named. */
function textOf(content: ChatMessage['content']): string {
  if (typeof content === 'string') return content;
  return content
    .map((block) => {
      if (block.type === 'text') return block.text;
      return block.type === 'image' ? `[image ${block.mimeType}]` : '';
    })
    .filter((text) => text !== '')
    .join('\n\n');
}

/** A fence longer than any inside. */
function fenced(text: string, language = ''): string {
  const longest = Math.max(2, ...[...text.matchAll(/`{3,}/g)].map(([run]) => run.length));
  const fence = '`'.repeat(longest + 1);
  return `${fence}${language}\n${text}\n${fence}`;
}

export function titleOf(row: SessionRow): string {
  return row.title || row.preview || row.id;
}
