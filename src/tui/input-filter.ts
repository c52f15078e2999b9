/**
 * Keeps what a terminal says by itself out of the input: colour replies, mouse and focus reports, also when their
 * tail arrives late.
 */

// Replies and reports that are no keys: OSC, DCS, APC, mouse, focus, cursor position, device attributes, modes.
const REPORT =
  /^\x1b(?:[\]P_X^]|\[(?:<[\d;]*[Mm]$|M|[IO]$|\d+;\d+R$|[?>][\d;]*[cnuRy$]|\?[\d;]*\$y$|\d+(?:;\d+)*t$|\d+n$))/;
const OPEN_MOUSE = /^\x1b\[<[\d;]*$/;
const OPEN_STRING = /^\x1b[\]P_X^](?!.*(?:\x07|\x1b\\)$)/s;
const OPEN_REPLY_TAIL = /^[\d;:?/a-z]$/i;
const MAX_TAIL = 64;

/** @returns a function that says whether one piece of input is a report (and not a key) */
export function createInputFilter(): (data: string) => boolean {
  let tail: 'none' | 'mouse' | 'string' = 'none';
  let swallowed = 0;
  return (data) => {
    if (tail !== 'none') {
      swallowed += data.length;
      const ended = tail === 'mouse' ? /^[Mm]$/.test(data) : data === '\x07' || data.endsWith('\x1b\\');
      const belongs = tail === 'mouse' ? /^[\d;]$/.test(data) : OPEN_REPLY_TAIL.test(data);
      if (ended) tail = 'none';
      if (ended || (belongs && swallowed <= MAX_TAIL)) return true;
      tail = 'none';
    }
    if (OPEN_MOUSE.test(data)) tail = 'mouse';
    else if (OPEN_STRING.test(data) && data.length > 2) tail = 'string';
    swallowed = 0;
    return tail !== 'none' || REPORT.test(data);
  };
}
