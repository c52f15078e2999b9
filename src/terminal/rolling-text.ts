/** The newest part of a long output, with positions counted from its beginning. */

export interface RollingText {
  push(text: string): void;
  /** What is kept. */
  text(): string;
  /** What is kept of the text from `position` on. */
  since(position: number): string;
  /** Characters pushed so far. */
  readonly total: number;
  /** Characters no longer kept. */
  readonly dropped: number;
}

export function createRollingText(maxChars: number): RollingText {
  let parts: string[] = [];
  let kept = 0;
  let total = 0;

  const join = (): string => {
    const text = parts.join('').slice(-maxChars);
    parts = text === '' ? [] : [text];
    kept = text.length;
    return text;
  };

  return {
    push: (text) => {
      parts.push(text);
      kept += text.length;
      total += text.length;
      if (kept > 2 * maxChars) join();
    },
    text: join,
    since: (position) => {
      const text = join();
      return text.slice(Math.max(0, text.length - (total - position)));
    },
    get total() {
      return total;
    },
    get dropped() {
      return Math.max(0, total - maxChars);
    },
  };
}
