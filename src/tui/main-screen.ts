/**
 * The library's renderer compares every line of the conversation with the frame before, so that a frame costs more the
 * longer one talks. Here lines that have long scrolled away take part in no frame, until the terminal is cleared and
 * all is drawn anew.
 */
import { type Terminal, TuiMainScreen } from '@earendil-works/pi-tui';
import type { TranscriptView } from './transcript.ts';

/** Scrolled-away lines that are kept in the frames: what is still changing, such as a running tool, is among them. */
const KEPT_LINES = 200;
/** Letting go costs a little itself, so it happens in steps. */
const STEP_LINES = 200;

export class MainScreen extends TuiMainScreen {
  readonly #transcript: TranscriptView;

  constructor(terminal: Terminal, transcript: TranscriptView) {
    super(terminal, true);
    this.#transcript = transcript;
  }

  protected override doRender(): void {
    if (this.stopped) return;
    if (!this.#letGo()) this.#transcript.unsettle();
    const redraws = this.fullRedraws;
    super.doRender();
    // Something above the screen changed, and the library cleared the terminal: what was let go is missing there.
    if (this.fullRedraws === redraws || !this.#transcript.unsettle()) return;
    this.resetRenderState();
    super.doRender();
  }

  /** @returns false when the coming frame clears the terminal */
  #letGo(): boolean {
    const { columns, rows } = this.terminal;
    const state = this.captureRenderState();
    if (state.previousWidth !== columns || state.previousHeight !== rows) return false;
    const spare = state.previousViewportTop - KEPT_LINES;
    if (spare < STEP_LINES) return true;
    const gone = this.#transcript.settle(spare);
    if (gone === 0) return true;
    this.restoreRenderState({
      previousLines: state.previousLines.slice(gone),
      previousWidth: columns,
      previousHeight: rows,
      cursorRow: state.cursorRow - gone,
      hardwareCursorRow: state.hardwareCursorRow - gone,
      maxLinesRendered: state.maxLinesRendered - gone,
      previousViewportTop: state.previousViewportTop - gone,
    });
    return true;
  }
}
