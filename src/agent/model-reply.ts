/** One model call: streams it to the door, and gives back one scrubbed reply. */
import type { AssistantMessage, ToolCall } from '../contracts/message.ts';
import type { TurnIO } from '../contracts/turn.ts';
import type { ModelClient, ModelFailure, ModelRequest } from '../model/client.ts';
import { toolCallsOf } from './sanitize.ts';
import { createThinkScrubber, scrubThinking } from './think-scrubber.ts';

export interface Reply {
  /** Text scrubbed, empty blocks dropped. */
  readonly message: AssistantMessage;
  /** Visible text that is new to the user. */
  readonly text: string;
  readonly calls: readonly ToolCall[];
  readonly reasoned: boolean;
  readonly failure: ModelFailure | undefined;
}

/**
 * @param shown text that an earlier, cut reply has already shown: a reply that begins by repeating it is shown
 * from where it goes on
 */
export async function modelReply(client: ModelClient, request: ModelRequest, io: TurnIO, shown = ''): Promise<Reply> {
  let display = createDisplay(io, shown);
  // A try that is started over after it has shown text would show it twice: the call ends there instead.
  const own = new AbortController();
  const signal = AbortSignal.any([io.signal, own.signal]);
  let restarted = false;
  let end: { message: AssistantMessage; failure?: ModelFailure } | undefined;
  for await (const event of client.stream(request, signal)) {
    if (event.type === 'text_delta' && !restarted) display.text(event.text);
    else if (event.type === 'reasoning_delta' && !restarted) display.reasoning(event.text);
    else if (event.type === 'status') io.emit({ type: 'status', kind: event.kind, text: event.text });
    else if (event.type === 'restart' && display.hasText()) {
      restarted = true;
      own.abort();
    } else if (event.type === 'restart' && !restarted) {
      display = createDisplay(io, shown); // what was held back belongs to the try that failed
    } else if (event.type === 'end') end = event;
  }
  const text = display.finish(restarted || end?.failure !== undefined);
  if (end === undefined) throw new Error('A model stream ended without its end event.');
  // The aborted try holds nothing; what the person saw of the one before is the reply that is continued.
  if (restarted) return toReply({ ...end.message, content: [{ type: 'text', text }] }, CUT, text, display.reasoned());
  return toReply(end.message, end.failure, text, display.reasoned());
}

const CUT: ModelFailure = {
  reason: 'stream_cut',
  recovery: 'retry',
  message: 'The connection to the model broke off.',
  hint: 'Wait a moment and send it again, or choose another model with `hermes model`.',
};

function toReply(message: AssistantMessage, failure: ModelFailure | undefined, text: string, reasoned: boolean): Reply {
  const content = message.content.flatMap((block): AssistantMessage['content'] => {
    if (block.type !== 'text') return [block];
    const { visible } = scrubThinking(block.text);
    if (visible.trim() === '') return [];
    return [visible === block.text ? block : { type: 'text', text: visible }];
  });
  const clean = { ...message, content };
  const thinks = content.some((block) => block.type === 'thinking' && block.thinking.trim() !== '');
  return { message: clean, text, calls: toolCallsOf(clean), reasoned: reasoned || thinks, failure };
}

interface Display {
  text(delta: string): void;
  reasoning(delta: string): void;
  hasText(): boolean;
  reasoned(): boolean;
  /** Releases what is held back, but not a repetition that was `cut` short; the visible text of the whole reply. */
  finish(cut: boolean): string;
}

function createDisplay(io: TurnIO, shown: string): Display {
  const scrubber = createThinkScrubber();
  let held = '';
  let holding = shown !== '';
  let visible = '';
  let reasoned = false;
  /** First half of a surrogate pair whose second half is still to come. */
  let half = '';

  function show(delta: string): void {
    const joined = half + delta;
    half = /[\uD800-\uDBFF]$/.exec(joined)?.[0] ?? '';
    const text = joined.slice(0, joined.length - half.length).toWellFormed();
    if (text === '') return;
    visible += text;
    io.emit({ type: 'text_delta', text });
  }

  /** While the reply could still be a repetition of what was shown, nothing of it is. */
  function offer(text: string): void {
    if (!holding) {
      show(text);
      return;
    }
    held += text;
    if (shown.startsWith(held)) return;
    holding = false;
    show(held.startsWith(shown) ? held.slice(shown.length) : held);
  }

  function reason(text: string): void {
    if (text === '') return;
    reasoned = true;
    io.emit({ type: 'reasoning_delta', text });
  }

  return {
    text(delta) {
      const out = scrubber.push(delta);
      reason(out.hidden);
      offer(out.visible);
    },
    reasoning: reason,
    hasText: () => visible.trim() !== '',
    reasoned: () => reasoned,
    finish(cut) {
      const out = scrubber.flush();
      reason(out.hidden);
      offer(out.visible);
      if (holding && !cut && held !== shown) show(held);
      if (half !== '') {
        half = '';
        show('\uFFFD');
      }
      if (visible !== '') io.emit({ type: 'text_end' });
      return visible;
    },
  };
}
