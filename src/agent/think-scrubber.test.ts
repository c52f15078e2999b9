import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createThinkScrubber, scrubThinking } from './think-scrubber.ts';

function stream(parts: readonly string[]): { visible: string; hidden: string } {
  const scrubber = createThinkScrubber();
  const out = { visible: '', hidden: '' };
  for (const text of [...parts.map((part) => scrubber.push(part)), scrubber.flush()]) {
    out.visible += text.visible;
    out.hidden += text.hidden;
  }
  return out;
}

describe('think scrubber', () => {
  it('KF-041: hides a pair split over deltas', () => {
    expect(stream(['<th', 'ink>plan', ' B</thi', 'nk>Hello'])).toEqual({ visible: 'Hello', hidden: 'plan B' });
  });

  it.each(['thought', 'reasoning', 'mm:think', 'THINKING', '思考', 'REASONING_SCRATCHPAD'])(
    'KF-042: hides <%s>',
    (tag) => {
      expect(stream([`<${tag}>inner</${tag}>Answer`])).toEqual({ visible: 'Answer', hidden: 'inner' });
    },
  );

  it('KF-043: leaves code spans, comparisons and a lone bracket alone', () => {
    const text = 'Use `<think>` to mark it, and a < b > c';
    expect(stream([text]).visible).toBe(text);
    expect(stream(['x <']).visible).toBe('x <');
    expect(stream(['```xml\n<think>\nin code</think>\n```\n']).visible).toBe('```xml\n<think>\nin code</think>\n```\n');
  });

  it('lets prose that mentions an unclosed tag in mid-line pass', () => {
    expect(stream(['The <think> tag opens it.\n\nDone.']).visible).toBe('The <think> tag opens it.\n\nDone.');
  });

  it('hides an unclosed opener at the start of a line', () => {
    expect(stream(['Fine.\n<think>', 'never ', 'ends'])).toEqual({ visible: 'Fine.\n', hidden: 'never ends' });
  });

  it('drops orphan closers with the blanks after them', () => {
    expect(stream(['plan</think>\n\nHello']).visible).toBe('planHello');
  });

  const token = fc.constantFrom(
    '<think>',
    '</think>',
    '<',
    '>',
    '`',
    '```\n',
    '\n',
    '\n\n',
    ' ',
    'word',
    '<thought>',
    '</thought>',
    '思',
  );

  it('gives the same for every way of cutting the text', () => {
    fc.assert(
      fc.property(
        fc.array(token, { maxLength: 25 }),
        fc.infiniteStream(fc.integer({ min: 1, max: 6 })),
        (tokens, sizes) => {
          const text = tokens.join('');
          const parts: string[] = [];
          for (let at = 0; at < text.length; ) {
            const size = sizes.next().value as number;
            parts.push(text.slice(at, at + size));
            at += size;
          }
          expect(stream(parts)).toEqual(scrubThinking(text));
        },
      ),
    );
  });

  it('never touches text without a tag', () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        fc.pre(!/think|thought|reason|思|推|反/i.test(text));
        expect(stream([...text]).visible).toBe(text);
      }),
    );
  });
});
