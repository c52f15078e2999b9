/**
 * The `demo` model: a small, openly labelled stand-in that works without key or network. It answers by rules and calls
 * the tools it is offered for real, so that everything around a model can be tried before one is set up.
 */
import { setTimeout as delay } from 'node:timers/promises';
import type { AssistantMessage } from '../../contracts/message.ts';
import type { ModelClient, ModelEvent, ModelInfo, ModelRequest } from '../client.ts';
import { estimateRequestTokens } from '../estimate.ts';
import { decide } from './decide.ts';

export const DEMO_INFO: ModelInfo = {
  provider: 'demo',
  model: 'demo',
  apiMode: 'demo',
  baseUrl: 'demo:',
  contextWindow: 128_000,
  contextSource: 'config',
  maxOutputTokens: undefined,
  price: undefined,
  images: false,
  reasoning: false,
  demo: true,
};

const PIECE_CHARS = 12;

export interface DemoOptions {
  /** Between pieces of text, milliseconds. Default 8. */
  readonly pieceDelayMs?: number;
}

export function createDemoClient({ pieceDelayMs = 8 }: DemoOptions = {}): ModelClient {
  return {
    info: DEMO_INFO,
    async *stream(request, signal) {
      const move = decide(request);
      if (signal.aborted) {
        yield end(request, [], 'aborted');
        return;
      }
      if (move.type === 'call') {
        const call = {
          type: 'toolCall' as const,
          id: callId(request),
          name: move.tool,
          arguments: JSON.parse(JSON.stringify(move.args)),
        };
        yield { type: 'toolcall_start', name: move.tool };
        yield end(request, [call], 'toolUse');
        return;
      }
      let said = '';
      for (const piece of pieces(move.text)) {
        // An aborted wait is no error: the check below ends the stream.
        if (pieceDelayMs > 0) await delay(pieceDelayMs, undefined, { signal }).catch(() => {});
        if (signal.aborted) {
          yield end(request, [{ type: 'text', text: said }], 'aborted');
          return;
        }
        said += piece;
        yield { type: 'text_delta', text: piece };
      }
      yield end(request, [{ type: 'text', text: said }], 'stop');
    },
  };
}

/** Unique in its conversation, and the same for the same conversation. */
const callId = (request: ModelRequest): string =>
  `demo_${request.messages.length}_${request.messages.at(-1)?.timestamp ?? 0}`;

function* pieces(text: string): Generator<string> {
  const chars = [...text];
  for (let at = 0; at < chars.length; at += PIECE_CHARS) yield chars.slice(at, at + PIECE_CHARS).join('');
}

function end(
  request: ModelRequest,
  content: AssistantMessage['content'],
  stopReason: AssistantMessage['stopReason'],
): ModelEvent {
  const input = estimateRequestTokens(request);
  const output = Math.ceil(JSON.stringify(content).length / 4);
  const cost = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, total: 0 };
  const usage = { input, output, cacheRead: 0, cacheWrite: 0, totalTokens: input + output, cost };
  const { provider, model } = DEMO_INFO;
  return {
    type: 'end',
    message: { role: 'assistant', content, api: 'demo', provider, model, usage, stopReason, timestamp: Date.now() },
  };
}
