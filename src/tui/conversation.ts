/** The session in front of the person: what runs in it, and what waits. */
import type { App } from '../app.ts';
import type { Preferences } from '../commands/command.ts';
import type { AgentEvent, AnswerTo, Question, SessionRef, TurnResult } from '../contracts/turn.ts';
import type { TurnView } from './turn-view.ts';

export interface ConversationOptions {
  readonly app: App;
  readonly session: SessionRef;
  readonly preferences: Preferences;
  /** Drawn before the turn's own events. */
  onTurn(text: string, shown: string): TurnView;
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
  /** Takes back what waits. */
  takeQueue(): readonly string[];
  setSession(session: SessionRef): void;
}

interface Waiting {
  readonly text: string;
  readonly shown: string;
}

export function createConversation(options: ConversationOptions): Conversation {
  const { app, preferences } = options;
  const queue: Waiting[] = [];
  let { session } = options;
  let running: { readonly abort: AbortController; readonly done: Promise<void> } | undefined;
  /** Messages that took the running turn's place, ahead of those that only wait. */
  let interrupting = 0;

  const show = () => options.onQueue(queue.map(({ shown }) => shown));

  const run = async ({ text, shown }: Waiting, signal: AbortSignal): Promise<void> => {
    const startedAt = performance.now();
    const view = options.onTurn(text, shown);
    try {
      const result = await app.agent.run(
        session,
        { content: [{ type: 'text', text: text.toWellFormed() }] },
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
    const next = running === undefined ? queue.shift() : undefined;
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

  const enqueue = (text: string, shown = text): void => {
    queue.push({ text, shown });
    show();
    pump();
  };

  return {
    get session() {
      return session;
    },
    get busy() {
      return running !== undefined;
    },
    get queued() {
      return queue.length;
    },
    submit(text, shown = text) {
      if (running === undefined) {
        enqueue(text, shown);
      } else if (preferences.busyMode === 'interrupt') {
        queue.splice(interrupting++, 0, { text, shown });
        show();
        running.abort.abort();
      } else if (preferences.busyMode === 'steer' && app.agent.steer(session.id, text)) {
        options.onSteered(shown);
      } else {
        enqueue(text, shown);
      }
    },
    enqueue,
    async stop() {
      if (running === undefined) return false;
      const { abort, done } = running;
      abort.abort();
      await done;
      return true;
    },
    takeQueue() {
      interrupting = 0;
      const taken = queue.splice(0).map(({ text }) => text);
      if (taken.length > 0) show();
      return taken;
    },
    setSession(next) {
      session = next;
    },
  };
}
