/** Characters that a reader does not see and a model does: they can carry text past a person's eyes. */

const invisible = /[\u200b-\u200d\u2060\u2062-\u2064\ufeff\u202a-\u202e\u2066-\u2069]/g;

/** Ids `invisible_unicode_U+XXXX`, each once, in order of appearance. */
export function findInvisible(text: string): string[] {
  const ids = new Set<string>();
  for (const [character] of text.matchAll(invisible)) {
    ids.add(`invisible_unicode_U+${character.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}`);
  }
  return [...ids];
}
