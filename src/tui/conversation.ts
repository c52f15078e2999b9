/** The session in front of the person: what runs in it, and what waits. */
import type { App } from '../app.ts';
import type { Preferences } from '../commands/command.ts';
import type { AgentEvent, AnswerTo, Question, SessionRef, TurnResult } from '../contracts/turn.ts';
import type { TurnView } from './turn-view.ts';

export interface TurnInput {
  readonly text: string;
  /** What is echoed of it. */
  readonly shown: string;
  /** `process`: news of a background process, which nobody typed. */
  readonly from: 'person' | 'process';
}

export interface ConversationOptions {
  readonly app: App;
  readonly session: SessionRef;
  readonly preferences: Preferences;
  /** Drawn before the turn's own events. */
  onTurn(input: TurnInput): TurnView;
  onEvent(event: AgentEvent): void;
  /** After every turn; `error` when the agent itself broke. */
  onEnd(result: TurnResult | undefined, error: unknown): Promise<void>;
  /** `queued` holds what waits, as shown. */
  onQueue(queued: readonly string[]): void;
  onSteered(text: string): void;
  ask<Q extends Question>(question: Q, signal: AbortSignal): Promise<AnswerTo<Q>>;
}

export interface Conversation {
  readonly session: SessionRef;
  readonly busy: boolean;
  readonly queued: number;
  /** A line of the person: starts a turn, or does what the busy mode says. `shown` is what is echoed of it. */
  submit(text: string, shown?: string): void;
  /** After the running turn, or at once. */
  enqueue(text: string, shown?: string): void;
  /** Resolves when the running turn has ended; false when none ran. What waits runs next. */
  stop(): Promise<boolean>;
  /** News of a background process: the next input when idle, after all that waits otherwise. */
  report(text: string): void;
  /** Takes back what the person wrote and still waits. */
  takeQueue(): readonly string[];
  setSession(session: SessionRef): void;
  /** Stops for good: nothing that waits runs any more. */
  close(): Promise<void>;
}

export function createConversation(options: ConversationOptions): Conversation {
  const { app, preferences } = options;
  let queue: TurnInput[] = [];
  let { session } = options;
  let running: { readonly abort: AbortController; readonly done: Promise<void> } | undefined;
  /** Messages that took the running turn's place, ahead of those that only wait. */
  let interrupting = 0;
  let closed = false;

  const show = () => options.onQueue(ofPerson(queue).map(({ shown }) => shown));

  const run = async (input: TurnInput, signal: AbortSignal): Promise<void> => {
    const startedAt = performance.now();
    const view = options.onTurn(input);
    try {
      const result = await app.agent.run(
        session,
        { content: [{ type: 'text', text: input.text.toWellFormed() }] },
        {
          signal,
          emit(event) {
            if (event.type === 'session_changed') session = { ...session, id: event.to };
            view.event(event);
            options.onEvent(event);
          },
          ask: (question) => options.ask(question, signal),
        },
      );
      if (result.sessionId !== session.id) session = { ...session, id: result.sessionId };
      view.finish(result, performance.now() - startedAt);
      await options.onEnd(result, undefined);
    } catch (error) {
      await options.onEnd(undefined, error);
    }
  };

  const pump = (): void => {
    const next = running === undefined && !closed ? queue.shift() : undefined;
    if (next === undefined) return;
    interrupting = Math.max(0, interrupting - 1);
    show();
    const abort = new AbortController();
    const done = run(next, abort.signal).finally(() => {
      running = undefined;
      pump();
    });
    running = { abort, done };
  };

  const add = (input: TurnInput): void => {
    queue.push(input);
    show();
    pump();
  };
  const enqueue = (text: string, shown = text): void => add({ text, shown, from: 'person' });

  const stop = async (): Promise<boolean> => {
    if (running === undefined) return false;
    const { abort, done } = running;
    abort.abort();
    await done;
    return true;
  };

  return {
    get session() {
      return session;
    },
    get busy() {
      return running !== undefined;
    },
    get queued() {
      return ofPerson(queue).length;
    },
    submit(text, shown = text) {
      if (running === undefined) {
        enqueue(text, shown);
      } else if (preferences.busyMode === 'interrupt') {
        queue.splice(interrupting++, 0, { text, shown, from: 'person' });
        show();
        running.abort.abort();
      } else if (preferences.busyMode === 'steer' && app.agent.steer(session.id, text)) {
        options.onSteered(shown);
      } else {
        enqueue(text, shown);
      }
    },
    enqueue,
    report: (text) => add({ text, shown: text, from: 'process' }),
    stop,
    takeQueue() {
      interrupting = 0;
      const taken = ofPerson(queue).map(({ text }) => text);
      queue = queue.filter(({ from }) => from !== 'person');
      if (taken.length > 0) show();
      return taken;
    },
    setSession(next) {
      session = next;
    },
    async close() {
      closed = true;
      await stop();
    },
  };
}

function ofPerson(inputs: readonly TurnInput[]): readonly TurnInput[] {
  return inputs.filter(({ from }) => from === 'person');
}
