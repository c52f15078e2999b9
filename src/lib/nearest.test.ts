import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { editDistance, nearest } from './nearest.ts';

describe('nearest', () => {
  it('finds the word meant and nothing for a stranger', () => {
    const names = ['max_turns', 'verbose', 'reasoning_effort'];
    expect(nearest('max_tunrs', names)).toBe('max_turns');
    expect(nearest('Verbos', names)).toBe('verbose');
    expect(nearest('banana', names)).toBeUndefined();
  });

  it('measures a distance: zero for the same, symmetric, at most the longer length', () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 12 }), fc.string({ maxLength: 12 }), (a, b) => {
        const distance = editDistance(a, b);
        expect(distance).toBe(editDistance(b, a));
        expect(distance === 0).toBe(a === b);
        expect(distance).toBeLessThanOrEqual(Math.max(a.length, b.length));
        expect(editDistance(a, b, 2)).toBe(Math.min(2, distance));
      }),
    );
  });
});
