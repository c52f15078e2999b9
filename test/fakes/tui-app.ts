/** An app whose agent plays scripts and whose store is a list in memory. */
import type { App, ToolListing } from '../../src/app.ts';
import type { ChatMessage, Usage } from '../../src/contracts/message.ts';
import type { SessionRef, TurnIO, TurnResult } from '../../src/contracts/turn.ts';
import { AppError } from '../../src/lib/errors.ts';
import type { ModelInfo } from '../../src/model/client.ts';
import type { LoadedMessage, SessionRow, SessionStore } from '../../src/state/session-store.ts';
import type { ProcessNotice, ProcessView } from '../../src/terminal/background.ts';

export const NO_USAGE: Usage = {
  input: 0,
  output: 0,
  cacheRead: 0,
  cacheWrite: 0,
  totalTokens: 0,
  cost: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, total: 0 },
};

/** Plays one turn; what it leaves out of the result is filled in. */
export type Script = (io: TurnIO, text: string) => Promise<Partial<TurnResult>>;

export interface FakeApp extends App {
  /** Scripts of the coming turns; a turn without one echoes. */
  readonly scripts: Script[];
  /** Texts of the turns that ran. */
  readonly inputs: string[];
  readonly steered: string[];
  readonly calls: string[];
  readonly sessions: Map<string, { row: SessionRow; messages: LoadedMessage[] }>;
  readonly closed: boolean;
  readonly listing: ToolListing[];
  warnings: readonly string[];
  model: ModelInfo;
  /** Sessions that went on under another id. */
  readonly tips: Map<string, string>;
  /** What the agent has left running, from now on. */
  background(...views: Partial<ProcessView>[]): void;
  report(notice: ProcessNotice): void;
  /** Puts a session with messages into the store. */
  seed(id: string, texts: readonly string[], title?: string): void;
}

export function fakeModel(more: Partial<ModelInfo> = {}): ModelInfo {
  return {
    provider: 'acme',
    model: 'thinker-1',
    apiMode: 'chat',
    baseUrl: 'http://127.0.0.1',
    contextWindow: 100_000,
    contextSource: 'config',
    maxOutputTokens: undefined,
    price: undefined,
    images: false,
    reasoning: true,
    demo: false,
    ...more,
  };
}

export function say(text: string): Script {
  return async (io) => {
    for (const word of text.match(/\S+\s*|\s+/g) ?? []) io.emit({ type: 'text_delta', text: word });
    io.emit({ type: 'text_end' });
    return { text };
  };
}

/** Runs until it is stopped. */
export function hang(): Script {
  return async (io) => {
    await new Promise<void>((resolve) => io.signal.addEventListener('abort', () => resolve(), { once: true }));
    return { stop: 'interrupted', text: '' };
  };
}

export function createFakeApp(cwd = '/tmp'): FakeApp {
  const sessions: FakeApp['sessions'] = new Map();
  const scripts: Script[] = [];
  const inputs: string[] = [];
  const steered: string[] = [];
  const calls: string[] = [];
  const listing: ToolListing[] = [
    { name: 'terminal', toolset: 'terminal', enabled: true },
    { name: 'web_search', toolset: 'web', enabled: false, reason: 'no key' },
  ];
  const door: SessionRef['door'] = { interactive: true, markdown: 'full', images: false, edits: 'apply' };
  const running = new Set<string>();
  const tips = new Map<string, string>();
  const processes = {
    views: [] as ProcessView[],
    listener: undefined as ((notice: ProcessNotice) => void) | undefined,
  };
  let count = 0;
  let rowId = 0;
  let closed = false;

  const ref = (id: string, folder = cwd): SessionRef => ({ id, source: 'cli', profile: 'default', cwd: folder, door });
  const find = (id: string) => {
    const session = sessions.get(id);
    if (session === undefined) throw new AppError('session-not-found', `There is no session \`${id}\`.`);
    return session;
  };
  const store = (id: string, messages: readonly ChatMessage[]) => {
    const session = sessions.get(id) ?? { row: emptyRow(id, cwd), messages: [] };
    for (const message of messages) session.messages.push({ message, rowId: ++rowId });
    session.row = {
      ...session.row,
      messageCount: session.messages.length,
      preview: session.row.preview || textOf(messages[0]),
    };
    sessions.set(id, session);
  };

  const app: FakeApp = {
    scripts,
    inputs,
    steered,
    calls,
    sessions,
    listing,
    warnings: [],
    faults: [],
    model: fakeModel(),
    get closed() {
      return closed;
    },
    seed(id, texts, title) {
      store(
        id,
        texts.map((text, index) => (index % 2 === 0 ? userMessage(text) : assistantMessage(text))),
      );
      const session = find(id);
      session.row = { ...session.row, title };
    },
    newSession: (folder) => ref(`s${++count}`, folder),
    async resumeSession(reference) {
      const id = sessions.has(reference)
        ? reference
        : [...sessions.values()].find(({ row }) => row.title === reference || reference === 'latest')?.row.id;
      const { row } = find(id ?? reference);
      return { session: ref(row.id, row.cwd), row };
    },
    tools: async () => listing,
    customToolsets: {},
    tips,
    background(...views) {
      processes.views = views.map((view, index) => ({ ...quietProcess(`proc_${index}`), ...view }));
    },
    report: (notice) => processes.listener?.(notice),
    processes: {
      list: async (id) => processes.views.filter(({ sessionId }) => sessionId === id),
      async stop(id) {
        const mine = processes.views.filter(({ sessionId, status }) => sessionId === id && status === 'running');
        processes.views = processes.views.filter((view) => !mine.includes(view));
        return mine.length;
      },
      listen(listener) {
        processes.listener = listener;
      },
    },
    async close() {
      closed = true;
    },
    agent: {
      async run(session, input, io) {
        if (running.has(session.id)) throw new AppError('session-busy', 'A turn is already running.');
        running.add(session.id);
        try {
          const text = input.content.map((block) => (block.type === 'text' ? block.text : '[image]')).join('');
          inputs.push(text);
          store(session.id, [userMessage(text)]);
          io.emit({ type: 'turn_start', turnId: 't', sessionId: session.id, model: 'thinker-1', provider: 'acme' });
          const partial = await (scripts.shift() ?? say(`echo: ${text}`))(io, text);
          const result: TurnResult = {
            sessionId: session.id,
            text: '',
            stop: 'done',
            usage: NO_USAGE,
            iterations: 1,
            receipts: [],
            ...partial,
          };
          store(result.sessionId, [assistantMessage(result.text)]);
          io.emit({ type: 'turn_end', result });
          return result;
        } finally {
          running.delete(session.id);
        }
      },
      steer(sessionId, text) {
        if (!running.has(sessionId)) return false;
        steered.push(text);
        return true;
      },
      context: async () => ({
        model: app.model,
        blocks: [{ name: 'identity', chars: 4000, tokens: 1000 }],
        totalTokens: 1000,
        cachedTokens: 500,
        reportedTokens: 1100,
      }),
      model: async () => app.model,
      async switchModel(_session, selection) {
        app.model = fakeModel({ model: selection.model, provider: selection.provider ?? 'acme' });
        return app.model;
      },
      setReasoning: (...args: unknown[]) => void calls.push(`reasoning ${args[1]}`),
      forget: (id) => void calls.push(`forget ${id}`),
    },
    models: {
      resolve: () => Promise.reject(new AppError('unused', 'Not in this fake.')),
      providers: async () => [{ id: 'acme', name: 'Acme', configured: true, envVars: [] }],
      list: async () => [{ id: 'thinker-1', contextWindow: 100_000 }, { id: 'thinker-2' }],
      test: async () => app.model,
    },
    // Only what a door calls; a door that calls more fails loudly.
    store: {
      load: async (id) => ({ row: find(id).row, messages: [...find(id).messages] }),
      get: async (id) => sessions.get(id)?.row,
      tip: async (id) => tips.get(id) ?? id,
      list: async () => [...sessions.values()].map(({ row }) => row),
      search: async (query) =>
        [...sessions.values()].flatMap(({ row, messages }) =>
          messages
            .filter(({ message }) => textOf(message).includes(query))
            .map((hit) => ({
              rowId: hit.rowId,
              sessionId: row.id,
              role: 'user' as const,
              snippet: textOf(hit.message),
              at: 0,
              source: 'cli',
              model: '',
            })),
        ),
      end: async (id, reason) => void calls.push(`end ${id} ${reason}`),
      async setTitle(id, title) {
        const session = find(id);
        session.row = { ...session.row, title };
        return title;
      },
      async rewind(id, from) {
        const session = find(id);
        session.messages = session.messages.filter((message) => message.rowId < from);
        calls.push(`rewind ${id}`);
      },
      async delete(id) {
        sessions.delete(id);
        calls.push(`delete ${id}`);
      },
    } satisfies Partial<SessionStore> as unknown as SessionStore,
  };
  return app;
}

function quietProcess(id: string): ProcessView {
  return {
    id,
    pid: 1,
    command: 'sleep 60',
    startedAt: 0,
    sessionId: 's1',
    cwd: '/',
    status: 'running',
    exitCode: undefined,
    endedAt: undefined,
    notifyOnComplete: false,
    detached: false,
  };
}

function emptyRow(id: string, cwd: string): SessionRow {
  return {
    id,
    source: 'cli',
    model: 'thinker-1',
    provider: 'acme',
    systemPrompt: '',
    toolNames: [],
    cwd,
    profile: 'default',
    startedAt: Date.now(),
    messageCount: 0,
    toolCallCount: 0,
    lastActiveAt: Date.now(),
    preview: '',
    usage: {
      inputTokens: 1200,
      outputTokens: 300,
      cacheReadTokens: 0,
      cacheWriteTokens: 0,
      reasoningTokens: 0,
      apiCalls: 2,
      costUsd: 0.42,
      costStatus: 'estimated',
    },
  };
}

function userMessage(text: string): ChatMessage {
  return { role: 'user', content: text, timestamp: 0 };
}

function assistantMessage(text: string): ChatMessage {
  return {
    role: 'assistant',
    content: [{ type: 'text', text }],
    api: 'openai-completions',
    provider: 'acme',
    model: 'thinker-1',
    usage: NO_USAGE,
    stopReason: 'stop',
    timestamp: 0,
  };
}

function textOf(message: ChatMessage | undefined): string {
  if (message === undefined || message.role === 'toolResult') return '';
  if (typeof message.content === 'string') return message.content;
  return message.content.map((block) => (block.type === 'text' ? block.text : '')).join('');
}
