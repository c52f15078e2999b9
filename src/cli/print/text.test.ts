import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { grouped } from './number.ts';
import { clip, columns, table } from './table.ts';
import { visible, visibleLine } from './visible.ts';

describe('visible', () => {
  it('takes out what could steer a terminal and keeps the words', () => {
    expect(visible('\x1b[31mred\x1b[0m \x1b]0;title\x07\x1b[2Jdone\r\x07')).toBe('red done');
    expect(visible('[31m] plain\ttab\nline')).toBe('[31m] plain\ttab\nline');
  });

  it('leaves no control character but tab and line feed, in any text', () => {
    fc.assert(
      fc.property(
        fc.string({
          unit: fc.oneof(fc.constantFrom('\x1b', '[', ']', '\x07', '\x9b', 'm'), fc.string({ maxLength: 2 })),
        }),
        (text) => {
          expect(visible(text)).not.toMatch(/[\x00-\x08\x0b-\x1f\x7f-\x9f]/);
          expect(visibleLine(text)).not.toMatch(/[\x00-\x1f]/);
        },
      ),
    );
  });
});

describe('table', () => {
  it('lines columns up for wide text too', () => {
    const text = table([
      ['挨拶', 'a'],
      ['greeting', 'b'],
    ]);
    expect(text).toBe('挨拶      a\ngreeting  b\n');
  });

  it('never clips wider than it may', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), fc.integer({ min: 1, max: 30 }), (text, max) => {
        expect(columns(clip(text, max))).toBeLessThanOrEqual(max);
      }),
    );
  });
});

it('groups thousands', () => expect([0, 999, 1000, 1234567].map(grouped)).toEqual(['0', '999', '1,000', '1,234,567']));
