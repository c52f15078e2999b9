/** The rule of every history that is sent: each tool call has exactly one result, directly after its reply. */
import type { ToolCall, ToolResultMessage } from '../contracts/message.ts';
import type { LoadedMessage } from './session-store.ts';

interface Slot {
  readonly call: ToolCall;
  result: LoadedMessage | undefined;
}

type Item = { readonly message: LoadedMessage; readonly slots: Slot[] };

export interface PairedHistory {
  readonly messages: readonly LoadedMessage[];
  /** Calls whose result never came, in order. */
  readonly open: readonly ToolCall[];
}

/** @param rows in the order in which they were stored; results may stand anywhere after their call */
export function pairToolResults(rows: readonly LoadedMessage[]): PairedHistory {
  const items: Item[] = [];
  const slotsById = new Map<string, Slot[]>();
  for (const row of rows) {
    if (row.message.role === 'toolResult') {
      placeResult(row, row.message, slotsById, items);
      continue;
    }
    const slots = row.message.role === 'assistant' ? openSlots(row.message.content) : [];
    for (const slot of slots) slotsById.set(slot.call.id, [...(slotsById.get(slot.call.id) ?? []), slot]);
    items.push({ message: row, slots });
  }
  return {
    messages: items.flatMap((item) => [item.message, ...item.slots.flatMap((slot) => slot.result ?? [])]),
    open: items.flatMap((item) => item.slots.filter((slot) => slot.result === undefined).map((slot) => slot.call)),
  };
}

/** What the model reads where a crash cut a call short. */
export function interruptedResult(call: ToolCall, now: number): ToolResultMessage {
  const error =
    'Interrupted: the program ended before this call returned. It may or may not have taken effect; check before you repeat it.';
  return {
    role: 'toolResult',
    toolCallId: call.id,
    toolName: call.name,
    content: [{ type: 'text', text: JSON.stringify({ success: false, error }) }],
    isError: true,
    details: { interrupted: true },
    timestamp: now,
  };
}

function openSlots(content: readonly { readonly type: string }[]): Slot[] {
  return content.flatMap((block) =>
    block.type === 'toolCall' ? [{ call: block as ToolCall, result: undefined }] : [],
  );
}

/** Some models number their calls anew in every reply, so the nearest open call with the id is meant. */
function placeResult(
  row: LoadedMessage,
  result: ToolResultMessage,
  slotsById: Map<string, Slot[]>,
  items: Item[],
): void {
  const slots =
    result.toolCallId === '' ? (items.at(-1)?.slots.toReversed() ?? []) : (slotsById.get(result.toolCallId) ?? []);
  const open = slots.findLast((slot) => slot.result === undefined);
  // A result that did arrive after all replaces the one written in its absence.
  const target =
    open ?? (isInterrupted(result) ? undefined : slots.findLast((slot) => isInterrupted(slot.result?.message)));
  if (target !== undefined) target.result = mendIds(row, result, target.call);
}

function mendIds(row: LoadedMessage, result: ToolResultMessage, call: ToolCall): LoadedMessage {
  if (result.toolCallId !== '' && result.toolName !== '') return row;
  return { ...row, message: { ...result, toolCallId: call.id, toolName: result.toolName || call.name } };
}

function isInterrupted(message: LoadedMessage['message'] | undefined): boolean {
  if (message?.role !== 'toolResult') return false;
  const details: unknown = message.details;
  return typeof details === 'object' && details !== null && 'interrupted' in details && details.interrupted === true;
}
