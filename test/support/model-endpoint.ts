/** An endpoint of the scripted model server, and what a stream of it says. */
import type { ModelClient, ModelEvent, ModelRequest } from '../../src/model/client.ts';
import type { Endpoint, LibraryApi } from '../../src/model/endpoint.ts';
import type { ModelServer } from './model-server.ts';

export const KEY = 'test-key-1234567890';

export function endpointOf(server: ModelServer, api: LibraryApi, more: Partial<Endpoint> = {}): Endpoint {
  return {
    info: {
      provider: 'custom',
      model: 'mock-model',
      apiMode: 'chat_completions',
      baseUrl: api === 'anthropic-messages' ? server.url : server.baseUrl,
      contextWindow: 131_072,
      contextSource: 'config',
      maxOutputTokens: 8192,
      price: undefined,
      images: true,
      reasoning: false,
      demo: false,
    },
    name: 'The endpoint',
    envVars: ['TEST_KEY'],
    api,
    vendorId: 'hermes',
    credential: async () => ({ value: KEY, source: 'TEST_KEY' }),
    headers: {},
    extraBody: {},
    traits: {},
    timeouts: { readMs: 0, staleMs: 0, callMs: 0 },
    streaming: true,
    cacheRetention: 'short',
    reasoning: 'medium',
    ...more,
  };
}

export const requestOf = (more: Partial<ModelRequest> = {}): ModelRequest => ({
  system: 'You are a test.',
  tools: [],
  messages: [{ role: 'user', content: [{ type: 'text', text: 'hi' }], timestamp: 1 }],
  sessionId: 'session-1',
  ...more,
});

type EndEvent = Extract<ModelEvent, { type: 'end' }>;

export interface Heard {
  readonly events: ModelEvent[];
  readonly text: string;
  readonly reasoning: string;
  readonly end: EndEvent;
}

/** Listens to the end and checks the one promise of every stream: a single `end`, and it is the last event. */
export async function listen(
  client: ModelClient,
  request: ModelRequest,
  signal = new AbortController().signal,
): Promise<Heard> {
  const events: ModelEvent[] = [];
  for await (const event of client.stream(request, signal)) events.push(event);
  const end = events.at(-1);
  if (end?.type !== 'end' || events.filter((event) => event.type === 'end').length !== 1)
    throw new Error(`a stream must end once: ${JSON.stringify(events)}`);
  const start = events.findLastIndex((event) => event.type === 'restart') + 1;
  const join = (type: 'text_delta' | 'reasoning_delta'): string =>
    events
      .slice(start)
      .map((event) => (event.type === type ? event.text : ''))
      .join('');
  return { events, text: join('text_delta'), reasoning: join('reasoning_delta'), end };
}
