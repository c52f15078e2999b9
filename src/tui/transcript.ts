/** What was said, from top to bottom. Only its end is drawn with each frame. */
import type { Component } from '@earendil-works/pi-tui';

export class TranscriptView implements Component {
  readonly #blocks: Component[] = [];
  /** Blocks before this one are on the terminal for good. */
  #firstLive = 0;
  /** Lines of the live blocks in the last frame. */
  #drawn: readonly number[] = [];

  append(block: Component): void {
    this.#blocks.push(block);
  }

  get empty(): boolean {
    return this.#blocks.length === 0;
  }

  /**
   * Leaves whole blocks out of the coming frames, from the top.
   * @param maxLines never more than so many lines of the last frame
   * @returns how many lines of it these were
   */
  settle(maxLines: number): number {
    let lines = 0;
    let blocks = 0;
    for (const more of this.#drawn) {
      if (lines + more > maxLines) break;
      lines += more;
      blocks += 1;
    }
    this.#firstLive += blocks;
    this.#drawn = this.#drawn.slice(blocks);
    return lines;
  }

  /** The coming frames hold everything again. @returns false when they did anyway */
  unsettle(): boolean {
    const some = this.#firstLive > 0;
    this.#firstLive = 0;
    return some;
  }

  invalidate(): void {
    for (const block of this.#blocks) block.invalidate?.();
  }

  render(width: number): readonly string[] {
    const lines: string[] = [];
    this.#drawn = this.#blocks.slice(this.#firstLive).map((block) => {
      const drawn = block.render(width);
      for (const line of drawn) lines.push(line);
      return drawn.length;
    });
    return lines;
  }
}
