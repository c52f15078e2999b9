/** The composition root: opens a home, builds the services, hands them to the core. The only file that knows how all parts fit. */
import type { Agent } from './agent/agent.ts';
import type { SessionRef, Source } from './contracts/turn.ts';
import type { ModelSelection, Models } from './model/models.ts';
import type { SessionRow, SessionStore } from './state/session-store.ts';

export interface AppOptions {
  /** Raw process environment. */
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
  readonly profile?: string;
  readonly source: Source;
  readonly door: SessionRef['door'];
  readonly selection?: ModelSelection;
  /** Names of toolsets; undefined = the door's preset. */
  readonly toolsets?: readonly string[];
  readonly maxTurns?: number;
  readonly yolo?: boolean;
  readonly ignoreUserConfig?: boolean;
  /** No project files, SOUL.md or memory. */
  readonly ignoreRules?: boolean;
}

export interface ToolListing {
  readonly name: string;
  readonly toolset: string;
  readonly enabled: boolean;
  /** Why it is not offered. */
  readonly reason?: string;
}

export interface App {
  readonly agent: Agent;
  readonly store: SessionStore;
  readonly models: Models;
  /** Warnings a door shows once at start: broken config, unknown keys, storage. */
  readonly warnings: readonly string[];
  newSession(cwd?: string): SessionRef;
  /** A stored session, by id, unique prefix, title or `latest`, at the tip of its lineage. @throws AppError `session-not-found` */
  resumeSession(reference: string): Promise<{ readonly session: SessionRef; readonly row: SessionRow }>;
  tools(): Promise<readonly ToolListing[]>;
  /** Ends background processes, closes the database. Safe to call twice. */
  close(): Promise<void>;
}
