/**
 * What passes between a door and a turn. Doors draw events, answer questions and hold the cancel signal;
 * they never reach into the loop, and the loop knows no door.
 */
import type { ImageContent, TextContent, Usage } from './message.ts';

export type Source = 'cli' | 'oneshot' | 'tui' | 'acp' | 'api-server' | 'cron' | 'batch' | 'subagent' | (string & {});

/** What the door can show and do; read by the prompt (platform hint), the registry (exposure) and delivery. */
export interface DoorTraits {
  /** A person sits behind the door and can answer a question. */
  readonly interactive: boolean;
  readonly markdown: 'full' | 'dialect' | 'plain';
  readonly images: boolean;
  readonly edits: 'apply' | 'propose';
}

export interface SessionRef {
  readonly id: string;
  readonly source: Source;
  /** Name of the profile whose home this session lives in; `default` for the root. */
  readonly profile: string;
  /** Absolute path. The folder that tools start in. */
  readonly cwd: string;
  readonly door: DoorTraits;
}

export interface UserInput {
  readonly content: readonly (TextContent | ImageContent)[];
}

export interface TurnIO {
  /** Called in order, never awaited, must not throw; a door that is slow buffers for itself. */
  emit(event: AgentEvent): void;
  /**
   * The single way to stop for a person. Always settles: with an answer, the door's policy, after the
   * deadline, or when the turn is cancelled. Approval fails closed: no answer is `deny`.
   */
  ask<Q extends Question>(question: Q): Promise<AnswerTo<Q>>;
  /** Everything of the turn hangs from it: model calls, tools, processes, questions, children. */
  readonly signal: AbortSignal;
}

export interface ToolCallView {
  readonly callId: string;
  readonly tool: string;
  /** One line for a person, known once the arguments are complete; the tool's name before that. */
  readonly summary: string;
}

export interface ToolResultView {
  readonly ok: boolean;
  /** One line for a person. */
  readonly summary: string;
  /** Longer text for a person, such as a unified diff. */
  readonly detail?: string;
  readonly durationMs: number;
}

export type StatusKind = 'retry' | 'rotate' | 'fallback' | 'compress' | 'budget' | 'learned' | 'warning' | 'info';

export type AgentEvent =
  | {
      readonly type: 'turn_start';
      readonly turnId: string;
      readonly sessionId: string;
      readonly model: string;
      readonly provider: string;
    }
  | { readonly type: 'text_delta'; readonly text: string }
  | { readonly type: 'reasoning_delta'; readonly text: string }
  /** The streamed text of one model call is complete; what follows belongs to a new block. */
  | { readonly type: 'text_end' }
  | { readonly type: 'toolcall_start'; readonly call: ToolCallView }
  /** Live output of a running tool. */
  | { readonly type: 'toolcall_delta'; readonly callId: string; readonly text: string }
  | { readonly type: 'toolcall_end'; readonly call: ToolCallView; readonly result: ToolResultView }
  | { readonly type: 'status'; readonly text: string; readonly kind: StatusKind }
  | { readonly type: 'usage'; readonly usage: Usage; readonly contextTokens: number; readonly contextWindow: number }
  | {
      readonly type: 'session_changed';
      readonly from: string;
      readonly to: string;
      readonly reason: 'compression' | 'reset' | 'branch';
    }
  | { readonly type: 'turn_end'; readonly result: TurnResult };

export type TurnStop = 'done' | 'interrupted' | 'budget' | 'cap' | 'error';

export interface TurnResult {
  /** The tip of the lineage, after a compression split. */
  readonly sessionId: string;
  readonly text: string;
  readonly stop: TurnStop;
  /** `message` is one sentence for a person. */
  readonly error?: { readonly code: string; readonly message: string; readonly hint?: string };
  /** Summed over the turn's own model calls. */
  readonly usage: Usage;
  readonly iterations: number;
  readonly receipts: readonly Receipt[];
}

/** What really happened, kept by the runtime and not by the model. */
export interface Receipt {
  readonly callId: string;
  readonly tool: string;
  /** Epoch milliseconds. */
  readonly at: number;
  readonly ok: boolean;
  readonly exitCode?: number;
  /** Absolute paths. */
  readonly filesChanged?: readonly string[];
}

export interface Risk {
  readonly id: string;
  /** Half a sentence for a person: "deletes files recursively". */
  readonly why: string;
}

export type ApprovalChoice = 'once' | 'session' | 'always' | 'deny';

export type Question =
  | {
      readonly kind: 'approval';
      readonly tool: string;
      /** The exact command or action, complete. */
      readonly action: string;
      readonly risks: readonly Risk[];
      readonly choices: readonly ApprovalChoice[];
    }
  | { readonly kind: 'clarify'; readonly prompt: string; readonly options: readonly string[] }
  | { readonly kind: 'secret'; readonly name: string; readonly prompt: string };

/** A clarify or secret question that nobody answered gives `undefined`. */
export type AnswerTo<Q extends Question> = Q extends { kind: 'approval' } ? ApprovalChoice : string | undefined;
