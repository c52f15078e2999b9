/** One core, many doors: what a door can ask of the agent. */
import type { SessionRef, TurnIO, TurnResult, UserInput } from '../contracts/turn.ts';
import { AppError } from '../lib/errors.ts';
import type { ModelClient, ModelInfo, ReasoningEffort } from '../model/client.ts';
import type { ModelSelection } from '../model/models.ts';
import type { SessionStore } from '../state/session-store.ts';
import type { ToolRegistry } from '../tools/registry.ts';
import type { Exposure } from '../tools/toolsets.ts';
import { contextReport } from './context-report.ts';
import { type LiveSession, NO_USAGE } from './live-session.ts';
import { openSession } from './open-session.ts';
import type { Overlay } from './overlay.ts';
import type { PromptOptions } from './prompt/build.ts';
import { runTurn } from './turn.ts';
import type { TurnLimits } from './turn-state.ts';

export interface Agent {
  /**
   * Works one user input through to its final answer.
   * Never rejects for what a model, tool or person did: that is in the result. Rejects only on a broken invariant,
   * and with AppError `session-busy` when a turn of this session is already running.
   */
  run(session: SessionRef, input: UserInput, io: TurnIO): Promise<TurnResult>;
  /**
   * Text for the running turn, delivered at the next tool boundary; with the next turn when this one fails or is
   * stopped first. False when nothing runs, or only its end is left: the text is not taken.
   */
  steer(sessionId: string, text: string): boolean;
  /** What the next request of this session holds, block by block. */
  context(session: SessionRef): Promise<ContextReport>;
  /** The model that the session's next turn will use. */
  model(session: SessionRef): Promise<ModelInfo>;
  /** From the next turn on, this session only. @throws AppError when the model cannot be resolved */
  switchModel(session: SessionRef, selection: ModelSelection): Promise<ModelInfo>;
  /** From the next model call on, this session only; undefined = the model's own. */
  setReasoning(sessionId: string, effort: ReasoningEffort | undefined): void;
  /** Forgets what is cached of a session, after its stored history was changed from outside (undo, branch). */
  forget(sessionId: string): void;
}

export interface ContextBlock {
  /** `identity`, `tool guidance`, `project files`, `memory`, `tools`, `messages` ... */
  readonly name: string;
  readonly chars: number;
  /** Estimated, characters / 4. */
  readonly tokens: number;
  /** Whether the provider served it from its cache in the last request; undefined before the first. */
  readonly cached?: 'yes' | 'part' | 'no';
}

export interface ContextReport {
  readonly model: ModelInfo;
  readonly blocks: readonly ContextBlock[];
  readonly totalTokens: number;
  /** Tokens of the last request that the provider served from its cache; undefined before the first. */
  readonly cachedTokens: number | undefined;
  /** Prompt tokens that the provider reported for the last request. */
  readonly reportedTokens: number | undefined;
}

export interface AgentDeps {
  readonly store: SessionStore;
  readonly registry: ToolRegistry;
  readonly resolveModel: (selection: ModelSelection) => Promise<ModelClient>;
  /** What the person asked for at start; wins over what a stored session remembers. */
  readonly selection: ModelSelection;
  readonly exposure: Exposure;
  readonly prompt: PromptOptions;
  readonly limits: TurnLimits;
  readonly overlay: Overlay;
  readonly reasoning: ReasoningEffort | undefined;
  /** The model no longer sees what it was shown: parts that remember that forget it too. */
  readonly onForget?: (sessionId: string) => void;
  /** Filled by any part with news for the user (a project file left out, an unknown toolset); emptied by the next turn. */
  readonly notices: string[];
}

interface Steering {
  readonly texts: string[];
  open: boolean;
}

export function createAgent(deps: AgentDeps): Agent {
  const sessions = new Map<string, Promise<LiveSession>>();
  const running = new Map<string, Steering>();
  /** Steering that its turn ended too early for. */
  const late = new Map<string, readonly string[]>();
  const efforts = new Map<string, ReasoningEffort | undefined>();

  /** @param model instead of the one that settings or the stored session name */
  function open(ref: SessionRef, model?: ModelClient): Promise<LiveSession> {
    let session = sessions.get(ref.id);
    if (session === undefined) {
      const opening = openSession(ref, model === undefined ? deps : { ...deps, resolveModel: async () => model });
      session = opening;
      sessions.set(ref.id, opening);
      opening.catch(() => {
        if (sessions.get(ref.id) === opening) sessions.delete(ref.id); // the next call tries again
      });
    }
    return session;
  }

  async function work(ref: SessionRef, input: UserInput, io: TurnIO, steering: Steering): Promise<TurnResult> {
    let session: LiveSession;
    try {
      session = await open(ref);
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      return failedBeforeStart(ref, io, error);
    }
    return runTurn(session, input, io, {
      registry: deps.registry,
      limits: deps.limits,
      overlay: deps.overlay,
      takeNotices: () => deps.notices.splice(0),
      takeSteering: () => steering.texts.splice(0),
      endSteering: () => {
        steering.open = false;
      },
      reasoning: () => (efforts.has(ref.id) ? efforts.get(ref.id) : deps.reasoning),
    });
  }

  return {
    async run(ref, input, io) {
      if (running.has(ref.id))
        throw new AppError('session-busy', 'A turn of this session is already running.', {
          hint: 'Wait for it, or stop it first.',
        });
      const steering: Steering = { texts: [...(late.get(ref.id) ?? [])], open: true };
      late.delete(ref.id);
      running.set(ref.id, steering);
      try {
        return await work(ref, input, io, steering);
      } finally {
        running.delete(ref.id);
        if (steering.texts.length > 0) late.set(ref.id, steering.texts);
      }
    },
    steer(sessionId, text) {
      const steering = running.get(sessionId);
      if (steering?.open !== true) return false;
      steering.texts.push(text);
      return true;
    },
    context: async (ref) => contextReport(await open(ref), deps.overlay),
    model: async (ref) => (await open(ref)).model.info,
    async switchModel(ref, selection) {
      const model = await deps.resolveModel(selection);
      // A session whose own model cannot be had does not open: this is the way to mend it.
      const opened = await sessions.get(ref.id)?.catch(() => undefined);
      const session = opened ?? (await open(ref, model));
      session.model = model;
      await session.rememberModel();
      return model.info;
    },
    setReasoning: (sessionId, effort) => void efforts.set(sessionId, effort),
    forget(sessionId) {
      sessions.delete(sessionId);
      late.delete(sessionId);
      deps.onForget?.(sessionId);
    },
  };
}

/** The turn never began: nothing was stored, and the result says why. */
function failedBeforeStart(ref: SessionRef, io: TurnIO, error: AppError): TurnResult {
  const result: TurnResult = {
    sessionId: ref.id,
    text: '',
    stop: 'error',
    error: { code: error.code, message: error.message, ...(error.hint !== undefined && { hint: error.hint }) },
    usage: NO_USAGE,
    iterations: 0,
    receipts: [],
  };
  io.emit({ type: 'turn_end', result });
  return result;
}
