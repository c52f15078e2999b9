/** What the terminal door is opened with. */
import type { Terminal } from '@earendil-works/pi-tui';
import type { App, AppOptions } from '../app.ts';
import type { ReasoningEffort } from '../model/client.ts';
import type { ModelSelection } from '../model/models.ts';
import type { TuiSettings } from './settings.ts';

export interface TuiOptions {
  /** Opens the home and its services; called once, after the first frame is on the screen. */
  openApp(options: AppOptions): Promise<App>;
  /** Absolute. The folder a new session works in. */
  readonly cwd: string;
  readonly selection?: ModelSelection;
  /** A session to go on with: id, prefix, title or `latest`. */
  readonly resume?: string;
  /** Work in the folder of the session that is continued; true when absent. */
  readonly restoreCwd?: boolean;
  readonly toolsets?: readonly string[];
  readonly maxTurns?: number;
  readonly reasoning?: ReasoningEffort;
  readonly yolo?: boolean;
  readonly ignoreRules?: boolean;
  readonly ignoreUserConfig?: boolean;
  /** Sent as soon as the app is open. */
  readonly initialPrompt?: string;
  /** What the configuration says about the screen; the defaults when absent. */
  readonly loadSettings?: () => Promise<TuiSettings>;
  /** Writes one key of the configuration file; without it nothing offers to remember. */
  readonly saveSetting?: (key: string, value: unknown) => Promise<void>;
  /** The process's own terminal when absent. */
  readonly terminal?: Terminal;
  /** For tests: how long a question that opens by itself waits for a still keyboard. */
  readonly guardMs?: number;
  readonly settleMs?: number;
}

/** Where the door stands; a command line context fits. */
export interface TuiStreams {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly profile: string | undefined;
  readonly stdin: NodeJS.ReadableStream & { readonly isTTY?: boolean };
  readonly stdout: NodeJS.WritableStream & { readonly isTTY?: boolean };
  readonly stderr: NodeJS.WritableStream;
  /** Ends the door: the running turn is stopped, the terminal restored. */
  readonly signal: AbortSignal;
}

export function appOptions(options: TuiOptions, streams: TuiStreams, interactive: boolean): AppOptions {
  return {
    env: streams.env,
    cwd: options.cwd,
    profile: streams.profile,
    source: 'cli',
    door: { interactive, markdown: interactive ? 'full' : 'plain', images: false, edits: 'apply' },
    selection: options.selection,
    toolsets: options.toolsets,
    maxTurns: options.maxTurns,
    yolo: options.yolo,
    ignoreUserConfig: options.ignoreUserConfig,
    ignoreRules: options.ignoreRules,
  };
}
