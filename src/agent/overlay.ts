/** Parts of a request that are sent every time and never stored: they stand beside the frozen prompt, not in it. */
import type { ChatMessage } from '../contracts/message.ts';
import type { ModelClient } from '../model/client.ts';
import { syntheticReply } from './live-session.ts';

export interface PrefillMessage {
  readonly role: 'user' | 'assistant';
  readonly content: string;
}

export interface Overlay {
  /** After the system prompt; '' for none. */
  readonly system: string;
  /** Between the system prompt and the history. */
  readonly prefill: readonly PrefillMessage[];
}

export const NO_OVERLAY: Overlay = { system: '', prefill: [] };

export function withOverlay(system: string, overlay: Overlay): string {
  return overlay.system === '' ? system : `${system}\n\n${overlay.system}`;
}

/** The time is fixed, so that equal requests stay equal. */
export function prefillMessages(overlay: Overlay, model: ModelClient): readonly ChatMessage[] {
  return overlay.prefill.map(({ role, content }) =>
    role === 'user' ? { role, content, timestamp: 0 } : syntheticReply(content, model, 0),
  );
}
