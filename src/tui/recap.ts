/** What was said before, when a session is continued. */
import type { App } from '../app.ts';
import { loadIfStored, userText } from '../commands/stored.ts';
import type { SessionRef } from '../contracts/turn.ts';
import type { LoadedMessage } from '../state/session-store.ts';
import { NoteBlock } from './blocks/text-blocks.ts';
import { visibleText } from './sanitize.ts';
import type { TuiSettings } from './settings.ts';
import type { Theme } from './theme.ts';
import type { Transcript } from './turn-view.ts';

const USER_CHARS = 300;
const ASSISTANT_CHARS = 200;
const ASSISTANT_LINES = 3;

export interface RecapTarget {
  readonly screen: Transcript;
  readonly theme: Theme;
}

/** Nothing for a session in which nothing was said. */
export async function showRecap(app: App, session: SessionRef, settings: TuiSettings, { screen, theme }: RecapTarget) {
  const stored = settings.resumeDisplay === 'none' ? undefined : await loadIfStored(app, session.id);
  if (stored === undefined || stored.messages.length === 0) return;
  const name = stored.row.title ?? session.id;
  const head = `Previous conversation: ${name} · ${stored.messages.length} messages`;
  screen.append(new NoteBlock(head, theme.bold), true);
  if (settings.resumeDisplay === 'minimal') return;
  for (const line of recapLines(stored.messages, settings.resumeExchanges)) {
    screen.append(new NoteBlock(line, line.startsWith('●') ? theme.plain : theme.dim));
  }
}

interface Exchange {
  readonly user: string;
  answer: string;
  readonly tools: string[];
}

/** Lines of plain text, oldest first; none when nothing was said. */
function recapLines(messages: readonly LoadedMessage[], maxExchanges: number): readonly string[] {
  const exchanges = exchangesOf(messages);
  const shown = exchanges.slice(-maxExchanges);
  const earlier = exchanges.length - shown.length;
  const lines = shown.flatMap((exchange) => [
    `● ${cut(exchange.user, USER_CHARS, Number.POSITIVE_INFINITY)}`,
    ...(exchange.tools.length === 0 ? [] : [`  ${toolCount(exchange.tools)}`]),
    ...(exchange.answer === '' ? [] : [`◆ ${cut(exchange.answer, ASSISTANT_CHARS, ASSISTANT_LINES)}`]),
  ]);
  return earlier === 0 ? lines : [`… ${earlier} earlier`, ...lines];
}

function exchangesOf(messages: readonly LoadedMessage[]): readonly Exchange[] {
  const exchanges: Exchange[] = [];
  for (const loaded of messages) {
    const user = userText(loaded);
    if (user !== undefined) exchanges.push({ user: loaded.displayText ?? user, answer: '', tools: [] });
    const current = exchanges.at(-1);
    if (loaded.message.role !== 'assistant' || current === undefined) continue;
    for (const block of loaded.message.content) {
      if (block.type === 'toolCall') current.tools.push(block.name);
      if (block.type === 'text' && block.text.trim() !== '') current.answer = block.text;
    }
  }
  return exchanges;
}

function toolCount(tools: readonly string[]): string {
  const names = [...new Set(tools)].slice(0, 4).join(', ');
  return `${tools.length} tool call${tools.length === 1 ? '' : 's'}: ${names}`;
}

function cut(text: string, maxChars: number, maxLines: number): string {
  const all = visibleText(text).trim().split('\n');
  const lines = all.slice(0, maxLines).join('\n');
  const short = [...lines].slice(0, maxChars).join('');
  return short.length < lines.length || lines.length < all.join('\n').length ? `${short}…` : short;
}
