/** A request in the library's shape. Equal requests give equal bytes; nothing of ours leaks onto the wire. */
import type { Model, SimpleStreamOptions, TranscriptContext } from '@earendil-works/pi-ai';
import type { AssistantMessage, ChatMessage } from '../contracts/message.ts';
import { wellFormed } from '../lib/well-formed.ts';
import type { ModelRequest, ReasoningEffort } from './client.ts';
import type { Endpoint, LibraryApi } from './endpoint.ts';

const UNKNOWN_OUTPUT_CAP = 32_768;

/**
 * Features of the library that would change earlier bytes of a session, or the model that answers, from one request
 * to the next. They stay off whatever the catalog says.
 */
const PINNED_COMPAT = {
  supportsMessageThreads: false,
  supportsMidConvoSystemMessages: false,
  supportsMidConvoToolChanges: false,
  supportsMidConvoToolAdditions: false,
  supportsMidConvoEffort: false,
  supportsAdditionalTools: false,
  supportsToolSearch: false,
  allowedFallbackModels: undefined,
};

export function toLibraryModel(endpoint: Endpoint): Model<LibraryApi> {
  const { info, traits } = endpoint;
  const price = info.price ?? { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 };
  const model = {
    id: info.model,
    name: info.model,
    api: endpoint.api,
    provider: endpoint.vendorId,
    baseUrl: info.baseUrl,
    reasoning: info.reasoning,
    input: info.images ? ['text', 'image'] : ['text'],
    cost: price,
    contextWindow: info.contextWindow,
    maxTokens: info.maxOutputTokens ?? Math.min(UNKNOWN_OUTPUT_CAP, Math.floor(info.contextWindow / 2)),
    ...(traits.thinkingLevelMap === undefined ? {} : { thinkingLevelMap: traits.thinkingLevelMap }),
    ...(traits.headers === undefined ? {} : { headers: traits.headers }),
    compat: { ...traits.compat, ...PINNED_COMPAT },
  };
  return model as unknown as Model<LibraryApi>; // `compat` is typed per protocol
}

/** Lone surrogates become U+FFFD in every string: half a character makes a request unsendable. */
export function toContext(request: ModelRequest, endpoint: Endpoint): TranscriptContext {
  const tools = request.tools.map(({ name, description, parameters }) => ({ name, description, parameters }));
  const system = wellFormed({
    role: 'system',
    content: request.system,
    ...(tools.length > 0 ? { toolsAdded: tools } : {}),
    timestamp: 0,
  });
  const messages = request.messages.map((message) => knownMessage(message, endpoint));
  return { messages: [system, ...messages] } as unknown as TranscriptContext; // the brand has no public maker on this path
}

/** Messages do not change once they are in a history, so each is converted once and not with every request. */
const known = new WeakMap<Endpoint, WeakMap<ChatMessage, ChatMessage>>();

function knownMessage(message: ChatMessage, endpoint: Endpoint): ChatMessage {
  const ofEndpoint = known.get(endpoint) ?? new WeakMap<ChatMessage, ChatMessage>();
  known.set(endpoint, ofEndpoint);
  const converted = ofEndpoint.get(message) ?? wellFormed(toLibraryMessage(message, endpoint));
  ofEndpoint.set(message, converted);
  return converted;
}

function toLibraryMessage(message: ChatMessage, endpoint: Endpoint): ChatMessage {
  if (message.role === 'user') return message;
  if (message.role === 'toolResult') return { ...message, toolName: toolName(message.toolName) };
  return adopt(message, endpoint);
}

/**
 * An assistant message of this very model keeps its reasoning and signatures, whatever name the library has for the
 * provider; one of another model loses them. A reply that was cut short still counts: the history is sent as it is.
 */
function adopt(message: AssistantMessage, endpoint: Endpoint): AssistantMessage {
  const { info } = endpoint;
  const own = message.provider === info.provider && message.model === info.model;
  const content = message.content.map((block) =>
    block.type === 'toolCall' ? { ...block, name: toolName(block.name) } : block,
  );
  const calls = content.some((block) => block.type === 'toolCall');
  return {
    ...message,
    content,
    ...(own ? { provider: endpoint.vendorId, api: endpoint.api } : { provider: `other:${message.provider}` }),
    stopReason: calls ? 'toolUse' : 'stop',
  };
}

/** Providers refuse a history whose tool names leave their alphabet. */
function toolName(name: string): string {
  return name.replace(/[^A-Za-z0-9_-]/g, '_').slice(0, 64) || 'tool';
}

/** Tokens of thought per level, for models that take a budget instead of a level. */
const THINKING_BUDGETS = { minimal: 1024, low: 4096, medium: 8192, high: 16_384 };

export function toReasoning(effort: ReasoningEffort | undefined, endpoint: Endpoint): Partial<SimpleStreamOptions> {
  const wanted = effort ?? endpoint.reasoning;
  if (!endpoint.info.reasoning || wanted === 'none') return {};
  return { reasoning: wanted, thinkingBudgets: THINKING_BUDGETS };
}

const OUTPUT_CAPS = ['max_tokens', 'max_completion_tokens', 'max_output_tokens'];

/** What the configuration adds to a body. Returns a new body; the library's own fields give way to the user's. */
export function finishPayload(payload: unknown, request: ModelRequest, endpoint: Endpoint): unknown {
  if (typeof payload !== 'object' || payload === null || Array.isArray(payload)) return payload;
  const body: Record<string, unknown> = { ...payload };
  // The library derives a cap from the free window, which would change with every request. None is better than that.
  const capped = request.maxOutputTokens !== undefined || endpoint.info.maxOutputTokens !== undefined;
  if (!capped && endpoint.api.startsWith('openai-')) for (const cap of OUTPUT_CAPS) delete body[cap];
  if (endpoint.api === 'anthropic-messages') {
    asBlocks(body);
    markSecondCachePoint(body);
  }
  return mergeDeep(body, endpoint.extraBody);
}

/** A message that carries a cache mark is a list of blocks: all are, so that one that loses its mark stays the same. */
function asBlocks(body: Record<string, unknown>): void {
  if (!Array.isArray(body.messages)) return;
  for (const message of body.messages as Record<string, unknown>[])
    if (typeof message.content === 'string') message.content = [{ type: 'text', text: message.content }];
}

/**
 * One more cache mark, on the newest but one user message. The provider looks back a limited number of blocks for a
 * known prefix; a reply with many tool calls can put the last mark out of its reach.
 */
function markSecondCachePoint(body: Record<string, unknown>): void {
  const messages = Array.isArray(body.messages) ? (body.messages as Record<string, unknown>[]) : [];
  const users = messages.filter((message) => message.role === 'user');
  const mark = lastBlock(users.at(-1))?.cache_control;
  const target = users.at(-2);
  if (mark === undefined || target === undefined) return;
  const block = lastBlock(target);
  if (block !== undefined) block.cache_control = mark;
}

function lastBlock(message: Record<string, unknown> | undefined): Record<string, unknown> | undefined {
  return Array.isArray(message?.content) ? (message.content.at(-1) as Record<string, unknown> | undefined) : undefined;
}

function mergeDeep(into: Record<string, unknown>, from: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const merged = { ...into };
  for (const [key, value] of Object.entries(from)) {
    const before = merged[key];
    merged[key] = isPlain(before) && isPlain(value) ? mergeDeep(before, value) : value;
  }
  return merged;
}

const isPlain = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
