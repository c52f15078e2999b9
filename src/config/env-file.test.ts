import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { editEnvText, envFaults, envValues, formatEnvValue, parseEnvFile } from './env-file.ts';

const read = (text: string) => Object.fromEntries(envValues(text));

describe('parseEnvFile', () => {
  it('KF-189: ends a bare value before a comment', () => {
    expect(read('BASE_URL=https://api.example.org/v1  # main')).toEqual({ BASE_URL: 'https://api.example.org/v1' });
    expect(read('A=x#y # z\nB= # nothing\nC=#x')).toEqual({ A: 'x#y', B: '', C: '#x' });
  });

  it('reads export, spaces, quotes, escapes and Windows line ends', () => {
    const text =
      '\uFEFFexport A = "a b" # c\r\n  B=\'$x "y" \\\' z\'\r\nC="1\\n2\\t\\"3\\" \\\\ \\q"\r\nD=plain \r\nE=\r\n';
    expect(read(text)).toEqual({ A: 'a b', B: '$x "y" \' z', C: '1\n2\t"3" \\ \\q', D: 'plain', E: '' });
  });

  it('reads values over several lines, and takes an unclosed quote for part of the value', () => {
    expect(read('A="one\ntwo"\nB=x')).toEqual({ A: 'one\ntwo', B: 'x' });
    expect(read('A="one\nB="x"')).toEqual({ A: '"one', B: 'x' });
    expect(read("A='it\nB=1")).toEqual({ A: "'it", B: '1' });
    expect(read('A="x"y\nB=1')).toEqual({ A: '"x"y', B: '1' });
  });

  it('skips what is no assignment, and the last of a name counts', () => {
    expect(read('# A=1\n\njust words\n=x\n1A=2\nA=1\nA=2\n')).toEqual({ A: '2' });
  });

  it('never fails and gives places that lie in order', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom(...'Aa=\'"\\# \n\r\t$é'), maxLength: 60 }), (text) => {
        let last = 0;
        for (const entry of parseEnvFile(text)) {
          expect(entry.start).toBeGreaterThanOrEqual(last);
          expect(entry.valueEnd).toBeLessThanOrEqual(entry.end);
          last = entry.end;
        }
      }),
    );
  });
});

describe('editEnvText', () => {
  const text = '# mine\nexport A=1   # one\r\n\nB="two"\n# end';

  it('changes one value and keeps the rest', () => {
    expect(editEnvText(text, 'A', 'x')).toBe(text.replace('=1 ', '=x '));
    expect(editEnvText(text, 'B', 'q r')).toBe(text.replace('"two"', "'q r'"));
    expect(editEnvText(text, 'A', undefined)).toBe(text.replace('export A=1   # one\r\n', ''));
    expect(editEnvText('A= # one\n', 'A', 'a')).toBe('A= a # one\n');
    expect(editEnvText(text, 'Z', undefined)).toBe(text);
    expect(editEnvText('A=1', 'B', '2')).toBe('A=1\nB=2\n');
    expect(() => editEnvText(text, 'A B', '1')).toThrow(/name/);
    expect(() => editEnvText(text, 'A', 'a\0b')).toThrow(/NUL/);
  });

  it('KF-190: reads any value back as it was written', () => {
    const values = fc.oneof(
      fc.constantFrom(
        'abc#d"e\\f g',
        "it's",
        '"',
        "'",
        ' lead',
        'trail ',
        '\\',
        '\\n',
        '\n',
        '\r\n',
        '#',
        ' #',
        '$HOME',
        "a'b\\",
      ),
      fc.string({ unit: fc.constantFrom(...'ab=\'"\\# \n\r\t$é￥') }),
      fc.string({ unit: 'grapheme' }).filter((value) => !value.includes('\0')),
    );
    const name: fc.Arbitrary<string> = fc.constantFrom('A', 'B', 'C');
    fc.assert(
      fc.property(
        fc.array(fc.tuple(name, values), { maxLength: 8 }),
        fc.constantFrom<string[]>('', text, 'A="x\ny" # z\n'),
        (pairs, start) => {
          const edited = pairs.reduce((all, [key, value]) => editEnvText(all, key, value), start);
          expect(read(edited)).toEqual({ ...read(start), ...Object.fromEntries(pairs) });
        },
      ),
      { numRuns: 300 },
    );
    expect(formatEnvValue('sk-abc_1')).toBe('sk-abc_1');
  });
});

describe('envFaults', () => {
  it('names the line of what is no assignment and of quotes that do not match, and no value', () => {
    expect(envFaults('# fine\n\nA="one\ntwo"\r\nexport B=it\'s\nC=\'"\'\n')).toEqual([]);
    const faults = envFaults('A="x\ny"\nKEY="sk-secret\nFOO\n=bar\n');
    expect(faults).toEqual([
      'line 3: the quotes of KEY do not match up',
      'line 4 is not NAME=value and is left out',
      'line 5 is not NAME=value and is left out',
    ]);
  });
});
