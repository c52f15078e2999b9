/** What Hermes tells a person to do can be done: the commands it names exist, and so do the sessions. */
import { globSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { createCommandTable } from '../../src/cli/command-table.ts';
import { commands } from '../../src/commands/index.ts';
import { runHermes, tempHome } from '../support/run-hermes.ts';

const sources = globSync('src/**/*.ts').filter((file) => !file.endsWith('.test.ts'));

/** The words that a pattern finds in the program's own texts, with the file that says them. */
function said(pattern: RegExp): readonly string[] {
  return sources.flatMap((file) =>
    [...readFileSync(file, 'utf8').matchAll(pattern)].map(([, word]) => `${word} (${file})`),
  );
}

const wordOf = (found: string): string => found.slice(0, found.indexOf(' '));

describe('advice', () => {
  it('names only `hermes` commands that exist', () => {
    const known = [...createCommandTable('0').map(({ name }) => name), 'help'];
    const found = said(/`hermes ([a-z]+)(?=[ `])/g);
    expect(found.length).toBeGreaterThan(20);
    // One text of the profile command speaks of `hermes` itself, not of a command.
    expect(found.filter((each) => !known.includes(wordOf(each)) && wordOf(each) !== 'now')).toEqual([]);
  });

  it('names only slash commands that exist', () => {
    const known = commands.flatMap(({ name, aliases = [] }) => [name, ...aliases]);
    const found = said(/\b(?:[Uu]se|[Ww]ith|[Rr]un|or) `?\/([a-z]+)(?=[ .,;)`'])/g);
    expect(found.length).toBeGreaterThan(1);
    expect(found.filter((each) => !known.includes(wordOf(each)))).toEqual([]);
  });

  it.each([[[]], [['-Q']]])('offers no session to go on with when none came about (%j)', async (form) => {
    const run = await runHermes([...form, '-q', 'hi', '--provider', 'antropic'], { home: tempHome() });
    expect(run.code).toBe(2);
    expect(run.stderr).toContain('There is no provider antropic.');
    expect(run.stderr).not.toContain('session');
  });
});
