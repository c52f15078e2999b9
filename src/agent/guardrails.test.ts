import { describe, expect, it } from 'vitest';
import { type CallOutcome, createGuardrails, type GuardrailSettings } from './guardrails.ts';

const SETTINGS: GuardrailSettings = {
  warnings: true,
  hardStop: true,
  warnAfter: { exactFailure: 2, sameToolFailure: 3, noProgress: 2 },
  stopAfter: { exactFailure: 5, sameToolFailure: 8, noProgress: 5 },
};

const call = (over: Partial<CallOutcome>): CallOutcome => ({
  tool: 'read_file',
  args: { path: 'a' },
  result: 'same',
  ok: true,
  changedSomething: false,
  ...over,
});

function verdicts(calls: readonly CallOutcome[], settings = SETTINGS): string[] {
  const guard = createGuardrails(settings);
  return calls.map((one) => {
    const verdict = guard.observe(one);
    return verdict.stop !== undefined ? 'stop' : verdict.hint !== undefined ? 'hint' : 'pass';
  });
}

describe('loop guardrails', () => {
  it('KF-051: lets many different reads pass and steps in at the same read, hint before stop', () => {
    const different = Array.from({ length: 20 }, (_, index) =>
      call({ args: { path: `f${index}` }, result: `r${index}` }),
    );
    expect(new Set(verdicts(different))).toEqual(new Set(['pass']));
    const same = verdicts(Array.from({ length: 8 }, () => call({})));
    expect(same.indexOf('hint')).toBeGreaterThan(0);
    expect(same.indexOf('stop')).toBeGreaterThan(same.indexOf('hint'));
  });

  it('KF-052: steps in at A,B,A,B with constant results, not at polls whose results change', () => {
    const pairs = Array.from({ length: 8 }, (_, index) => call({ args: { path: index % 2 === 0 ? 'a' : 'b' } }));
    expect(verdicts(pairs)).toContain('hint');
    const polls = Array.from({ length: 8 }, (_, index) => call({ tool: 'process', result: `state ${index}` }));
    expect(new Set(verdicts(polls))).toEqual(new Set(['pass']));
  });

  it('takes a repeated call after a change as news', () => {
    const loop = Array.from({ length: 6 }, () => [
      call({ tool: 'terminal', args: { command: 'make' } }),
      call({ tool: 'patch', args: { n: 1 }, changedSomething: true }),
    ]).flat();
    expect(new Set(verdicts(loop))).toEqual(new Set(['pass']));
  });

  it('sees the same arguments in another order as the same call', () => {
    const failing = [
      { a: 1, b: 2 },
      { b: 2, a: 1 },
    ].map((args) => call({ args, ok: false }));
    expect(verdicts(failing)).toEqual(['pass', 'hint']);
  });

  it('does not stop where stops are switched off', () => {
    const failing = Array.from({ length: 12 }, () => call({ ok: false }));
    expect(verdicts(failing, { ...SETTINGS, hardStop: false })).not.toContain('stop');
    expect(verdicts(failing)).toContain('stop');
  });
});
