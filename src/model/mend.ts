/**
 * Answers refusals that a changed request mends: earlier reasoning a provider no longer accepts, a schema its grammar
 * cannot read, pictures it does not take. What had to be changed once stays changed for this model, so that the
 * prefix is stable again from then on.
 */
import type { ChatMessage, ImageContent, TextContent } from '../contracts/message.ts';
import type { ModelClient, ModelFailure, ModelRequest } from './client.ts';
import { imageSize } from './image-size.ts';

const MAX_IMAGE_SIDE = 8000;
/** Of the encoded text; four megabytes of picture. */
const MAX_IMAGE_CHARS = 5_500_000;
const MAX_MENDS = 6;

interface Mends {
  reasoning: boolean;
  schemas: boolean;
  images: boolean;
  /** Pictures that were refused for their size. */
  readonly refused: Set<string>;
}

export function createMendingClient(inner: ModelClient): ModelClient {
  const mends: Mends = { reasoning: false, schemas: false, images: false, refused: new Set() };
  return {
    get info() {
      return inner.info;
    },
    async *stream(request, signal) {
      for (let count = 0; ; count++) {
        let again = false;
        let shown = false;
        for await (const event of inner.stream(apply(request, mends), signal)) {
          if (event.type !== 'end') {
            shown ||= event.type !== 'status';
            yield event;
            continue;
          }
          again =
            event.failure !== undefined && count < MAX_MENDS && !signal.aborted && learn(event.failure, request, mends);
          if (!again) yield event.failure === undefined ? event : { ...event, failure: settled(event.failure) };
        }
        if (!again) return;
        if (shown) yield { type: 'restart' };
      }
    },
  };
}

const MENDABLE = new Set(['thinking_signature', 'llama_cpp_grammar_pattern', 'images_unsupported', 'image_too_large']);

/** What was mended and still fails will fail again as it is. */
const settled = (failure: ModelFailure): ModelFailure =>
  MENDABLE.has(failure.reason) ? { ...failure, recovery: 'fallback' } : failure;

/** True when there is something left to change. */
function learn(failure: ModelFailure, request: ModelRequest, mends: Mends): boolean {
  const turnOn = (key: 'reasoning' | 'schemas' | 'images'): boolean => {
    const before = mends[key];
    mends[key] = true;
    return !before;
  };
  switch (failure.reason) {
    case 'thinking_signature':
      return turnOn('reasoning');
    case 'llama_cpp_grammar_pattern':
      return turnOn('schemas');
    case 'images_unsupported':
      return turnOn('images');
    case 'image_too_large':
      return refuseImages(request, mends);
    default:
      return false;
  }
}

function refuseImages(request: ModelRequest, mends: Mends): boolean {
  const images = request.messages.flatMap(imagesOf).filter((image) => !mends.refused.has(fingerprint(image)));
  const oversized = images.filter(isOversized);
  const largest = images.reduce<ImageContent | undefined>(
    (best, image) => (image.data.length > (best?.data.length ?? 0) ? image : best),
    undefined,
  );
  const drop = oversized.length > 0 ? oversized : largest === undefined ? [] : [largest];
  for (const image of drop) mends.refused.add(fingerprint(image));
  return drop.length > 0;
}

function isOversized(image: ImageContent): boolean {
  const size = imageSize(image.data);
  return image.data.length > MAX_IMAGE_CHARS || Math.max(size?.width ?? 0, size?.height ?? 0) > MAX_IMAGE_SIDE;
}

const fingerprint = (image: ImageContent): string =>
  `${image.data.length}:${image.data.slice(0, 48)}:${image.data.slice(-48)}`;

const imagesOf = (message: ChatMessage): ImageContent[] =>
  message.role === 'assistant' || typeof message.content === 'string'
    ? []
    : message.content.filter((block) => block.type === 'image');

function apply(request: ModelRequest, mends: Mends): ModelRequest {
  let changed = request;
  if (mends.schemas)
    changed = {
      ...changed,
      tools: changed.tools.map((tool) => ({ ...tool, parameters: withoutGrammar(tool.parameters) })),
    };
  if (mends.reasoning) changed = { ...changed, messages: changed.messages.map(withoutReasoning) };
  if (mends.images || mends.refused.size > 0)
    changed = { ...changed, messages: changed.messages.map((message) => withoutImages(message, mends)) };
  return changed;
}

function withoutReasoning(message: ChatMessage): ChatMessage {
  if (message.role !== 'assistant') return message;
  return { ...message, content: message.content.filter((block) => block.type !== 'thinking') };
}

function withoutImages(message: ChatMessage, mends: Mends): ChatMessage {
  if (message.role === 'assistant' || typeof message.content === 'string' || imagesOf(message).length === 0)
    return message;
  const content = message.content.map((block): TextContent | ImageContent => {
    if (block.type !== 'image') return block;
    if (mends.images) return { type: 'text', text: '[picture left out: this model reads none]' };
    return mends.refused.has(fingerprint(block))
      ? { type: 'text', text: '[picture left out: larger than the provider accepts]' }
      : block;
  });
  return { ...message, content } as ChatMessage;
}

/** Without the keywords that a grammar-bound server cannot turn into a grammar. */
function withoutGrammar<T>(schema: T): T {
  if (Array.isArray(schema)) return schema.map(withoutGrammar) as T;
  if (typeof schema !== 'object' || schema === null) return schema;
  const kept = Object.entries(schema).filter(
    ([key, value]) => !((key === 'pattern' || key === 'format') && typeof value === 'string'),
  );
  return Object.fromEntries(kept.map(([key, value]) => [key, withoutGrammar(value)])) as T;
}
