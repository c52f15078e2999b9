import { expect, it } from 'vitest';
import { CHEAP } from '../scripts/cheap-emoji.ts';

it('knows the same emoji as the pattern it replaces', () => {
  const cheap = new Function(`${CHEAP} return rgiEmojiRegex;`)();
  const whole = /^\p{RGI_Emoji}$/v;
  const texts = ['', '👨‍👩‍👧', '🇩🇪', '❤️', '❤', '1️⃣', '👍🏽', 'ab', '\ud83d', '🏴󠁧󠁢󠁥󠁮󠁧󠁿', '😀😀'];
  for (let point = 0; point <= 0x1ffff; point++) texts.push(String.fromCodePoint(point));
  expect(texts.filter((text) => cheap.test(text) !== whole.test(text))).toEqual([]);
});
