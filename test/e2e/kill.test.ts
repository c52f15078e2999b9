import { describe, expect, it } from 'vitest';
import { runKillTrials } from '../support/kill-trials.ts';

describe('kill -9', () => {
  it('KF-027: loses nothing that was said, at a few random instants (two hundred in test:long)', async () => {
    expect(await runKillTrials(10)).toBeGreaterThan(0);
  }, 120_000);
});
