/** When output that matches a pattern may interrupt the conversation: seldom, and not for ever. */

const cooldownMs = 15_000;
const maxStrikes = 3;
const maxHits = 8;
const globalWindowMs = 10_000;
const globalLimit = 15;
const globalPauseMs = 30_000;

export type WatchVerdict =
  | 'notify'
  /** Too soon after the last one. */
  | 'quiet'
  /** It matches all the time: watch no longer, tell at the end instead. */
  | 'give-up';

export interface Watcher {
  /** A line matched. */
  match(): WatchVerdict;
}

/** Shared by all processes: a bound on notices altogether. */
export interface NoticeBudget {
  take(): boolean;
}

export function createNoticeBudget(now: () => number): NoticeBudget {
  let recent: number[] = [];
  let pausedUntil = 0;
  return {
    take: () => {
      const time = now();
      if (time < pausedUntil) return false;
      recent = recent.filter((at) => time - at < globalWindowMs);
      if (recent.length >= globalLimit) {
        pausedUntil = time + globalPauseMs;
        return false;
      }
      recent.push(time);
      return true;
    },
  };
}

export function createWatcher(budget: NoticeBudget, now: () => number): Watcher {
  let lastAt = Number.NEGATIVE_INFINITY;
  let struck = false;
  let strikes = 0;
  let hits = 0;
  let over = false;

  const giveUp = (): WatchVerdict => {
    over = true;
    return 'give-up';
  };

  return {
    match: () => {
      if (over) return 'quiet';
      if (now() - lastAt < cooldownMs) {
        if (struck) return 'quiet';
        struck = true;
        strikes += 1;
        return strikes >= maxStrikes ? giveUp() : 'quiet';
      }
      if (!struck) strikes = 0;
      struck = false;
      if (!budget.take()) return 'quiet';
      lastAt = now();
      hits += 1;
      return hits > maxHits ? giveUp() : 'notify';
    },
  };
}
