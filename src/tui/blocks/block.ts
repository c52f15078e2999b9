/** A piece of the transcript. */
import { type Component, truncateToWidth, visibleWidth } from '@earendil-works/pi-tui';

/** Draws once per width, until it says that it changed. No line is ever wider than the screen. */
export abstract class Block implements Component {
  #width = -1;
  #lines: readonly string[] = [];

  protected abstract draw(width: number): readonly string[];

  invalidate(): void {
    this.#width = -1;
  }

  render(width: number): readonly string[] {
    if (width !== this.#width) {
      this.#lines = fitLines(this.draw(width), width);
      this.#width = width;
    }
    return this.#lines;
  }
}

/** The renderer gives up on a line wider than the screen, so nothing may hand it one. */
export function fitLines(lines: readonly string[], width: number): readonly string[] {
  if (lines.every((line) => visibleWidth(line) <= width)) return lines;
  return lines.map((line) => (visibleWidth(line) <= width ? line : truncateToWidth(line, Math.max(0, width), '')));
}
