/** Which tools can work here and now; the answer is kept for a moment, because a check may touch the disk or network. */
import { errorText } from '../lib/errors.ts';
import type { Tool } from './tool.ts';

export type Availability = true | { readonly reason: string };

export interface AvailabilityCheck {
  (tool: Tool): Promise<Availability>;
  forget(): void;
}

const KEPT_MS = 30_000;
/** A failure this soon after a success is taken for a hiccup and not kept. */
const GRACE_MS = 60_000;

export function createAvailability(now: () => number): AvailabilityCheck {
  const known = new Map<Tool, { at: number; answer: Availability }>();
  const lastGood = new Map<Tool, number>();

  async function check(tool: Tool): Promise<Availability> {
    if (tool.available === undefined) return true;
    const kept = known.get(tool);
    if (kept !== undefined && now() - kept.at < KEPT_MS) return kept.answer;
    const answer = await ask(tool);
    if (answer === true) lastGood.set(tool, now());
    else if (now() - (lastGood.get(tool) ?? Number.NEGATIVE_INFINITY) < GRACE_MS) return true;
    known.set(tool, { at: now(), answer });
    return answer;
  }

  return Object.assign(check, {
    forget() {
      known.clear();
      lastGood.clear();
    },
  });
}

async function ask(tool: Tool): Promise<Availability> {
  try {
    return (await tool.available?.()) ?? true;
  } catch (error) {
    return { reason: errorText(error) };
  }
}
