import { Markdown } from '@earendil-works/pi-tui';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { createTheme } from '../theme.ts';
import { compactTables } from './compact-tables.ts';
import { MarkdownBlock, settledLength } from './markdown-block.ts';

const theme = createTheme({});
const words = fc.constantFrom(
  'alpha',
  '**beta**',
  '`gamma`',
  '日本語',
  'a [link](http://x.y)',
  '👍',
  '_d_',
  '1. e',
  '$5',
);
const sentence = fc.array(words, { minLength: 1, maxLength: 30, size: 'max' }).map((list) => list.join(' '));
const block = fc.oneof(
  sentence,
  sentence.map((text) => `## ${text}`),
  fc.array(sentence, { minLength: 1, maxLength: 5 }).map((items) => items.map((item) => `- ${item}`).join('\n')),
  fc
    .array(sentence, { minLength: 2, maxLength: 4 })
    .map((items) => items.map((item, i) => `${i + 1}. ${item}`).join('\n\n')),
  fc.array(sentence, { minLength: 1, maxLength: 5 }).map((code) => `\`\`\`ts\n${code.join('\n\n')}\n\`\`\``),
  sentence.map((text) => `> ${text}`),
  sentence.map((text) => `- item\n\n  ${text}\n\n      deep`),
  fc.constant('| a | b |\n|---|---|\n| 1 | 2 |\n| 3 | 4 |'),
  fc.constant('---'),
  fc.constant('Title\n==='),
);
const document = fc.array(block, { minLength: 20, maxLength: 60, size: 'max' }).map((blocks) => blocks.join('\n\n'));

it('is drawn, in pieces, as the whole text is', () => {
  fc.assert(
    fc.property(document, fc.integer({ min: 20, max: 90 }), fc.integer({ min: 3, max: 400 }), (text, width, step) => {
      const streamed = new MarkdownBlock('', theme);
      for (let at = 0; at < text.length; at += step) streamed.append(text.slice(at, at + step));
      const whole = compactTables(new Markdown(text, 0, 0, theme.markdown).render(width));
      expect(streamed.render(width)).toEqual(whole);
    }),
    { numRuns: 25, endOnFailure: true },
  );
});

it('settles what stands before a free heading or paragraph, and nothing inside a fence', () => {
  expect(settledLength('one\n\ntwo\n\n## three')).toBe('one\n\ntwo\n\n'.length);
  expect(settledLength('- one\n\n- two\n\n  more')).toBe(0);
  expect(settledLength('one\n\n```\ncode\n\nmore')).toBe(0);
  expect(settledLength('<div>\n\none\n\ntwo')).toBe(0);
  expect(settledLength('one\n\n1')).toBe(0);
});
