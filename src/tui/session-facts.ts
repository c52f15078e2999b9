/** What the status bar and the banner say about the session, kept current. */
import type { App } from '../app.ts';
import type { AgentEvent, SessionRef } from '../contracts/turn.ts';
import { describeError } from '../lib/errors.ts';
import type { ModelInfo } from '../model/client.ts';
import type { SessionRow } from '../state/session-store.ts';
import type { StatusFacts } from './status-bar.ts';

export interface SessionFacts {
  status(): StatusFacts;
  readonly model: ModelInfo | undefined;
  /** Milliseconds since the session was entered. */
  openForMs(): number;
  /** Background processes that run. */
  processes: number;
  onEvent(event: AgentEvent): void;
  /** @returns a sentence when the model cannot be had */
  enter(app: App, session: SessionRef): Promise<string | undefined>;
  /** Cost, title and model as stored now. */
  refresh(app: App, session: SessionRef): Promise<void>;
  /** `refresh`, and how full the context is, after the history changed otherwise than by a turn. */
  remeasure(app: App, session: SessionRef): Promise<void>;
}

export function createSessionFacts(yolo: boolean): SessionFacts {
  let model: ModelInfo | undefined;
  let entered = false;
  let contextTokens = 0;
  let contextWindow = 0;
  let costUsd: number | undefined;
  let title: string | undefined;
  let enteredAt = performance.now();

  const refresh = async (app: App, session: SessionRef): Promise<SessionRow | undefined> => {
    const row = await app.store.get(session.id);
    costUsd = row?.usage.costUsd;
    title = row?.title;
    model = await app.agent.model(session);
    contextWindow = model.contextWindow;
    return row;
  };

  const remeasure = async (app: App, session: SessionRef): Promise<void> => {
    const row = await refresh(app, session);
    // An empty session's prompt is not worth reading only to show a number.
    contextTokens = row === undefined ? 0 : (await app.agent.context(session)).totalTokens;
  };

  const facts: SessionFacts = {
    processes: 0,
    status: () => ({
      model: model?.model ?? (entered ? undefined : ''),
      demo: model?.demo ?? false,
      contextTokens,
      contextWindow,
      costUsd,
      openForMs: performance.now() - enteredAt,
      title,
      yolo,
      processes: facts.processes,
    }),
    get model() {
      return model;
    },
    openForMs: () => performance.now() - enteredAt,
    onEvent(event) {
      if (event.type !== 'usage') return;
      contextTokens = event.contextTokens;
      contextWindow = event.contextWindow;
    },
    async enter(app, session) {
      enteredAt = performance.now();
      contextTokens = 0;
      model = undefined;
      entered = false;
      try {
        await remeasure(app, session);
        return undefined;
      } catch (error) {
        return describeError(error);
      } finally {
        entered = true;
      }
    },
    async refresh(app, session) {
      await refresh(app, session);
    },
    remeasure,
  };
  return facts;
}
