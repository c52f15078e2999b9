/** A model behind the model library, as a `ModelClient`. One call, no retry: that wraps it from outside. */
import type { AssistantMessageEvent, SimpleStreamOptions } from '@earendil-works/pi-ai';
import type { AssistantMessage } from '../contracts/message.ts';
import { errorText } from '../lib/errors.ts';
import type { ModelClient, ModelEvent, ModelFailure, ModelRequest } from './client.ts';
import { statedWindow } from './context-length.ts';
import type { Credential } from './credentials.ts';
import type { Endpoint } from './endpoint.ts';
import { hostOf } from './endpoint-url.ts';
import { estimateRequestTokens, isLarge } from './estimate.ts';
import { type Exchange, watchExchange } from './exchange.ts';
import type { HttpFetch } from './http/http-fetch.ts';
import { type LoadProtocol, loadProtocol } from './library.ts';
import { finishPayload, toContext, toLibraryModel, toReasoning } from './pi-request.ts';
import { plainAnswerToEvents } from './plain-answer.ts';
import { type StallWatch, startStallWatch } from './stall-watch.ts';
import { finishCalls } from './tool-calls.ts';

export interface PiClientDeps {
  readonly fetch: HttpFetch;
  /** Names the product to the provider. */
  readonly userAgent: string;
  readonly loadProtocol?: LoadProtocol;
  /** What is learnt about the window while the model is used. */
  readonly window?: WindowKeeper;
  readonly now?: () => number;
}

export interface WindowKeeper {
  /** Undefined: nothing better is known than what the endpoint was resolved with. */
  current(): { readonly tokens: number; readonly source: string } | undefined;
  /** The provider stated its limit in a refusal. */
  learn(tokens: number): void;
  /** A request is under way; what has to be asked can be asked beside it. Cheap, called often. */
  begin(): void;
  /** News for the user about a window that turned out small. */
  warning(): string | undefined;
}

export function createPiClient(endpoint: Endpoint, deps: PiClientDeps): ModelClient {
  const noticed = new Set<string>();
  return {
    get info() {
      const window = deps.window?.current();
      return window === undefined
        ? endpoint.info
        : { ...endpoint.info, contextWindow: window.tokens, contextSource: window.source };
    },
    async *stream(request, signal) {
      const notice = endpoint.notice ?? deps.window?.warning();
      if (notice !== undefined && !noticed.has(notice)) {
        noticed.add(notice);
        yield { type: 'status', kind: 'warning', text: notice };
      }
      yield* oneCall(endpoint, deps, request, signal);
    },
  };
}

/** What one call knows while it runs. */
interface Call {
  readonly endpoint: Endpoint;
  readonly request: ModelRequest;
  readonly outer: AbortSignal;
  readonly watch: StallWatch;
  readonly now: () => number;
  readonly learn: (tokens: number) => void;
  exchange: Exchange | undefined;
  credential: Credential | undefined;
  /** The library's growing message. */
  partial: AssistantMessage | undefined;
}

async function* oneCall(
  endpoint: Endpoint,
  deps: PiClientDeps,
  request: ModelRequest,
  outer: AbortSignal,
): AsyncGenerator<ModelEvent> {
  const watch = startStallWatch(outer, endpoint.timeouts);
  const now = deps.now ?? Date.now;
  const learn = (tokens: number): void => deps.window?.learn(tokens);
  const call: Call = {
    endpoint,
    request,
    outer,
    watch,
    now,
    learn,
    exchange: undefined,
    credential: undefined,
    partial: undefined,
  };
  try {
    for await (const event of untilAborted(await openStream(call, deps), watch.signal)) {
      if (event.type === 'done') {
        yield { type: 'end', message: ownMessage(call, event.message, event.message.stopReason) };
        return;
      }
      if (event.type === 'error') {
        yield await failed(call, event.error, event.error.errorMessage ?? '');
        return;
      }
      if (call.partial === undefined) deps.window?.begin();
      call.partial = event.partial;
      const shown = toEvent(event);
      if (isUseful(event)) watch.progress();
      if (shown !== undefined) yield shown;
    }
    yield await failed(call, call.partial, 'The stream ended without a final event');
  } catch (error) {
    yield await failed(call, call.partial, errorText(error));
  } finally {
    watch.stop();
  }
}

async function openStream(call: Call, deps: PiClientDeps): Promise<AsyncIterable<AssistantMessageEvent>> {
  const { endpoint, request, watch } = call;
  const [protocol, credential] = await Promise.all([
    (deps.loadProtocol ?? loadProtocol)(endpoint.api),
    endpoint.credential(),
  ]);
  watch.signal.throwIfAborted();
  call.credential = credential;
  call.exchange = watchExchange(deps.fetch, {
    streaming: endpoint.streaming,
    toEvents: (answer) => plainAnswerToEvents(endpoint.api, answer),
  });
  const options: SimpleStreamOptions = {
    apiKey: credential?.value ?? 'none',
    headers: headersFor(call),
    identity: { userAgent: { custom: deps.userAgent } },
    signal: watch.signal,
    maxRetries: 0,
    cacheRetention: endpoint.cacheRetention,
    sessionId: request.sessionId,
    disableContinuation: true,
    transport: 'sse',
    ...(endpoint.api === 'bedrock-converse-stream'
      ? {}
      : { fetch: call.exchange.fetch as unknown as typeof globalThis.fetch }),
    ...(request.maxOutputTokens === undefined ? {} : { maxTokens: request.maxOutputTokens }),
    ...toReasoning(request.reasoning, endpoint),
    onPayload: (payload) => finishPayload(payload, request, endpoint),
  };
  return protocol.streamSimple(toLibraryModel(endpoint), toContext(request, endpoint), options);
}

function headersFor(call: Call): Record<string, string | null> {
  const { endpoint, credential, request } = call;
  const headers: Record<string, string | null> = {};
  // The library insists on a key; an endpoint that wants none must not see a made-up one.
  if (credential === undefined && endpoint.api !== 'bedrock-converse-stream')
    headers[endpoint.api === 'anthropic-messages' ? 'x-api-key' : 'authorization'] = null;
  if (credential !== undefined && endpoint.authHeader !== undefined) headers[endpoint.authHeader] = credential.value;
  if (hostOf(endpoint.info.baseUrl) === 'api.x.ai') headers['x-grok-conv-id'] = request.sessionId;
  if (endpoint.affinityHeader !== undefined) headers[endpoint.affinityHeader] = request.sessionId;
  return { ...headers, ...endpoint.headers };
}

/** Ends with the signal even when the source does not listen to it. */
async function* untilAborted<T>(source: AsyncIterable<T>, signal: AbortSignal): AsyncGenerator<T> {
  const iterator = source[Symbol.asyncIterator]();
  const { promise: aborted, reject } = Promise.withResolvers<never>();
  aborted.catch(() => {}); // nobody may be waiting when it fires
  const onAbort = (): void => reject(signal.reason);
  signal.addEventListener('abort', onAbort, { once: true });
  try {
    for (;;) {
      signal.throwIfAborted();
      const next = await Promise.race([iterator.next(), aborted]);
      if (next.done) return;
      yield next.value;
    }
  } finally {
    signal.removeEventListener('abort', onAbort);
  }
}

function toEvent(event: AssistantMessageEvent): ModelEvent | undefined {
  switch (event.type) {
    case 'text_delta':
      return event.delta === '' ? undefined : { type: 'text_delta', text: event.delta };
    case 'thinking_delta':
      return event.delta === '' ? undefined : { type: 'reasoning_delta', text: event.delta };
    case 'toolcall_start': {
      const block = event.partial.content[event.contentIndex];
      return block?.type === 'toolCall' ? { type: 'toolcall_start', name: block.name } : undefined;
    }
    default:
      return undefined;
  }
}

/** Keep-alives and empty pieces do not count as life. */
const isUseful = (event: AssistantMessageEvent): boolean =>
  'delta' in event ? event.delta !== '' : event.type !== 'start';

/** The message under our names, whole: an id for every call, no vendor text in `errorMessage`. */
function ownMessage(
  call: Call,
  message: AssistantMessage | undefined,
  stopReason: AssistantMessage['stopReason'],
): AssistantMessage {
  const { info, api } = call.endpoint;
  const { errorMessage: _error, diagnostics: _diagnostics, ...rest } = message ?? emptyMessage(call.now());
  const content = finishCalls(rest.content);
  const calls = content.some((block) => block.type === 'toolCall');
  // Some servers finish a reply that calls tools with `stop`.
  const reason = stopReason === 'stop' && calls ? 'toolUse' : stopReason;
  return { ...rest, content, api, provider: info.provider, model: info.model, stopReason: reason };
}

function emptyMessage(timestamp: number): AssistantMessage {
  const cost = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, total: 0 };
  const usage = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, totalTokens: 0, cost };
  return { role: 'assistant', content: [], api: '', provider: '', model: '', usage, stopReason: 'error', timestamp };
}

async function failed(call: Call, message: AssistantMessage | undefined, text: string): Promise<ModelEvent> {
  const partial = message ?? call.partial;
  if (call.outer.aborted) return { type: 'end', message: ownMessage(call, partial, 'aborted') };
  const failure = await explain(call, partial, text);
  const limit =
    failure.reason === 'context_overflow' ? statedWindow(`${text} ${call.exchange?.trace()?.body ?? ''}`) : undefined;
  if (limit !== undefined) call.learn(limit);
  return { type: 'end', message: { ...ownMessage(call, partial, 'error'), errorMessage: failure.message }, failure };
}

async function explain(call: Call, partial: AssistantMessage | undefined, text: string): Promise<ModelFailure> {
  const { classifyFailure } = await import('./errors.ts'); // a large table that a good day never needs
  const { endpoint, request, credential } = call;
  const { info } = endpoint;
  const timer = call.watch.expired();
  const trace = call.exchange?.trace();
  return classifyFailure(
    {
      text,
      started: (partial?.content.length ?? 0) > 0,
      large: isLarge(estimateRequestTokens(request), request.messages.length, info.contextWindow),
      provider: info.provider,
      providerName: endpoint.name,
      envVars: endpoint.envVars,
      model: info.model,
      baseUrl: info.baseUrl,
      ...(trace === undefined ? {} : { trace }),
      ...(timer === undefined ? {} : { timer }),
      ...(credential === undefined ? {} : { keySource: credential.source, secret: credential.value }),
    },
    call.now,
  );
}
