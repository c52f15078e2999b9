/** The input line: the library's editor with our paste rule and our completion. */
import { Editor, type EditorOptions, Key, matchesKey, type TUI } from '@earendil-works/pi-tui';
import { fitLines } from './blocks/block.ts';
import { drawGhost, ghostOf } from './ghost.ts';
import { visibleText } from './sanitize.ts';
import type { Theme } from './theme.ts';

const PASTE = /^\x1b\[200~([\s\S]*)\x1b\[201~$/;
/** Ctrl+E */
const END_OF_LINE = '\x05';
/** From so many on, a paste is shown as one mark. */
const FOLD_LINES = 5;
const FOLD_CHARS = 2000;

/**
 * Private parts of the library's editor, of the version we pin: its register of folded pastes makes the mark one
 * character to the cursor and sends the text behind it, its open list knows what Enter would take, and it keeps the
 * lines sent before.
 */
interface Internals {
  readonly pastes: Map<number, string>;
  pasteCounter: number;
  /** Newest first. */
  readonly history: readonly string[];
  readonly historyIndex: number;
  readonly autocompleteList?: { getSelectedItem(): { readonly label: string } | null };
}

export class PromptEditor extends Editor {
  #shown = '';
  readonly #theme: Theme;

  constructor(tui: TUI, theme: Theme, options?: EditorOptions) {
    super(tui, theme.editor, options);
    this.#theme = theme;
  }

  /** What the screen showed of the text sent last: folded pastes stay folded. */
  get lastShown(): string {
    return this.#shown;
  }

  override handleInput(data: string): void {
    const pasted = PASTE.exec(data)?.[1];
    if (pasted !== undefined) {
      this.paste(pasted);
      return;
    }
    if (matchesKey(data, Key.enter)) {
      if (this.#completeOnly()) return;
      this.#shown = this.getText();
    }
    const ghost = takesGhost(data) ? this.#ghost() : '';
    if (ghost !== '') {
      this.insertTextAtCursor(ghost);
      return;
    }
    const before = this.#internals.historyIndex;
    super.handleInput(data);
    // The library puts the cursor before an earlier line, where it cannot be added to.
    if (matchesKey(data, Key.up) && this.#internals.historyIndex !== before) super.handleInput(END_OF_LINE);
  }

  /** Pasted text is text: no line of it is sent, no control sequence of it acts. */
  paste(raw: string): void {
    const text = visibleText(decodeControlKeys(raw).replaceAll('\r\n', '\n').replaceAll('\r', '\n'));
    if (text === '') return;
    const lines = text.split('\n').length;
    if (lines < FOLD_LINES && text.length < FOLD_CHARS) {
      this.insertTextAtCursor(text);
      return;
    }
    const internals = this.#internals;
    internals.pasteCounter += 1;
    const id = internals.pasteCounter;
    internals.pastes.set(id, text);
    this.insertTextAtCursor(
      lines >= FOLD_LINES ? `[paste #${id} +${lines} lines]` : `[paste #${id} ${text.length} chars]`,
    );
  }

  override render(width: number): string[] {
    return [...fitLines(drawGhost(super.render(width), this.#ghost(), width, this.#theme.dim), width)];
  }

  get #internals(): Internals {
    return this as unknown as Internals; // see there
  }

  /** '' unless the cursor stands behind the text and nothing else is offered. */
  #ghost(): string {
    const text = this.getText();
    const { line, col } = this.getCursor();
    if (line !== 0 || col !== text.length || this.isShowingAutocomplete() || this.#internals.historyIndex >= 0)
      return '';
    return ghostOf(text, this.#internals.history);
  }

  /** Enter on a command that needs an argument completes it, as there is nothing to send yet. */
  #completeOnly(): boolean {
    if (!this.isShowingAutocomplete()) return false;
    const picked = this.#internals.autocompleteList?.getSelectedItem();
    if (picked === undefined || picked === null || !picked.label.includes('<')) return false;
    super.handleInput('\t');
    return true;
  }
}

function takesGhost(data: string): boolean {
  return matchesKey(data, Key.right) || matchesKey(data, Key.end) || matchesKey(data, Key.tab);
}

/** Some terminals send the control characters of a paste as key codes (`ESC [ 106 ; 5 u` for a line feed). */
function decodeControlKeys(text: string): string {
  return text.replace(/\x1b\[(\d+);5u/g, (whole, code: string) => {
    const letter = Number(code) & ~0x20;
    return letter >= 65 && letter <= 90 ? String.fromCharCode(letter - 64) : whole;
  });
}
