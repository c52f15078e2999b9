import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cleanOutput, looksBinary } from './clean-output.ts';

describe('cleanOutput', () => {
  it('KF-139: drops colours', () => expect(cleanOutput('\x1b[31mred\x1b[0m')).toBe('red'));

  it('KF-140: drops titles and links, draws overwritten lines, keeps look-alikes', () => {
    const raw = '\x1b]0;t\x07a\rb\r\x1b[2Kdone\x1b]8;;http://x\x07l\x1b]8;;\x07';
    expect(cleanOutput(raw)).toBe('donel');
    expect(cleanOutput('[31m] plain')).toBe('[31m] plain');
  });

  it.each([
    ['a\r\nb', 'a\nb'],
    ['50%\r100%\n', '100%\n'],
    ['100%\r50%', '50%%'],
    ['_\bX_\bY', 'XY'],
    ['abc\x1b[2Dx', 'axc'],
    ['abc\r\x1b[Kx', 'x'],
    ['\x1b(Bhi\x1b=', 'hi'],
    ['a\x1b[5Cb', 'a     b'],
    ['\x1b]0;never closed\nnext', '0;never closed\nnext'],
    ['a\tb\x07', 'a\tb'],
    ['\x1bP1;2q data \x1b\\rest', 'rest'],
    ['\x9b1mred', 'red'],
  ])('%j shows as %j', (raw, shown) => expect(cleanOutput(raw)).toBe(shown));

  const bytes = fc.string({
    unit: fc.constantFrom(
      'a',
      'b',
      ' ',
      '\n',
      '\t',
      '\r',
      '\b',
      '\0',
      '\x07',
      '\x1b',
      '[',
      ']',
      '2',
      ';',
      'K',
      'm',
      'G',
      '\x1e',
      '\x9b',
      '駅',
      '\x7f',
    ),
  });

  it('leaves no control characters, whatever comes, and nothing to do for a second time', () => {
    fc.assert(
      fc.property(bytes, (raw) => {
        const clean = cleanOutput(raw);
        expect(clean).not.toMatch(/[\x00-\x08\x0b-\x1f\x7f-\x9f]/);
        expect(cleanOutput(clean)).toBe(clean);
      }),
      { numRuns: 1000 },
    );
  });

  it('keeps every line of plain text as it is', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: fc.constantFrom('a', '駅', '\n', '\t', '[', 'm') }),
        (text) => void expect(cleanOutput(text)).toBe(text),
      ),
    );
  });
});

describe('looksBinary', () => {
  it('KF-141: tells bytes from text', () => {
    const random = Buffer.from(Array.from({ length: 1000 }, (_, at) => (at * 151 + 7) % 256)).toString('utf8');
    expect(looksBinary(random)).toBe(true);
    expect(looksBinary('a plain text\nwith lines')).toBe(false);
    expect(looksBinary(`one broken \ufffd character in a long enough line`)).toBe(false);
  });
});
