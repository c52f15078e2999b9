/** What commands read of a stored session. */
import type { App } from '../app.ts';
import { errorCode } from '../lib/errors.ts';
import type { LoadedMessage, LoadedSession, SessionRow } from '../state/session-store.ts';

/** A session is stored with its first message; before that there is nothing to load. */
export async function loadIfStored(app: App, sessionId: string): Promise<LoadedSession | undefined> {
  try {
    return await app.store.load(sessionId, { readOnly: true });
  } catch (error) {
    if (errorCode(error) === 'session-not-found') return undefined;
    throw error;
  }
}

/** The text of a message a person wrote; undefined for replies, tool results and hidden scaffolding. */
export function userText(loaded: LoadedMessage): string | undefined {
  const { message } = loaded;
  if (message.role !== 'user' || loaded.displayKind === 'hidden' || loaded.isSummary === true) return undefined;
  if (typeof message.content === 'string') return message.content;
  return message.content
    .filter((block) => block.type === 'text')
    .map((block) => block.text)
    .join('\n');
}

export interface LastExchange {
  readonly rowId: number;
  readonly text: string;
}

/** The newest question a person asked, with what was added while it was worked on. */
export function lastUserMessage(messages: readonly LoadedMessage[]): LastExchange | undefined {
  const added: string[] = [];
  for (const loaded of messages.toReversed()) {
    const text = userText(loaded);
    if (text === undefined) continue;
    if (loaded.displayKind !== 'steering') return { rowId: loaded.rowId, text: [text, ...added].join('\n\n') };
    added.unshift(loaded.displayText ?? text);
  }
  return undefined;
}

export function nameOf(row: Pick<SessionRow, 'title' | 'preview' | 'id'>): string {
  return row.title ?? (row.preview === '' ? row.id : row.preview);
}

export function firstLine(text: string, maxChars: number): string {
  const line = text.trim().split('\n', 1)[0] ?? '';
  return line.length > maxChars ? `${line.slice(0, maxChars - 1)}…` : line;
}
