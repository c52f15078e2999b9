/** What the analysis of a command says. */
import type { Risk } from '../../contracts/turn.ts';

export type Verdict = 'allow' | 'ask' | 'block';

export interface CommandRisk extends Risk {
  /** The simple command it was found in, as understood: quoting and tricks undone. */
  readonly command: string;
  /** No approval lifts it. */
  readonly block: boolean;
}

export interface Assessment {
  readonly verdict: Verdict;
  /** Each class once. */
  readonly risks: readonly CommandRisk[];
  /**
   * Every simple command that would run, wrappers and substitutions opened, for globs to be matched against.
   * Empty when the quick look already said that the command is harmless and nobody asked for them.
   */
  readonly commands: readonly string[];
}

export interface AssessContext {
  /** The user's home folder, absolute. */
  readonly home: string;
  /** Where the command runs, absolute. */
  readonly cwd: string;
  /** The home of Hermes, absolute; default `<home>/.hermes`. */
  readonly hermesHome?: string;
  /** The command runs inside the gateway, so that stopping the gateway would stop ourselves. */
  readonly inGateway?: boolean;
  /** Fill in `commands` even for a harmless command. */
  readonly listCommands?: boolean;
}
