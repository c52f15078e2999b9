/** What the next request of a session is made of. */
import type { ChatMessage } from '../contracts/message.ts';
import type { ContextBlock, ContextReport } from './agent.ts';
import type { LiveSession } from './live-session.ts';
import type { Overlay } from './overlay.ts';
import { sanitizeHistory } from './sanitize.ts';

const CHARS_PER_TOKEN = 4;
/** What providers charge for a picture, roughly. */
const IMAGE_TOKENS = 1_550;

export function contextReport(session: LiveSession, overlay: Overlay): ContextReport {
  const messages = sanitizeHistory(session.history);
  const added = overlay.system.length + overlay.prefill.reduce((sum, { content }) => sum + content.length, 0);
  const fixed = [
    ...session.promptSizes.map(({ name, chars }) => block(name, chars)),
    ...(added > 0 ? [block('overlay', added)] : []),
    ...session.tools.map((tool) => block(`tool ${tool.name}`, JSON.stringify(tool).length)),
  ];
  const spoken = messageBlocks(messages);
  const usage = session.lastUsage;
  const reported = usage === undefined ? undefined : usage.input + usage.cacheRead + usage.cacheWrite;
  const share = reported === undefined || reported === 0 ? undefined : (usage?.cacheRead ?? 0) / reported;
  return {
    model: session.model.info,
    blocks: markCached(fixed, spoken, share),
    totalTokens: tokenSum([...fixed, ...spoken]),
    cachedTokens: usage?.cacheRead,
    reportedTokens: reported,
  };
}

/**
 * A cache holds the beginning of a request: what is fixed first, then the messages, whose kinds lie mixed and are
 * marked alike. The provider tells how much, so the border is as exact as the estimate of tokens.
 * @param share of the last request that came from the cache, 0..1
 */
function markCached(
  fixed: readonly ContextBlock[],
  spoken: readonly ContextBlock[],
  share: number | undefined,
): readonly ContextBlock[] {
  if (share === undefined) return [...fixed, ...spoken];
  const border = share * tokenSum([...fixed, ...spoken]);
  const mark = (from: number, to: number) => (to <= border ? 'yes' : from < border ? 'part' : 'no');
  let at = 0;
  const marked = fixed.map((one) => {
    const from = at;
    at += one.tokens;
    return { ...one, cached: mark(from, at) } as const;
  });
  const cached = mark(at, at + tokenSum(spoken));
  return [...marked, ...spoken.map((one) => ({ ...one, cached }) as const)];
}

function tokenSum(blocks: readonly ContextBlock[]): number {
  return blocks.reduce((sum, { tokens }) => sum + tokens, 0);
}

function messageBlocks(messages: readonly ChatMessage[]): readonly ContextBlock[] {
  const kinds = [
    ['user messages', 'user'],
    ['replies and calls', 'assistant'],
    ['tool results', 'toolResult'],
  ] as const;
  return kinds
    .map(([name, role]) => {
      const sizes = messages.filter((message) => message.role === role).map(sizeOf);
      const chars = sizes.reduce((sum, size) => sum + size.chars, 0);
      const images = sizes.reduce((sum, size) => sum + size.images, 0);
      return { ...block(name, chars), tokens: tokensOf(chars) + images * IMAGE_TOKENS };
    })
    .filter(({ tokens }) => tokens > 0);
}

function sizeOf(message: ChatMessage): { readonly chars: number; readonly images: number } {
  if (typeof message.content === 'string') return { chars: message.content.length, images: 0 };
  let chars = 0;
  let images = 0;
  for (const part of message.content) {
    if (part.type === 'image') images++;
    else if (part.type === 'text') chars += part.text.length;
    else if (part.type === 'thinking') chars += part.thinking.length;
    else chars += JSON.stringify(part).length;
  }
  return { chars, images };
}

function block(name: string, chars: number): ContextBlock {
  return { name, chars, tokens: tokensOf(chars) };
}

function tokensOf(chars: number): number {
  return Math.ceil(chars / CHARS_PER_TOKEN);
}
