/** What a rule is. Rules are listed by the command names they look at; a few look at every command. */
import type { AssessContext } from './assessment.ts';
import type { SimpleCommand } from './model.ts';

export interface Finding {
  /** The class an approval is given for. */
  readonly id: string;
  readonly why: string;
  /** No approval lifts it. */
  readonly block?: boolean;
}

export interface RuleContext extends AssessContext {
  readonly hermesHome: string;
}

export type Rule = (command: SimpleCommand, context: RuleContext) => Finding | undefined | readonly Finding[];

/** Names, separated by blanks, to the rules for them. */
export type RuleTable = readonly (readonly [names: string, rule: Rule])[];

export function ask(id: string, why: string): Finding {
  return { id, why };
}

export function block(id: string, why: string): Finding {
  return { id, why, block: true };
}
