/** Sessions that are one conversation: compression and branches chain them. */
import type { SessionStore } from '../../state/session-store.ts';

const MAX_STEPS = 100;

/** The session, its ancestors, and its living end with the ancestors of that; each once, the session first. */
export async function lineageOf(store: SessionStore, sessionId: string): Promise<readonly string[]> {
  const chain = new Set([sessionId]);
  for (const start of [sessionId, await store.tip(sessionId)]) {
    let at: string | undefined = start;
    for (let steps = 0; at !== undefined && steps < MAX_STEPS; steps++) {
      chain.add(at);
      at = (await store.get(at))?.parentId;
      if (at !== undefined && chain.has(at)) break;
    }
  }
  return [...chain];
}

/** Ends that put what was said before out of the model's sight. */
const OUT_OF_SIGHT = new Set(['compression', 'new_session', 'session_reset', 'reset', 'user_exit', 'idle', 'daily']);

/** True when nothing of the session can be in the context of the running one. */
export function isOutOfSight(endReason: string | undefined): boolean {
  return endReason !== undefined && OUT_OF_SIGHT.has(endReason);
}
