/** Rough sizes: four characters a token, a flat price for a picture. */
import type { ChatMessage } from '../contracts/message.ts';
import type { ModelRequest } from './client.ts';

const CHARS_PER_TOKEN = 4;
const IMAGE_TOKENS = 1500;

/** System prompt, tool schemas and messages, call envelopes and replayed reasoning included. */
export function estimateRequestTokens(request: Pick<ModelRequest, 'system' | 'tools' | 'messages'>): number {
  const fixed = request.system.length + (request.tools.length === 0 ? 0 : JSON.stringify(request.tools).length);
  return request.messages.reduce(
    (sum, message) => sum + estimateMessageTokens(message),
    Math.ceil(fixed / CHARS_PER_TOKEN),
  );
}

function estimateMessageTokens(message: ChatMessage): number {
  if (typeof message.content === 'string') return Math.ceil(message.content.length / CHARS_PER_TOKEN);
  let chars = 0;
  let images = 0;
  for (const block of message.content) {
    if (block.type === 'image') images += 1;
    else if (block.type === 'text') chars += block.text.length;
    else if (block.type === 'thinking') chars += block.thinking.length;
    else chars += block.id.length + block.name.length + JSON.stringify(block.arguments).length + 40;
  }
  return Math.ceil(chars / CHARS_PER_TOKEN) + images * IMAGE_TOKENS;
}

/** An unexplained refusal of a conversation of that size is probably about its size. */
export function isLarge(tokens: number, messages: number, contextWindow: number): boolean {
  return tokens > contextWindow * 0.6 || (contextWindow <= 256_000 && (tokens > 120_000 || messages > 200));
}
