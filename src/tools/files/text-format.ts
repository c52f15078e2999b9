/** Bytes to text and back without changing what was not edited: encoding, byte order mark, line ends. */
import { decodeLegacy, encodeLegacy } from './legacy-encoding.ts';

export interface TextFormat {
  /** `utf-8`, `utf-16le`, `utf-16be`, or a label such as `shift_jis`. */
  readonly encoding: string;
  readonly bom: boolean;
  /** The file's line end; `mixed` files are edited as they are. */
  readonly lineEnd: 'lf' | 'crlf' | 'cr' | 'mixed';
}

export interface DecodedText {
  /** With `\n` line ends unless they are mixed, and without the byte order mark. */
  readonly text: string;
  readonly format: TextFormat;
}

export const PLAIN: TextFormat = { encoding: 'utf-8', bom: false, lineEnd: 'lf' };

/** Undefined for bytes that are no text. */
export async function decodeText(bytes: Uint8Array): Promise<DecodedText | undefined> {
  const raw = decodeMarked(bytes) ?? decodeUtf16(bytes) ?? decodeUtf8(bytes) ?? (await decodeOther(bytes));
  if (raw === undefined) return undefined;
  const lineEnd = lineEndOf(raw.text);
  return { text: toLf(raw.text, lineEnd), format: { encoding: raw.encoding, bom: raw.bom, lineEnd } };
}

/**
 * `text` with the line ends, encoding and mark of the file.
 * @returns undefined when the encoding has no sign for some character
 */
export function encodeText(text: string, format: TextFormat): Buffer | undefined {
  const ended = fromLf(text, format.lineEnd);
  const marked = format.bom ? `\ufeff${ended}` : ended;
  if (format.encoding === 'utf-8') return Buffer.from(marked, 'utf8');
  if (format.encoding === 'utf-16le') return Buffer.from(marked, 'utf16le');
  if (format.encoding === 'utf-16be') return Buffer.from(marked, 'utf16le').swap16();
  return encodeLegacy(ended, format.encoding);
}

/** Text from a model for a file of this format: its line ends become plain ones. */
export function toLf(text: string, lineEnd: TextFormat['lineEnd']): string {
  if (lineEnd === 'crlf') return text.replaceAll('\r\n', '\n');
  return lineEnd === 'cr' ? text.replaceAll('\r', '\n') : text;
}

function fromLf(text: string, lineEnd: TextFormat['lineEnd']): string {
  if (lineEnd === 'crlf') return text.replace(/\r?\n/g, '\r\n');
  return lineEnd === 'cr' ? text.replaceAll('\n', '\r') : text;
}

function lineEndOf(text: string): TextFormat['lineEnd'] {
  const crlf = text.split('\r\n').length - 1;
  const lf = text.split('\n').length - 1 - crlf;
  const cr = text.split('\r').length - 1 - crlf;
  if (crlf > 0 && lf === 0 && cr === 0) return 'crlf';
  if (cr > 0 && lf === 0 && crlf === 0) return 'cr';
  return crlf === 0 && cr === 0 ? 'lf' : 'mixed';
}

interface Raw {
  readonly text: string;
  readonly encoding: string;
  readonly bom: boolean;
}

function decodeMarked(bytes: Uint8Array): Raw | undefined {
  const [a, b, c] = bytes;
  if (a === 0xef && b === 0xbb && c === 0xbf) return decodeAs(bytes.subarray(3), 'utf-8', true);
  if (a === 0xff && b === 0xfe) return decodeAs(bytes.subarray(2), 'utf-16le', true);
  return a === 0xfe && b === 0xff ? decodeAs(bytes.subarray(2), 'utf-16be', true) : undefined;
}

/** Without a mark: mostly ASCII with every second byte zero. */
function decodeUtf16(bytes: Uint8Array): Raw | undefined {
  const sample = bytes.subarray(0, 1_024);
  if (bytes.length < 4 || bytes.length % 2 !== 0 || !sample.includes(0)) return undefined;
  const zeros = [0, 0];
  sample.forEach((byte, index) => {
    if (byte === 0) zeros[index % 2] = (zeros[index % 2] ?? 0) + 1;
  });
  const [even = 0, odd = 0] = zeros;
  const half = sample.length / 2;
  if (odd > half * 0.7 && even === 0) return decodeAs(bytes, 'utf-16le', false);
  return even > half * 0.7 && odd === 0 ? decodeAs(bytes, 'utf-16be', false) : undefined;
}

function decodeUtf8(bytes: Uint8Array): Raw | undefined {
  return bytes.subarray(0, 8_192).includes(0) ? undefined : decodeAs(bytes, 'utf-8', false);
}

function decodeAs(bytes: Uint8Array, encoding: string, bom: boolean): Raw | undefined {
  try {
    return { text: new TextDecoder(encoding, { fatal: true, ignoreBOM: true }).decode(bytes), encoding, bom };
  } catch {
    return undefined; // not this encoding
  }
}

async function decodeOther(bytes: Uint8Array): Promise<Raw | undefined> {
  if (bytes.subarray(0, 8_192).includes(0)) return undefined;
  const found = await decodeLegacy(bytes);
  return found === undefined ? undefined : { ...found, bom: false };
}
