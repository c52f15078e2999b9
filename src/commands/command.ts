/**
 * What a slash command is. A command acts on the app and speaks through its context; it never renders, so every
 * door shares it. Adding one is one new file and one line in `index.ts`.
 */
import type { App } from '../app.ts';
import type { SessionRef } from '../contracts/turn.ts';

/** `terminal`: one person at a screen. `chat`: a messaging platform. */
export type CommandDoor = 'terminal' | 'chat';

export type BusyMode = 'interrupt' | 'queue' | 'steer';
export const BUSY_MODES: readonly BusyMode[] = ['interrupt', 'queue', 'steer'];

/** `clamp` shows the last lines only, `hide` nothing. */
export type ReasoningView = 'clamp' | 'full' | 'hide';

/** What the person likes; a command may change it for as long as the door is open. */
export interface Preferences {
  busyMode: BusyMode;
  reasoningView: ReasoningView;
  /** Ask before a command that throws something away. */
  confirmDestructive: boolean;
}

export interface ChoiceOption {
  readonly value: string;
  readonly label: string;
  readonly detail?: string;
}

export interface CommandContext {
  readonly app: App;
  readonly session: SessionRef;
  readonly door: CommandDoor;
  readonly preferences: Preferences;
  /** A turn is running in this session. */
  readonly busy: boolean;
  /** Aborted when the person gives up waiting; hand it to whatever asks the network. */
  readonly signal: AbortSignal;
  /** The running turn is stopped first. */
  setSession(session: SessionRef): Promise<void>;
  /** Title for a session that is stored only with its first message. */
  titleWhenStored(title: string): void;
  say(markdown: string): void;
  /** `undefined`: the person took none. */
  choose(title: string, options: readonly ChoiceOption[]): Promise<string | undefined>;
  /** A plain question that is a no unless somebody says yes. `always` is offered only when `mayRemember`. */
  confirm(question: string, mayRemember?: boolean): Promise<'once' | 'always' | 'cancel'>;
  /** The next user message: at once when idle, after the running turn otherwise. */
  submit(text: string): void;
  /** Resolves when the running turn has ended; false when none ran. */
  stopTurn(): Promise<boolean>;
  quit(): void;
  /** Writes one key of the configuration file; absent where the door may not. */
  readonly saveSetting?: (key: string, value: unknown) => Promise<void>;
  /** Facts that only the door knows, for `/status` (`Queued messages: 2`). */
  facts(): readonly string[];
}

interface ArgumentHelp {
  readonly value: string;
  readonly detail?: string;
}

export interface Command {
  /** Without the slash, lower case, words joined by `-`. */
  readonly name: string;
  readonly aliases?: readonly string[];
  readonly group: 'Session' | 'Model' | 'Turn' | 'Info';
  /** One short sentence. */
  readonly summary: string;
  /** `[text]`; angle brackets mark what must be given. */
  readonly args?: string;
  readonly where: 'both' | CommandDoor;
  readonly tier: 'essential' | 'standard';
  /** Works while a turn runs. */
  readonly whileBusy?: boolean;
  /** Completions of the last word of `typed`, the text after the command's name. */
  complete?(typed: string, ctx: Pick<CommandContext, 'app' | 'session'>): Promise<readonly ArgumentHelp[]>;
  /** Throws AppError for what the person should read; aborts leave no half-done change. */
  run(args: string, ctx: CommandContext): Promise<void>;
}
