/**
 * Takes reasoning that a model wrote into its text (`<think>…</think>` and its relatives) out of a stream.
 *
 * A closed pair is hidden wherever it stands; an opener without an end hides the rest only at the start of a line,
 * so prose that mentions a tag survives; code spans and fenced blocks are left alone.
 */

const NAMES = 'think(?:ing)?|reasoning|thought|reasoning_scratchpad|思考|反思|推理|推敲';
const TAG = `(?:[a-z]{1,16}:)?(?:${NAMES})\\s*>`;
const OPENER = new RegExp(`^<${TAG}`, 'i');
const CLOSER = new RegExp(`^</${TAG}`, 'i');
const CLOSER_ANYWHERE = new RegExp(`</${TAG}`, 'i');
/** Longest text that may still grow into a tag. */
const MAX_TAG_CHARS = 42;
const MAYBE_TAG = /^<\/?[\p{L}_:]*\s*$/u;
/** How long the end of a pair in the middle of a line is waited for. */
const MAX_INLINE_CHARS = 4000;

export interface ScrubbedText {
  readonly visible: string;
  readonly hidden: string;
}

export interface ThinkScrubber {
  push(delta: string): ScrubbedText;
  /** End of the text: releases what was held back, or hides it when a block is still open. */
  flush(): ScrubbedText;
}

export function createThinkScrubber(): ThinkScrubber {
  let pending = '';
  let hiding = false;
  /** Blanks after a removed block are dropped until real text comes. */
  let trimming = false;
  let fenced = false;
  /** Visible text of the current line. */
  let line = '';

  function show(text: string, out: { visible: string }): void {
    const kept = trimming ? text.replace(/^\s+/, '') : text;
    if (kept === '') return;
    trimming = false;
    out.visible += kept;
    for (const piece of kept.split(/(?<=\n)/)) {
      line += piece;
      if (!piece.endsWith('\n')) continue;
      if (/^ {0,3}(```|~~~)/.test(line)) fenced = !fenced;
      line = '';
    }
  }

  function inCode(): boolean {
    return fenced || /^ {0,3}(```|~~~)/.test(line) || (line.match(/`/g)?.length ?? 0) % 2 === 1;
  }

  /** Hides up to the closer; false when the closer has not come yet. */
  function hide(out: { hidden: string }, final: boolean): boolean {
    const closer = CLOSER_ANYWHERE.exec(pending);
    if (closer !== null) {
      out.hidden += pending.slice(0, closer.index);
      pending = pending.slice(closer.index + closer[0].length);
      hiding = false;
      trimming = true;
      return true;
    }
    const tail = final ? pending.length : partialTagStart(pending);
    out.hidden += pending.slice(0, tail);
    pending = final ? '' : pending.slice(tail);
    return false;
  }

  /** Decides on the `<` that `pending` starts with; false when more text is needed to decide. */
  function decide(out: { visible: string; hidden: string }, final: boolean): boolean {
    if (!final && pending.length <= MAX_TAG_CHARS && MAYBE_TAG.test(pending)) return false;
    const opener = OPENER.exec(pending);
    if (opener !== null && !inCode()) return open(opener[0].length, out, final);
    const closer = opener === null ? CLOSER.exec(pending) : null;
    if (closer !== null && !inCode()) {
      pending = pending.slice(closer[0].length);
      trimming = true;
      return true;
    }
    show('<', out);
    pending = pending.slice(1);
    return true;
  }

  function open(length: number, out: { visible: string; hidden: string }, final: boolean): boolean {
    const rest = pending.slice(length);
    const limit = inlineLimit(rest);
    const closer = rest.search(CLOSER_ANYWHERE);
    if (line.trim() === '' || (closer >= 0 && closer < limit)) {
      pending = rest;
      hiding = true;
      return true;
    }
    if (!final && rest.length < limit) return false;
    show('<', out);
    pending = pending.slice(1);
    return true;
  }

  function drain(final: boolean): ScrubbedText {
    const out = { visible: '', hidden: '' };
    while (pending !== '') {
      if (hiding) {
        if (!hide(out, final)) break;
        continue;
      }
      const at = pending.indexOf('<');
      show(at < 0 ? pending : pending.slice(0, at), out);
      pending = at < 0 ? '' : pending.slice(at);
      if (pending !== '' && !decide(out, final)) break;
    }
    return out;
  }

  return {
    push(delta) {
      pending += delta;
      return drain(false);
    },
    flush() {
      const out = drain(true);
      hiding = false;
      return out;
    },
  };
}

/** A pair in the middle of a line must end before this offset: the next blank line, or the longest wait. */
function inlineLimit(rest: string): number {
  const blankLine = rest.search(/\n\s*\n/);
  return blankLine < 0 ? MAX_INLINE_CHARS : Math.min(blankLine, MAX_INLINE_CHARS);
}

/** Where a closer may be beginning at the end of `text`; its length when nowhere. */
function partialTagStart(text: string): number {
  const at = text.lastIndexOf('<');
  if (at < 0 || text.length - at > MAX_TAG_CHARS) return text.length;
  return MAYBE_TAG.test(text.slice(at)) ? at : text.length;
}

/** The same rules over a whole text. */
export function scrubThinking(text: string): ScrubbedText {
  if (!text.includes('<')) return { visible: text, hidden: '' };
  const scrubber = createThinkScrubber();
  const head = scrubber.push(text);
  const tail = scrubber.flush();
  return { visible: head.visible + tail.visible, hidden: head.hidden + tail.hidden };
}
