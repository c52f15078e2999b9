/** An agent with real parts: real store on disk, real model client over HTTP to a scripted server, real registry. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Agent, type AgentDeps, createAgent } from '../../src/agent/agent.ts';
import { NO_OVERLAY, type Overlay } from '../../src/agent/overlay.ts';
import type { AgentEvent, AnswerTo, Question, SessionRef, TurnIO, TurnResult } from '../../src/contracts/turn.ts';
import type { LibraryApi } from '../../src/model/endpoint.ts';
import { createHttpFetch } from '../../src/model/http/http-fetch.ts';
import { createPiClient } from '../../src/model/pi-client.ts';
import { createRetryClient } from '../../src/model/retry.ts';
import type { SessionStore } from '../../src/state/session-store.ts';
import { openSessionStore } from '../../src/state/sqlite-store.ts';
import { createToolRegistry } from '../../src/tools/registry.ts';
import { defineTool, type Tool, textOutcome } from '../../src/tools/tool.ts';
import { endpointOf } from './model-endpoint.ts';
import { type ModelServer, startModelServer } from './model-server.ts';

export interface Harness {
  readonly server: ModelServer;
  readonly agent: Agent;
  readonly store: SessionStore;
  readonly session: SessionRef;
  readonly dir: string;
  /** A second agent over the same files, as after a restart. */
  restart(): Promise<Harness>;
  turn(text: string, options?: TurnOptions): Promise<TurnReport>;
  close(): Promise<void>;
}

export interface TurnOptions {
  readonly signal?: AbortSignal;
  readonly onEvent?: (event: AgentEvent) => void;
  readonly answer?: (question: Question) => unknown;
}

export interface TurnReport {
  readonly result: TurnResult;
  readonly events: readonly AgentEvent[];
  /** What a person saw of the answer. */
  readonly shown: string;
  readonly reasoning: string;
}

export interface HarnessOptions {
  readonly api?: LibraryApi;
  readonly tools?: readonly Tool[];
  readonly maxIterations?: number;
  readonly interactive?: boolean;
  readonly hardStop?: boolean;
  readonly overlay?: Overlay;
  /** Tries again as the product does, without its pauses. */
  readonly retries?: boolean;
}

const text = { type: 'string' } as const;

/** Answers with its argument; `slow` takes its time. */
export const echoTool = defineTool<{ text: string }>({
  name: 'echo',
  toolset: 'test',
  description: 'Says the text.',
  parameters: { jsonSchema: { type: 'object', properties: { text }, required: ['text'] } },
  plan: ({ text: said }) => ({
    summary: `echo ${said}`,
    concurrency: 'parallel',
    async run() {
      if (said === 'slow') await new Promise((resolve) => setTimeout(resolve, 60));
      return textOutcome(`said ${said}`);
    },
  }),
});

export async function startHarness(options: HarnessOptions = {}): Promise<Harness> {
  const dir = await mkdtemp(join(tmpdir(), 'hermes-agent-'));
  const server = await startModelServer();
  return open(dir, server, options);
}

async function open(dir: string, server: ModelServer, options: HarnessOptions): Promise<Harness> {
  const store = await openSessionStore({ path: join(dir, 'state.db') });
  const agent = createAgent(depsOf(dir, server, store, options));
  const session: SessionRef = {
    id: '20260101_000000_abcdef',
    source: 'cli',
    profile: 'default',
    cwd: dir,
    door: { interactive: options.interactive ?? true, markdown: 'full', images: false, edits: 'apply' },
  };
  return {
    server,
    agent,
    store,
    session,
    dir,
    async restart() {
      await store.close();
      return open(dir, server, options);
    },
    turn: (input, turnOptions = {}) => runTurn(agent, session, input, turnOptions),
    async close() {
      await store.close();
      await server.close();
      await rm(dir, { recursive: true, force: true });
    },
  };
}

function depsOf(dir: string, server: ModelServer, store: SessionStore, options: HarnessOptions): AgentDeps {
  const clientFor = (model: string | undefined) => {
    const anthropic = model?.startsWith('claude') ?? false;
    const endpoint = endpointOf(server, anthropic ? 'anthropic-messages' : (options.api ?? 'openai-completions'));
    const info = { ...endpoint.info, ...(model !== undefined && { model }) };
    const deps = { fetch: createHttpFetch({ readTimeoutMs: 0 }), userAgent: 'hermes-test' };
    return createPiClient({ ...endpoint, info }, deps);
  };
  const limits = { exactFailure: 2, sameToolFailure: 3, noProgress: 2 };
  const stops = { exactFailure: 5, sameToolFailure: 8, noProgress: 5 };
  return {
    store,
    registry: createToolRegistry({ tools: options.tools ?? [echoTool], spillDir: join(dir, 'spill') }),
    resolveModel: async ({ model }) => {
      const client = clientFor(model);
      return options.retries ? createRetryClient(client, { sleep: async () => {} }) : client;
    },
    selection: {},
    exposure: {},
    prompt: {
      home: dir,
      env: {},
      ignoreRules: false,
      taskCompletionGuidance: true,
      parallelToolGuidance: true,
      environmentHint: '',
      guidanceFor: { toolUse: 'auto', execution: 'auto' },
      machine: { platform: 'linux', env: {}, kernel: '', container: false },
      addition: '',
      platformHints: {},
      contextFileReadTimeoutMs: 1000,
      scan: () => [],
      volatile: [],
    },
    limits: {
      maxIterations: options.maxIterations ?? 30,
      guardrails: { warnings: true, hardStop: options.hardStop ?? true, warnAfter: limits, stopAfter: stops },
      emptyRetryMs: 5,
    },
    overlay: options.overlay ?? NO_OVERLAY,
    reasoning: undefined,
    notices: [],
  };
}

async function runTurn(agent: Agent, session: SessionRef, input: string, options: TurnOptions): Promise<TurnReport> {
  const events: AgentEvent[] = [];
  const io: TurnIO = {
    emit(event) {
      events.push(event);
      options.onEvent?.(event);
    },
    ask: async <Q extends Question>(question: Q) => options.answer?.(question) as AnswerTo<Q>,
    signal: options.signal ?? new AbortController().signal,
  };
  const result = await agent.run(session, { content: [{ type: 'text', text: input }] }, io);
  const join = (type: 'text_delta' | 'reasoning_delta'): string =>
    events.map((event) => (event.type === type ? event.text : '')).join('');
  return { result, events, shown: join('text_delta'), reasoning: join('reasoning_delta') };
}
