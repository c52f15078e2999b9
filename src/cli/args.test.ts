import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type FlagTable, longName, parseArgs, parseCount } from './args.ts';

const flags = {
  query: { short: 'q', value: 'TEXT', help: '' },
  quiet: { short: 'Q', help: '' },
  verbose: { short: 'v', help: '' },
  continue: { short: 'c', value: 'TITLE', optional: true, help: '' },
  image: { value: 'PATH', repeat: true, help: '' },
  maxTurns: { value: 'N', help: '' },
} satisfies FlagTable;

const parse = (...args: string[]) =>
  parseArgs(flags, args, { command: 'hermes chat', isReserved: (word) => word === 'chat' });

describe('parseArgs', () => {
  it('reads long, attached, short and joined flags alike', () => {
    const want = { query: 'hi', quiet: true, verbose: true };
    expect(parse('--query', 'hi', '--quiet', '--verbose').values).toEqual(want);
    expect(parse('--query=hi', '-Qv').values).toEqual(want);
    expect(parse('-Qvq', 'hi').values).toEqual(want);
    expect(parse('-Q', '-v', '-qhi').values).toEqual(want);
  });

  it('takes a value that begins with a dash, but never another flag as a value', () => {
    expect(parse('-q', '- first point').values.query).toBe('- first point');
    expect(() => parse('-q', '--quiet')).toThrow('-q needs a value (TEXT).');
    expect(() => parse('--max-turns')).toThrow('--max-turns needs a value (N).');
  });

  it('gives an optional value as empty before a flag, a reserved word and the end', () => {
    expect(parse('-c').values.continue).toBe('');
    expect(parse('-c', '-Q').values).toEqual({ continue: '', quiet: true });
    expect(parse('-c', 'chat')).toEqual({ values: { continue: '' }, positionals: ['chat'] });
    expect(parse('-c', 'auth refactor').values.continue).toBe('auth refactor');
  });

  it('collects repeated flags and keeps the words after --', () => {
    expect(parse('--image', 'a', '--image=b', 'w', '--', '-x')).toEqual({
      values: { image: ['a', 'b'] },
      positionals: ['w', '-x'],
    });
  });

  it('refuses an unknown flag and names the nearest', () => {
    expect(() => parse('--verbos')).toThrow(expect.objectContaining({ exitCode: 2, hint: 'Did you mean --verbose?' }));
    expect(() => parse('-x')).toThrow('hermes chat has no flag -x.');
    expect(() => parse('--quiet=1')).toThrow('--quiet takes no value.');
  });

  it('gives back any value that was attached', () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        expect(parse(`--query=${text}`).values.query).toBe(text);
      }),
    );
  });

  it('parses or refuses any arguments with a usage error', () => {
    fc.assert(
      fc.property(fc.array(fc.oneof(fc.string(), fc.constantFrom('-q', '-Q', '-c', '--', '--image'))), (args) => {
        try {
          parse(...args);
        } catch (error) {
          expect(error).toMatchObject({ code: 'usage', exitCode: 2 });
        }
      }),
    );
  });
});

describe('parseCount', () => {
  it('takes whole numbers from the least on', () => {
    expect(parseCount('--n', '12', 1)).toBe(12);
    for (const text of ['0', '-1', '1.5', 'x', '', '1e3'])
      expect(() => parseCount('--n', text, 1)).toThrow('--n needs');
  });
});

it('spells keys as flags', () => expect(longName('ignoreUserConfig')).toBe('--ignore-user-config'));
