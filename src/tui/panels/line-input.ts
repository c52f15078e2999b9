/** One line of text inside a panel. */
import { CURSOR_MARKER, decodeKittyPrintable, matchesKey } from '@earendil-works/pi-tui';

const segmenter = new Intl.Segmenter();

export class LineInput {
  #text = '';

  get text(): string {
    return this.#text;
  }

  clear(): void {
    this.#text = '';
  }

  /** Line ends become spaces. */
  insert(text: string): void {
    this.#text += text.replace(/[\r\n\t]+/g, ' ').replace(/[\x00-\x1f\x7f]/g, '');
  }

  /** @returns whether the key was for the line */
  handleInput(data: string): boolean {
    if (matchesKey(data, 'backspace')) {
      this.#text = [...segmenter.segment(this.#text)]
        .slice(0, -1)
        .map(({ segment }) => segment)
        .join('');
      return true;
    }
    if (matchesKey(data, 'ctrl+u')) {
      this.#text = '';
      return true;
    }
    if (matchesKey(data, 'ctrl+w')) {
      this.#text = this.#text.replace(/\S*\s*$/, '');
      return true;
    }
    const typed = printable(data);
    if (typed === undefined) return false;
    this.#text += typed;
    return true;
  }

  /** @param mask one for each character, for secrets */
  draw(mask?: string): string {
    const shown = mask === undefined ? this.#text : mask.repeat([...segmenter.segment(this.#text)].length);
    return `${shown}${CURSOR_MARKER}\x1b[7m \x1b[27m`;
  }
}

/** The character of a key press, undefined for keys that type nothing. */
export function printable(data: string): string | undefined {
  const kitty = decodeKittyPrintable(data);
  if (kitty !== undefined) return kitty;
  return /[\x00-\x1f\x7f]/.test(data) || data === '' ? undefined : data;
}
