/** An App whose agent plays a script of events: for tests of doors, which know nothing behind these interfaces. */
import type { App } from '../../src/app.ts';
import type { AgentEvent, SessionRef, TurnIO, TurnResult, UserInput } from '../../src/contracts/turn.ts';
import { AppError } from '../../src/lib/errors.ts';

export interface FakeTurn {
  readonly events?: readonly AgentEvent[];
  readonly result?: Partial<TurnResult>;
  /** Runs in the middle of the turn. */
  during?(io: TurnIO): Promise<void>;
}

export interface FakeApp extends App {
  readonly inputs: UserInput[];
  readonly sessions: SessionRef[];
  closed: number;
}

const usage = {
  input: 10,
  output: 5,
  cacheRead: 0,
  cacheWrite: 0,
  totalTokens: 15,
  cost: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, total: 0 },
};

function turnResult(more: Partial<TurnResult> = {}): TurnResult {
  return { sessionId: 's1', text: 'the answer', stop: 'done', usage, iterations: 1, receipts: [], ...more };
}

/** Only what a one-turn door touches is there; anything else throws and names itself. */
export function createFakeApp(turn: FakeTurn = {}, more: Partial<App> = {}): FakeApp {
  const session = (id: string, cwd = '/'): SessionRef => ({
    id,
    source: 'cli',
    profile: 'default',
    cwd,
    door: { interactive: false, markdown: 'plain', images: false, edits: 'apply' },
  });
  const fake: FakeApp = {
    inputs: [],
    sessions: [],
    closed: 0,
    warnings: [],
    faults: [],
    agent: {
      async run(ref, input, io) {
        fake.sessions.push(ref);
        fake.inputs.push(input);
        for (const event of turn.events ?? []) io.emit(event);
        await turn.during?.(io);
        const result = turnResult({ sessionId: ref.id, ...turn.result });
        io.emit({ type: 'turn_end', result });
        return result;
      },
      steer: () => false,
      context: () => missing('agent.context'),
      model: () => missing('agent.model'),
      switchModel: () => missing('agent.switchModel'),
      setReasoning: () => {},
      forget: () => {},
    },
    store: absent('store'),
    models: absent('models'),
    newSession: (cwd) => session('s1', cwd),
    async resumeSession(reference) {
      if (reference !== 'known') throw new AppError('session-not-found', `There is no session "${reference}".`);
      return { session: session('known', '/'), row: absent('row') };
    },
    tools: async () => [],
    customToolsets: {},
    processes: { list: async () => [], stop: async () => 0, listen() {} },
    async close() {
      fake.closed++;
    },
    ...more,
  };
  return fake;
}

function missing(name: string): never {
  throw new Error(`the fake app has no ${name}`);
}

function absent<T extends object>(name: string): T {
  return new Proxy({} as T, { get: (_target, key) => missing(`${name}.${String(key)}`) });
}
