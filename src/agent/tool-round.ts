/** Runs the tool calls of one reply: in ordered segments, each result on disk before the door hears of it. */
import type { ToolCall, ToolResultMessage } from '../contracts/message.ts';
import type { PreparedCall } from '../tools/prepare.ts';
import { type ExecutedCall, limitsForWindow, type ToolRegistry } from '../tools/registry.ts';
import { splitIntoSegments } from '../tools/segments.ts';
import type { ToolContext } from '../tools/tool.ts';
import { receivedArguments, repairArguments } from './repair-arguments.ts';
import { textOf } from './sanitize.ts';
import type { TurnState } from './turn-state.ts';

export interface ToolRound {
  /** A guardrail wants the turn to end; one sentence for the user. */
  readonly stop?: string;
  /** How many calls named a tool that does not exist. */
  readonly unknownTools: number;
}

/**
 * Gives every call exactly one result, in call order, also when the turn is interrupted. What follows a barrier is
 * planned only when that has run: it may have changed what a plan depends on, such as the folder of relative paths.
 */
export async function runToolCalls(
  turn: TurnState,
  registry: ToolRegistry,
  calls: readonly ToolCall[],
): Promise<ToolRound> {
  const offered = turn.session.tools.map(({ name }) => name);
  let stop: string | undefined;
  let unknownTools = 0;
  for (let done = 0; done < calls.length; ) {
    const prepared = calls
      .slice(done)
      .map((call) => registry.prepare(received(call), contextOf(turn, call.id), offered));
    for (const members of upToBarrier(prepared)) {
      if (turn.io.signal.aborted) await skip(turn, members);
      else stop = (await runSegment(turn, registry, members, calls)) ?? stop;
      unknownTools += members.filter(({ rejected }) => rejected === 'unknown-tool').length;
      done += members.length;
    }
  }
  return { unknownTools, ...(stop !== undefined && { stop }) };
}

/** The segments up to the first barrier, that included. */
function upToBarrier(prepared: readonly PreparedCall[]): readonly (readonly PreparedCall[])[] {
  const segments = splitIntoSegments(prepared.map(({ invocation }) => invocation.concurrency)).map((segment) =>
    segment.map((index) => prepared[index]).filter((call) => call !== undefined),
  );
  const barrier = segments.findIndex(([first]) => first?.invocation.concurrency === 'barrier');
  return barrier < 0 ? segments : segments.slice(0, barrier + 1);
}

function received(call: ToolCall): Parameters<ToolRegistry['prepare']>[0] {
  const { id, name, argumentsError } = call;
  if (argumentsError === undefined) return { id, name, args: call.arguments };
  const text = receivedArguments(argumentsError);
  const args = text === undefined ? undefined : repairArguments(text);
  return args === undefined ? { id, name, args: {}, argumentsError } : { id, name, args };
}

function contextOf(turn: TurnState, callId: string): ToolContext {
  return {
    session: turn.session.ref,
    io: turn.io,
    callId,
    progress: (text) => turn.io.emit({ type: 'toolcall_delta', callId, text }),
  };
}

async function runSegment(
  turn: TurnState,
  registry: ToolRegistry,
  members: readonly PreparedCall[],
  calls: readonly ToolCall[],
): Promise<string | undefined> {
  const limits = limitsForWindow(turn.session.model.info.contextWindow);
  const executed = await Promise.all(
    members.map((member) => {
      turn.io.emit({ type: 'toolcall_start', call: member.view });
      return registry.execute(member, limits);
    }),
  );
  const fitted = executed.length > 1 ? await registry.fitBatch(executed, limits) : executed;
  let stop: string | undefined;
  for (const [index, call] of fitted.entries()) {
    const member = members[index];
    if (member === undefined) continue;
    const args = calls.find(({ id }) => id === member.callId)?.arguments;
    const watched = watch(turn, member, args, call);
    stop ??= watched.stop;
    await turn.session.append(watched.result);
    turn.receipts.push(call.receipt);
    turn.io.emit({ type: 'toolcall_end', call: member.view, result: call.view });
  }
  return stop;
}

function watch(
  turn: TurnState,
  member: PreparedCall,
  args: unknown,
  { result, receipt }: ExecutedCall,
): { readonly result: ToolResultMessage; readonly stop?: string } {
  const verdict = turn.guardrails.observe({
    tool: member.name,
    args,
    result: textOf(result),
    ok: receipt.ok,
    changedSomething: (receipt.filesChanged?.length ?? 0) > 0,
  });
  if (verdict.stop !== undefined) return { result, stop: verdict.stop };
  if (verdict.hint === undefined) return { result };
  return { result: { ...result, content: [...result.content, { type: 'text', text: `\n${verdict.hint}` }] } };
}

async function skip(turn: TurnState, members: readonly PreparedCall[]): Promise<void> {
  for (const { callId, name } of members) {
    await turn.session.append({
      role: 'toolResult',
      toolCallId: callId,
      toolName: name,
      content: [{ type: 'text', text: '[Skipped: the turn was interrupted before this call ran.]' }],
      isError: true,
      timestamp: Date.now(),
    });
  }
}
