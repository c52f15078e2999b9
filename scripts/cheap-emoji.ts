// The terminal library builds the pattern of all emoji sequences while it loads, which costs the first frame 50 ms and is
// asked about a few characters only. In the bundle it is built when a sequence is first asked about.

const PLACE = /const rgiEmojiRegex = \/\^\\p\{RGI_Emoji\}\$\/v;/;

/** Answers as `/^\p{RGI_Emoji}$/v` does. */
export const CHEAP = `const emojiPresentation = /^(?!\\p{Regional_Indicator})\\p{Emoji_Presentation}$/u;
let emojiSequence;
const rgiEmojiRegex = {
  test(text) {
    if (text.length === (text.codePointAt(0) > 0xffff ? 2 : 1)) return emojiPresentation.test(text);
    emojiSequence ??= new RegExp('^\\\\p{RGI_Emoji}$', 'v');
    return emojiSequence.test(text);
  },
};`;

export const cheapEmoji = {
  name: 'cheap-emoji',
  transform(code: string, id: string) {
    if (!id.endsWith('/pi-tui/dist/utils.js')) return null;
    if (!PLACE.test(code)) throw new Error(`${id} has changed: see scripts/cheap-emoji.ts.`);
    return { code: code.replace(PLACE, () => CHEAP), map: null };
  },
};
