import { describe, expect, it } from 'vitest';
import { exitMeaning } from './exit-codes.ts';
import { foregroundProblem, interactionHint } from './foreground.ts';

describe('foregroundProblem', () => {
  it.each(['sleep 5 &', 'a && b &', 'nohup x', 'x; setsid y', 'x & disown', 'sudo nohup x'])(
    'refuses %s',
    (command) => {
      expect(foregroundProblem(command)).toMatch(/background=true/);
    },
  );

  it.each([
    'a && b',
    'sleep 60 & echo started',
    'echo "x &"',
    "echo 'nohup x'",
    'grep nohup f',
    'cat <<EOF > f\nnohup x &\nEOF',
    'echo a \\&',
    'x 2>&1',
    'git commit -m "a\nnohup b"',
  ])('lets pass %s', (command) => expect(foregroundProblem(command)).toBeUndefined());
});

describe('exitMeaning', () => {
  it.each([
    ['grep x f', 1, true],
    ['cat f | grep -q x', 1, true],
    ['diff a b', 1, true],
    ['git diff --exit-code', 1, true],
    ['[ -f x ]', 1, true],
    ['sudo grep x f', 1, true],
  ] as const)('%s with %i is an answer', (command, code, benign) =>
    expect(exitMeaning(command, code)?.benign).toBe(benign),
  );

  it.each([
    ['npm test', 1],
    ['git push', 1],
    ['grep x f', 2],
    ['echo "grep"; false', 1],
    ['x', 127],
    ['x', 137],
  ] as const)('%s with %i is a failure', (command, code) =>
    expect(exitMeaning(command, code)?.benign ?? false).toBe(false),
  );

  it('says nothing about success', () => expect(exitMeaning('grep x f', 0)).toBeUndefined());
});

describe('interactionHint', () => {
  it('knows the ways programs ask for a person', () => {
    expect(interactionHint('Aborting commit due to empty commit message.')).toMatch(/-m/);
    expect(interactionHint("fatal: could not read Username for 'https://x': terminal prompts disabled")).toMatch(
      /credentials/,
    );
    expect(interactionHint('sudo: a terminal is required to read the password')).toBeDefined();
    expect(interactionHint('tests failed')).toBeUndefined();
  });
});
