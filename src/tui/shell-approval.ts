/** A `!command` is judged like one of the model: a slip of the person is as final. */
import { homedir } from 'node:os';
import type { AnswerTo, Question } from '../contracts/turn.ts';

export interface ShellApprovalOptions {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Runs risky commands unasked; what is blocked stays so. */
  readonly yolo: boolean;
  ask<Q extends Question>(question: Q, signal: AbortSignal): Promise<AnswerTo<Q>>;
}

/** @returns '' when the command may run, else why not */
export function createShellApproval({ env, yolo, ask }: ShellApprovalOptions) {
  return async (command: string, cwd: string, signal: AbortSignal): Promise<string> => {
    const { assessCommand } = await import('../security/command/assess.ts');
    const { verdict, risks } = await assessCommand(command, { home: homedir(), cwd, hermesHome: env.HERMES_HOME });
    const why = risks.map((risk) => risk.why).join(', ');
    if (verdict === 'block') return `blocked, as it ${why}.`;
    if (verdict === 'allow' || yolo) return '';
    const choice = await ask(
      { kind: 'approval', tool: 'your command', action: command, risks, choices: ['once', 'deny'] },
      signal,
    );
    return choice === 'deny' ? 'denied.' : '';
  };
}
