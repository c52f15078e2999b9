import { describe, expect, it } from 'vitest';
import { runKillTrials } from '../support/kill-trials.ts';

describe('kill -9', () => {
  it('loses nothing that was said, at two hundred random instants', async () => {
    expect(await runKillTrials(200)).toBeGreaterThan(50);
  });
});
