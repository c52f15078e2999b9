/** The input line: the library's editor with our paste rule and our completion. */
import { Editor, type EditorOptions, Key, matchesKey, type TUI } from '@earendil-works/pi-tui';
import { fitLines } from './blocks/block.ts';
import { visibleText } from './sanitize.ts';
import type { Theme } from './theme.ts';

const PASTE = /^\x1b\[200~([\s\S]*)\x1b\[201~$/;
/** From so many on, a paste is shown as one mark. */
const FOLD_LINES = 5;
const FOLD_CHARS = 2000;

/**
 * Private parts of the library's editor, of the version we pin: its register of folded pastes makes the mark one
 * character to the cursor and sends the text behind it, and its open list knows what Enter would take.
 */
interface Internals {
  readonly pastes: Map<number, string>;
  pasteCounter: number;
  readonly autocompleteList?: { getSelectedItem(): { readonly label: string } | null };
}

export class PromptEditor extends Editor {
  #shown = '';

  constructor(tui: TUI, theme: Theme, options?: EditorOptions) {
    super(tui, theme.editor, options);
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
    super.handleInput(data);
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
    const internals = this as unknown as Internals;
    internals.pasteCounter += 1;
    const id = internals.pasteCounter;
    internals.pastes.set(id, text);
    this.insertTextAtCursor(
      lines >= FOLD_LINES ? `[paste #${id} +${lines} lines]` : `[paste #${id} ${text.length} chars]`,
    );
  }

  override render(width: number): string[] {
    return [...fitLines(super.render(width), width)];
  }

  /** Enter on a command that needs an argument completes it, as there is nothing to send yet. */
  #completeOnly(): boolean {
    if (!this.isShowingAutocomplete()) return false;
    const picked = (this as unknown as Internals).autocompleteList?.getSelectedItem();
    if (picked === undefined || picked === null || !picked.label.includes('<')) return false;
    super.handleInput('\t');
    return true;
  }
}

/** Some terminals send the control characters of a paste as key codes (`ESC [ 106 ; 5 u` for a line feed). */
function decodeControlKeys(text: string): string {
  return text.replace(/\x1b\[(\d+);5u/g, (whole, code: string) => {
    const letter = Number(code) & ~0x20;
    return letter >= 65 && letter <= 90 ? String.fromCharCode(letter - 64) : whole;
  });
}
