/** Decides whether a risky action may run: by rule where there is one, else by asking the person. */
import type { ApprovalChoice, Risk, SessionRef, Source, TurnIO } from '../contracts/turn.ts';
import { errorText } from '../lib/errors.ts';
import type { CommandRisk, Verdict } from './command/assessment.ts';
import { firstMatch, matchesGlob } from './command-glob.ts';

export type ApprovalMode = 'manual' | 'smart' | 'off';

export interface ApprovalOptions {
  /** `smart` asks, like `manual`. */
  readonly mode: ApprovalMode;
  /** Everything but blocked commands and deny globs runs unasked. */
  readonly yolo: boolean;
  /** Classes (`recursive-delete`) and globs (`git push *`) that run unasked. */
  readonly allowlist: readonly string[];
  /** Globs of commands that never run. */
  readonly denyGlobs: readonly string[];
  /** Milliseconds a question waits. */
  readonly timeoutMs: number;
  /** The user's home folder: globs may say `~`. */
  readonly userHome: string;
  /** What happens where nobody can be asked; default `deny` everywhere. */
  readonly unattended?: (source: Source) => 'deny' | 'approve';
  /** Stores an "always": the class joins the allowlist of the configuration. */
  remember(pattern: string): Promise<void>;
}

export interface ApprovalRequest {
  readonly session: SessionRef;
  readonly tool: string;
  /** The exact command or action, complete. */
  readonly action: string;
  readonly verdict: Verdict;
  readonly risks: readonly (Risk | CommandRisk)[];
  /** Simple commands inside the action, for deny globs. */
  readonly commands?: readonly string[];
}

export type ApprovalDecision =
  /** `asked`: a person said yes. */
  | { readonly allowed: true; readonly asked: boolean }
  /** `reason` tells the model what happened and what not to do. */
  | { readonly allowed: false; readonly reason: string };

export interface Approvals {
  /** Deny globs exist, so requests should carry `commands`. */
  readonly wantsCommands: boolean;
  /** Never rejects. One question at a time per session; aborting the turn denies. */
  check(request: ApprovalRequest, io: TurnIO): Promise<ApprovalDecision>;
  /** Switches asking off or on for one session (`/yolo`). */
  setYolo(sessionId: string, on: boolean): void;
  isYolo(sessionId: string): boolean;
  /** The session goes on under another id (compression): what it was granted goes along. */
  moveSession(from: string, to: string): void;
}

const choices: readonly ApprovalChoice[] = ['once', 'session', 'always', 'deny'];

export function createApprovals(options: ApprovalOptions): Approvals {
  const always = new Set(options.allowlist);
  const granted = new Map<string, Set<string>>();
  const yolo = new Map<string, boolean>();
  /** The last question of each session; the next one waits for it. */
  const queues = new Map<string, Promise<unknown>>();

  const isYolo = (sessionId: string): boolean => yolo.get(sessionId) ?? options.yolo;

  const isGranted = (request: ApprovalRequest): boolean => {
    const session = granted.get(request.session.id);
    const globs = [...always].filter((entry) => /[*?\s]/.test(entry));
    return request.risks.every((risk) => {
      if (session?.has(risk.id) || always.has(risk.id)) return true;
      // Only the risky part itself may match: `git push *` must not cover what is chained behind it.
      const text = 'command' in risk && risk.id !== 'unreadable' ? risk.command : request.action;
      return risk.id !== 'unreadable' && 'command' in risk && globs.some((glob) => matchesGlob(glob, text));
    });
  };

  const byRule = (request: ApprovalRequest): ApprovalDecision | undefined => {
    if (request.verdict === 'block') return { allowed: false, reason: blockedText(request.risks) };
    const denied = firstMatch(options.denyGlobs, request.action, request.commands ?? [], options.userHome);
    if (denied !== undefined) {
      return {
        allowed: false,
        reason: `BLOCKED: the user forbids commands like "${denied}" (approvals.deny). Do not get the same effect another way.`,
      };
    }
    if (request.verdict === 'allow' || isYolo(request.session.id) || options.mode === 'off' || isGranted(request))
      return { allowed: true, asked: false };
    if (request.session.door.interactive) return undefined;
    if (options.unattended?.(request.session.source) === 'approve') return { allowed: true, asked: false };
    return {
      allowed: false,
      reason: `BLOCKED: this ${whys(request.risks)}, which needs a person's approval, and nobody can be asked here. Find a safer way, or tell the user what to run.`,
    };
  };

  const keep = async (request: ApprovalRequest, choice: ApprovalChoice, io: TurnIO): Promise<void> => {
    const { id } = request.session;
    const session = granted.get(id) ?? new Set();
    granted.set(id, session);
    for (const risk of request.risks) {
      session.add(risk.id);
      if (choice !== 'always') continue;
      always.add(risk.id);
      await options.remember(risk.id).catch((error: unknown) => {
        io.emit({
          type: 'status',
          kind: 'warning',
          text: `The approval holds for this session only: it could not be saved (${errorText(error)}).`,
        });
      });
    }
  };

  const ask = async (request: ApprovalRequest, io: TurnIO): Promise<ApprovalDecision> => {
    // A question answered meanwhile may have settled this one too.
    const decided = byRule(request);
    if (decided !== undefined) return decided;
    if (io.signal.aborted) return { allowed: false, reason: 'The turn was cancelled before the command ran.' };
    const { tool, action } = request;
    const risks = request.risks.map(({ id, why }) => ({ id, why }));
    const choice = await withDeadline(
      io.ask({ kind: 'approval', tool, action, risks, choices }),
      options.timeoutMs,
      io.signal,
    );
    if (choice === 'once') return { allowed: true, asked: true };
    if (choice === 'session' || choice === 'always') {
      await keep(request, choice, io);
      return { allowed: true, asked: true };
    }
    return { allowed: false, reason: deniedText(choice) };
  };

  return {
    wantsCommands: options.denyGlobs.length > 0,
    check: (request, io) => {
      const decided = byRule(request);
      if (decided !== undefined) return Promise.resolve(decided);
      const { id } = request.session;
      const before = queues.get(id) ?? Promise.resolve();
      const mine = before.then(() => ask(request, io));
      const settled = mine.then(
        () => {},
        () => {},
      );
      queues.set(id, settled);
      void settled.then(() => {
        if (queues.get(id) === settled) queues.delete(id);
      });
      return mine.catch((error: unknown) => ({
        allowed: false,
        reason: `The approval could not be asked for: ${errorText(error)}.`,
      }));
    },
    setYolo: (sessionId, on) => void yolo.set(sessionId, on),
    isYolo,
    moveSession: (from, to) => {
      for (const map of [granted, yolo] as Map<string, unknown>[]) {
        const value = map.get(from);
        if (value !== undefined) map.set(to, value);
        map.delete(from);
      }
    },
  };
}

type Answer = ApprovalChoice | 'timeout' | 'cancelled';

/** The door promises to settle; a door that does not must not hold the turn for ever. */
async function withDeadline(answer: Promise<ApprovalChoice>, timeoutMs: number, signal: AbortSignal): Promise<Answer> {
  let timer: NodeJS.Timeout | undefined;
  let onAbort: (() => void) | undefined;
  const other = new Promise<Answer>((resolve) => {
    timer = setTimeout(() => resolve('timeout'), timeoutMs);
    onAbort = () => resolve('cancelled');
    signal.addEventListener('abort', onAbort, { once: true });
  });
  try {
    return await Promise.race([answer, other]);
  } finally {
    clearTimeout(timer);
    if (onAbort !== undefined) signal.removeEventListener('abort', onAbort);
  }
}

function whys(risks: readonly Risk[]): string {
  return risks.map((risk) => risk.why).join(' and ');
}

function blockedText(risks: readonly (Risk | CommandRisk)[]): string {
  const fatal = risks.filter((risk) => !('block' in risk) || risk.block);
  return `BLOCKED: this ${whys(fatal)}. It never runs, whatever is approved. Do not get the same effect another way.`;
}

function deniedText(choice: Answer): string {
  if (choice === 'timeout')
    return 'Not run: nobody answered the approval question in time. Go on without it, or ask the user.';
  if (choice === 'cancelled') return 'The turn was cancelled before the command ran.';
  return 'The user denied this command. Do not run it again or get the same effect another way; go on without it or ask what they prefer.';
}
