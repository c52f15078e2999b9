/** Encodings older than Unicode: recognised, read, and written back byte for byte. */

const DETECTED_BYTES = 64 * 1024;
/** A guess weaker than this is worth less than the readable fallback. */
const MIN_CONFIDENCE = 0.5;

/** The text and the label of its encoding; undefined when it looks like no text at all. */
export async function decodeLegacy(bytes: Uint8Array): Promise<{ text: string; encoding: string } | undefined> {
  for (const encoding of [...(await guesses(bytes)), 'windows-1252']) {
    const text = decode(bytes, encoding);
    if (text !== undefined && looksLikeText(text)) return { text, encoding };
  }
  return undefined;
}

async function guesses(bytes: Uint8Array): Promise<readonly string[]> {
  const { detect } = await import('jschardet');
  const { encoding, confidence } = detect(Buffer.from(bytes.subarray(0, DETECTED_BYTES)));
  const japanese = isShiftJis(bytes) ? ['shift_jis'] : [];
  if (encoding === null || confidence < MIN_CONFIDENCE) return japanese;
  // Short Japanese lists are often taken for a Western or Cyrillic code page.
  const sure = /^(shift_jis|sjis|euc|gb|big5|iso-2022)/i.test(encoding);
  return sure ? [encoding, ...japanese] : [...japanese, encoding];
}

/** All bytes above ASCII form valid pairs, and most of them kana, common kanji or half-width kana. */
function isShiftJis(bytes: Uint8Array): boolean {
  const text = decode(bytes.subarray(0, DETECTED_BYTES), 'shift_jis');
  if (text === undefined) return false;
  const foreign = [...text].filter((char) => char > '\u007f');
  const japanese = foreign.filter((char) => /[\u3000-\u30ff\u4e00-\u9fff\uff01-\uff60]/.test(char));
  return foreign.length > 1 && japanese.length >= foreign.length * 0.9;
}

function decode(bytes: Uint8Array, encoding: string): string | undefined {
  try {
    return new TextDecoder(encoding, { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined; // an unknown label, or bytes that are not of this encoding
  }
}

function looksLikeText(text: string): boolean {
  const sample = text.slice(0, 8_192);
  const controls = sample.match(/[\u0000-\u0008\u000e-\u001a\u001c-\u001f\ufffd]/g)?.length ?? 0;
  return controls <= sample.length * 0.01;
}

const tables = new Map<string, ReadonlyMap<string, readonly number[]>>();

/** @returns undefined when a character has no place in the encoding, or the encoding carries state */
export function encodeLegacy(text: string, encoding: string): Buffer | undefined {
  if (/^iso-2022/i.test(encoding)) return undefined;
  const table = tables.get(encoding) ?? buildTable(encoding);
  tables.set(encoding, table);
  const bytes: number[] = [];
  for (const char of text) {
    const sequence = table.get(char);
    if (sequence === undefined) return undefined;
    for (const byte of sequence) bytes.push(byte);
  }
  return Buffer.from(bytes);
}

/** The platform only decodes: every one- and two-byte sequence, turned round. The first one found for a sign wins. */
function buildTable(encoding: string): ReadonlyMap<string, readonly number[]> {
  const table = new Map<string, readonly number[]>();
  const learn = (...sequence: number[]) => {
    const text = decode(Uint8Array.from(sequence), encoding);
    if (text !== undefined && [...text].length === 1 && !table.has(text)) table.set(text, sequence);
  };
  for (let byte = 0; byte < 256; byte++) learn(byte);
  for (let lead = 0x81; lead < 0xff; lead++) for (let trail = 0x40; trail < 0xff; trail++) learn(lead, trail);
  return table;
}
