/**
 * The loop: one user input, worked through to its final answer. Knows no door, no vendor and no database; what it
 * says goes through `io.emit`, what it keeps through the session, what it does through the registry.
 *
 * Helper messages to the model (nudges, notices) are stored as hidden rows instead of being taken back: a request
 * always begins with the bytes of the one before.
 */
import type { AssistantMessage, ToolSchema, UserMessage } from '../contracts/message.ts';
import type { TurnIO, TurnResult, TurnStop, UserInput } from '../contracts/turn.ts';
import { AppError } from '../lib/errors.ts';
import { randomHex } from '../lib/random-hex.ts';
import type { ModelFailure, ModelRequest, ReasoningEffort } from '../model/client.ts';
import { costOf, countTokens } from '../model/usage.ts';
import type { ToolRegistry } from '../tools/registry.ts';
import { emptyReplyStep } from './empty-reply.ts';
import { addUsage, type LiveSession, syntheticReply } from './live-session.ts';
import { modelReply, type Reply } from './model-reply.ts';
import { type Overlay, prefillMessages, withOverlay } from './overlay.ts';
import { steeringMessage } from './prompt/guidance.ts';
import { sanitizeHistory } from './sanitize.ts';
import { runToolCalls } from './tool-round.ts';
import { createTurnState, resetTries, type TurnLimits, type TurnState, takeTry } from './turn-state.ts';

export interface TurnDeps {
  readonly registry: ToolRegistry;
  readonly limits: TurnLimits;
  /** Takes the texts that came in for the running turn since the last call. */
  readonly takeSteering: () => readonly string[];
  /** Called once when the ending is decided: no further text is taken for this turn. */
  readonly endSteering: () => void;
  readonly overlay: Overlay;
  /** Takes what the user should be told before the answer. */
  readonly takeNotices: () => readonly string[];
  readonly reasoning: () => ReasoningEffort | undefined;
}

interface Ending {
  readonly stop: TurnStop;
  readonly text: string;
  readonly error?: TurnResult['error'];
}

type Next = 'continue' | Ending;

const NUDGES = {
  continueText: 'Your reply was cut off. Continue exactly where it stopped, without repeating anything.',
  smallerCalls:
    'Your tool call was cut off by the output limit and was not run. Make it smaller: write long content in several calls.',
  missingCalls: 'You ended your reply with a tool call that did not arrive. Call the tool, or answer.',
  announcement: 'You announced an action but called no tool. Do it now, or give the answer.',
} as const;

/** Tools that only keep house: text beside them is the answer already. */
const HOUSEKEEPING = new Set(['memory', 'todo', 'skill_manage', 'session_search']);

export async function runTurn(session: LiveSession, input: UserInput, io: TurnIO, deps: TurnDeps): Promise<TurnResult> {
  const turn = createTurnState(session, io, deps.limits);
  const { info } = session.model;
  io.emit({
    type: 'turn_start',
    turnId: randomHex(16),
    sessionId: session.ref.id,
    model: info.model,
    provider: info.provider,
  });
  for (const text of deps.takeNotices()) io.emit({ type: 'status', kind: 'warning', text });
  let ending: Ending;
  try {
    await session.append(userMessage(input));
    ending = await loop(turn, deps);
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    ending = { stop: 'error', text: '', error: { code: error.code, message: error.message, ...hintOf(error.hint) } };
  }
  deps.endSteering();
  await session.settled();
  const result: TurnResult = {
    sessionId: session.ref.id,
    text: ending.text,
    stop: ending.stop,
    ...(ending.error !== undefined && { error: ending.error }),
    usage: turn.usage,
    iterations: turn.iterations,
    receipts: turn.receipts,
  };
  io.emit({ type: 'turn_end', result });
  return result;
}

function userMessage(input: UserInput): UserMessage {
  const [only] = input.content;
  const content = input.content.length === 1 && only?.type === 'text' ? only.text : [...input.content];
  return { role: 'user', content, timestamp: Date.now() };
}

async function loop(turn: TurnState, deps: TurnDeps): Promise<Ending> {
  for (;;) {
    if (turn.io.signal.aborted) return interrupted(turn);
    if (turn.iterations >= turn.limits.maxIterations) return graceCall(turn, deps);
    await steer(turn, deps);
    const next = await handle(turn, deps, await ask(turn, deps, turn.session.tools));
    // What came in during the last reply is followed up, never lost.
    if (next !== 'continue' && !(next.stop === 'done' && (await steer(turn, deps)))) return next;
  }
}

/** Hands over what the user said meanwhile; false when there was nothing. */
async function steer(turn: TurnState, deps: TurnDeps): Promise<boolean> {
  const texts = deps.takeSteering();
  for (const text of texts) await say(turn, steeringMessage(text), { displayKind: 'steering', displayText: text });
  if (texts.length > 0) turn.parts = [];
  return texts.length > 0;
}

async function ask(turn: TurnState, deps: TurnDeps, tools: readonly ToolSchema[]): Promise<Reply> {
  const { session } = turn;
  const reasoning = deps.reasoning();
  turn.iterations++;
  const request: ModelRequest = {
    system: withOverlay(session.system, deps.overlay),
    tools,
    messages: sanitizeHistory([...prefillMessages(deps.overlay, session.model), ...session.history]),
    sessionId: session.ref.id,
    ...(reasoning !== undefined && { reasoning }),
  };
  const reply = await modelReply(session.model, request, turn.io, turn.parts.at(-1) ?? turn.shownBefore);
  turn.shownBefore = '';
  recordUsage(turn, reply);
  return reply;
}

function recordUsage(turn: TurnState, { message: { usage } }: Reply): void {
  const { session } = turn;
  if (usage.totalTokens === 0 && usage.input === 0 && usage.output === 0) return;
  turn.usage = addUsage(turn.usage, usage);
  session.lastUsage = usage;
  const { info } = session.model;
  const { costUsd, costStatus } = costOf(usage, info);
  session.addUsage({
    ...countTokens(usage),
    apiCalls: 1,
    ...(costUsd !== undefined && { costUsd }),
    costStatus,
    model: info.model,
    provider: info.provider,
    baseUrl: info.baseUrl,
  });
  const contextTokens = usage.input + usage.cacheRead + usage.cacheWrite + usage.output;
  turn.io.emit({ type: 'usage', usage, contextTokens, contextWindow: info.contextWindow });
}

/** Decides what a reply leads to. The order matters: what was cut is never run or taken as an answer. */
async function handle(turn: TurnState, deps: TurnDeps, reply: Reply): Promise<Next> {
  if (turn.io.signal.aborted) return interrupted(turn);
  if (reply.failure !== undefined) return afterFailure(turn, reply, reply.failure);
  const stopped = reply.message.stopReason;
  if (stopped === 'length' && reply.calls.length > 0) return afterCutCalls(turn, reply);
  if (stopped === 'length' && reply.text.trim() !== '') return continueText(turn, reply, lengthError);
  if (stopped === 'length' && turn.parts.length > 0) return deliver(turn, reply);
  if (reply.calls.length > 0) return runCalls(turn, deps, reply);
  if (stopped === 'toolUse' && takeTry(turn, 'missingCalls', 3)) return nudge(turn, reply, NUDGES.missingCalls);
  if (reply.text.trim() === '' && turn.parts.length === 0) return afterEmpty(turn, reply);
  if (announces(turn, reply) && takeTry(turn, 'announcement', 2)) return nudge(turn, reply, NUDGES.announcement);
  return deliver(turn, reply);
}

async function deliver(turn: TurnState, reply: Reply): Promise<Ending> {
  if (reply.message.content.length > 0) await turn.session.append(reply.message);
  else await close(turn, 'The answer ends here.');
  return { stop: 'done', text: joined(turn, reply.text) };
}

function joined(turn: TurnState, text: string): string {
  return [...turn.parts, text].join('');
}

async function runCalls(turn: TurnState, deps: TurnDeps, reply: Reply): Promise<Next> {
  await turn.session.append(reply.message);
  const round = await runToolCalls(turn, deps.registry, reply.calls);
  const housekeeping = reply.calls.every(({ name }) => HOUSEKEEPING.has(name));
  turn.fallbackText = housekeeping && reply.text.trim() !== '' ? joined(turn, reply.text) : '';
  turn.parts = [];
  if (turn.io.signal.aborted) return interrupted(turn);
  if (round.stop !== undefined) return stopHere(turn, 'cap', round.stop);
  if (round.unknownTools === 0) {
    turn.tries.unknownTool = 0;
    resetTries(turn);
  } else if (!takeTry(turn, 'unknownTool', 3)) {
    return stopHere(turn, 'cap', 'Stopped: the model kept calling tools that do not exist.');
  }
  return 'continue';
}

async function afterFailure(turn: TurnState, reply: Reply, failure: ModelFailure): Promise<Next> {
  const error = { code: failure.reason, message: failure.message, ...hintOf(failure.hint) };
  const resumable = failure.recovery === 'retry' && reply.text.trim() !== '';
  if (resumable) return continueText(turn, reply, () => error);
  // What was shown is kept; and a reply stands between this message and the next, so that neither has to change.
  if (reply.text.trim() !== '') await turn.session.append(textOnly(reply));
  else await close(turn, '[No answer: the model call failed.]');
  return { stop: 'error', text: joined(turn, reply.text), error };
}

function textOnly({ message }: Reply): AssistantMessage {
  return { ...message, content: message.content.filter((block) => block.type !== 'toolCall'), stopReason: 'stop' };
}

const lengthError = (): NonNullable<TurnResult['error']> => ({
  code: 'output-limit',
  message: "The answer is longer than the model's output limit; what arrived is shown.",
  hint: 'Ask it to continue, or raise model.max_tokens.',
});

/** Keeps what arrived and asks for the rest, a bounded number of times. */
async function continueText(
  turn: TurnState,
  reply: Reply,
  whenSpent: () => NonNullable<TurnResult['error']>,
): Promise<Next> {
  await turn.session.append(textOnly(reply));
  turn.parts.push(reply.text);
  if (takeTry(turn, 'continuation', 3)) {
    await say(turn, NUDGES.continueText);
    return 'continue';
  }
  return { stop: 'error', text: joined(turn, ''), error: whenSpent() };
}

/** Arguments cut off by the output limit are neither run nor stored. */
async function afterCutCalls(turn: TurnState, reply: Reply): Promise<Next> {
  turn.shownBefore = reply.text;
  if (takeTry(turn, 'cutCalls', 1)) return 'continue';
  if (takeTry(turn, 'cutCalls', 3)) {
    await say(turn, NUDGES.smallerCalls);
    return 'continue';
  }
  await close(turn, 'The tool call was cut off by the output limit and was not run.');
  const message = "The model's tool call was cut off by its output limit again and again, so it was not run.";
  return {
    stop: 'error',
    text: joined(turn, reply.text),
    error: { code: 'output-limit', message, hint: 'Raise model.max_tokens, or ask for smaller steps.' },
  };
}

async function afterEmpty(turn: TurnState, reply: Reply): Promise<Next> {
  const step = await emptyReplyStep(turn, reply.reasoned);
  if (step.kind === 'again') return 'continue';
  if (step.kind === 'nudge') {
    await say(turn, step.text);
    return 'continue';
  }
  if (step.kind === 'reuse') {
    await close(turn, '(nothing to add)');
    return { stop: 'done', text: step.text };
  }
  await close(turn, '(empty)');
  const message = 'The model gave no answer, although it was asked several times.';
  return {
    stop: 'error',
    text: '',
    error: { code: 'empty-response', message, hint: 'Ask again, or choose another model.' },
  };
}

/** Short, nothing done yet, and ending as if a call were to follow. */
function announces(turn: TurnState, reply: Reply): boolean {
  const text = reply.text.trim();
  return (
    turn.session.tools.length > 0 &&
    turn.receipts.length === 0 &&
    text.length < 400 &&
    /^(i'll|i will|let me|now i|i'm going to|i am going to)\b/i.test(text) &&
    /(:|\.\.\.|…)$/.test(text)
  );
}

async function nudge(turn: TurnState, reply: Reply, text: string): Promise<Next> {
  if (reply.message.content.length > 0) await turn.session.append({ ...reply.message, stopReason: 'stop' });
  await say(turn, text);
  return 'continue';
}

/** A message to the model that the user did not write. */
async function say(
  turn: TurnState,
  text: string,
  more: { displayKind?: string; displayText?: string } = { displayKind: 'hidden' },
): Promise<void> {
  await turn.session.append({ role: 'user', content: text, timestamp: Date.now() }, more);
}

/** Ends the transcript on a reply, so that the next user message does not change one that was sent. */
async function close(turn: TurnState, text: string): Promise<void> {
  if (turn.session.history.at(-1)?.role === 'assistant') return;
  await turn.session.append(syntheticReply(text, turn.session.model, Date.now()), { displayKind: 'hidden' });
}

async function interrupted(turn: TurnState): Promise<Ending> {
  await close(turn, '[Interrupted by the user.]');
  return { stop: 'interrupted', text: joined(turn, '') };
}

/** The turn ends with a sentence of ours, said and stored like an answer. */
async function stopHere(turn: TurnState, stop: TurnStop, text: string): Promise<Ending> {
  turn.io.emit({ type: 'text_delta', text });
  turn.io.emit({ type: 'text_end' });
  await turn.session.append(syntheticReply(text, turn.session.model, Date.now()));
  return { stop, text };
}

/** The budget is spent: one more call, without tools, to sum up. */
async function graceCall(turn: TurnState, deps: TurnDeps): Promise<Ending> {
  const limit = turn.limits.maxIterations;
  const note = `(Stopped: the limit of ${limit} steps for one turn was reached.)`;
  turn.io.emit({
    type: 'status',
    kind: 'budget',
    text: `The limit of ${limit} steps was reached; asking for a summary.`,
  });
  await say(
    turn,
    `You have used all ${limit} steps of this turn and can call no more tools. Answer now: what is done, what is not, and how to go on.`,
  );
  const reply = await ask(turn, deps, []);
  if (turn.io.signal.aborted) return interrupted(turn);
  if (reply.failure !== undefined) turn.io.emit({ type: 'status', kind: 'warning', text: reply.failure.message });
  const summary = reply.failure === undefined ? reply.text.trim() : '';
  const text = summary === '' ? note : `${summary}\n\n${note}`;
  turn.io.emit({ type: 'text_delta', text: summary === '' ? note : `\n\n${note}` });
  turn.io.emit({ type: 'text_end' });
  await turn.session.append(syntheticReply(text, turn.session.model, Date.now()));
  return { stop: 'budget', text };
}

function hintOf(hint: string | undefined): { hint?: string } {
  return hint === undefined ? {} : { hint };
}
