/** One core, many doors: what a door can ask of the agent. */
import type { SessionRef, TurnIO, TurnResult, UserInput } from '../contracts/turn.ts';
import type { ModelInfo, ReasoningEffort } from '../model/client.ts';
import type { ModelSelection } from '../model/models.ts';

export interface Agent {
  /**
   * Works one user input through to its final answer.
   * Never rejects for what a model, tool or person did: that is in the result. Rejects only on a broken invariant,
   * and with AppError `session-busy` when a turn of this session is already running.
   */
  run(session: SessionRef, input: UserInput, io: TurnIO): Promise<TurnResult>;
  /** Text for the running turn, delivered at the next tool boundary. False when nothing runs. */
  steer(sessionId: string, text: string): boolean;
  /** What the next request of this session holds, block by block. */
  context(session: SessionRef): Promise<ContextReport>;
  /** The model that the session's next turn will use. */
  model(session: SessionRef): Promise<ModelInfo>;
  /** From the next turn on, this session only. @throws AppError when the model cannot be resolved */
  switchModel(session: SessionRef, selection: ModelSelection): Promise<ModelInfo>;
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
