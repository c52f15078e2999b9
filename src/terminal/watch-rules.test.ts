import { describe, expect, it } from 'vitest';
import { createNoticeBudget, createWatcher } from './watch-rules.ts';

function clock() {
  const time = { now: 0 };
  return { time, now: () => time.now };
}

describe('watch rules', () => {
  it('tells at most once in fifteen seconds', () => {
    const { time, now } = clock();
    const watcher = createWatcher(createNoticeBudget(now), now);
    expect([watcher.match(), watcher.match(), watcher.match()]).toEqual(['notify', 'quiet', 'quiet']);
    time.now = 15_000;
    expect(watcher.match()).toBe('notify');
  });

  it('gives up after three struck windows in a row, and only in a row', () => {
    const { time, now } = clock();
    const watcher = createWatcher(createNoticeBudget(now), now);
    const window = (matches: number) => {
      const verdicts = Array.from({ length: matches }, () => watcher.match());
      time.now += 15_000;
      return verdicts;
    };
    window(2);
    window(2);
    window(1);
    expect(window(2)).toEqual(['notify', 'quiet']);
    expect(window(2)).toEqual(['notify', 'quiet']);
    expect(window(2)).toEqual(['notify', 'give-up']);
    expect(window(2)).toEqual(['quiet', 'quiet']);
  });

  it('gives up after many notices in a lifetime', () => {
    const { time, now } = clock();
    const watcher = createWatcher(createNoticeBudget(now), now);
    const verdicts = Array.from({ length: 12 }, () => {
      time.now += 20_000;
      return watcher.match();
    });
    expect(verdicts.indexOf('give-up')).toBeGreaterThan(0);
    expect(verdicts.slice(verdicts.indexOf('give-up') + 1).every((verdict) => verdict === 'quiet')).toBe(true);
  });

  it('bounds the notices of all processes together, then pauses', () => {
    const { time, now } = clock();
    const budget = createNoticeBudget(now);
    const granted = Array.from({ length: 30 }, () => budget.take()).filter(Boolean);
    expect(granted).toHaveLength(15);
    time.now = 20_000;
    expect(budget.take()).toBe(false);
    time.now = 30_001;
    expect(budget.take()).toBe(true);
  });
});
