/** All results of one reply together must leave room for the conversation. */
import type { ToolResultMessage } from '../contracts/message.ts';
import { joinText, replaceText, textChars } from './shape-result.ts';
import type { Spill } from './spill.ts';

export interface BatchBudget {
  /** Characters. */
  readonly maxChars: number;
  readonly spill: Spill;
  /** Results of such a tool are never spilled: reading a spilled file would spill again. */
  readonly isPinned: (toolName: string) => boolean;
}

interface WithResult {
  readonly result: ToolResultMessage;
}

/** Spills the largest first until the sum fits; order and everything else stay. */
export async function fitBatch<T extends WithResult>(calls: readonly T[], budget: BatchBudget): Promise<readonly T[]> {
  const fitted = [...calls];
  let total = fitted.reduce((sum, call) => sum + textChars(call.result.content), 0);
  const bySize = fitted
    .map((call, index) => ({ index, chars: textChars(call.result.content), name: call.result.toolName }))
    .filter(({ name }) => !budget.isPinned(name))
    .sort((a, b) => b.chars - a.chars || a.index - b.index);
  for (const { index, chars } of bySize) {
    const call = fitted[index];
    if (total <= budget.maxChars || call === undefined) break;
    const text = await budget.spill.replace(call.result.toolCallId, joinText(call.result.content));
    if (text.length >= chars) break; // the rest is smaller than its own replacement
    fitted[index] = { ...call, result: { ...call.result, content: [...replaceText(call.result.content, text)] } };
    total += text.length - chars;
  }
  return fitted;
}
