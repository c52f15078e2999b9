/** A file as the tools see it: text with its format, something else, or too large to hold. */
import { open, readFile, stat } from 'node:fs/promises';
import { errorCode } from '../../lib/errors.ts';
import { binaryKind } from './file-kind.ts';
import { type FileStamp, hashOf } from './ledger.ts';
import { type DecodedText, decodeText } from './text-format.ts';

export type LoadedFile =
  | { readonly kind: 'missing' }
  | { readonly kind: 'folder' }
  /** A device, socket or pipe: reading it could wait for ever. */
  | { readonly kind: 'special' }
  | { readonly kind: 'binary'; readonly what: string; readonly stamp: FileStamp }
  | { readonly kind: 'large'; readonly stamp: FileStamp }
  | ({ readonly kind: 'text'; readonly bytes: Buffer; readonly stamp: FileStamp } & DecodedText);

/** Larger files are read in pieces and cannot be edited whole. */
const MAX_HELD_BYTES = 10 * 1024 * 1024;
const HEAD_BYTES = 8_192;

/** @throws the system's error when the file is there and cannot be read */
export async function loadFile(path: string): Promise<LoadedFile> {
  const found = await stat(path).catch((error: unknown) => {
    if (['ENOENT', 'ENOTDIR'].includes(errorCode(error) ?? '')) return undefined;
    throw error;
  });
  if (found === undefined) return { kind: 'missing' };
  if (found.isDirectory()) return { kind: 'folder' };
  if (!found.isFile()) return { kind: 'special' };
  const stamp = { mtimeMs: found.mtimeMs, size: found.size };
  if (found.size > MAX_HELD_BYTES) {
    const head = await readHead(path);
    return head.includes(0) ? { kind: 'binary', what: binaryKind(head), stamp } : { kind: 'large', stamp };
  }
  const bytes = await readFile(path);
  const hashed = { ...stamp, hash: hashOf(bytes) };
  const decoded = await decodeText(bytes);
  if (decoded === undefined) return { kind: 'binary', what: binaryKind(bytes), stamp: hashed };
  return { kind: 'text', bytes, stamp: hashed, ...decoded };
}

async function readHead(path: string): Promise<Buffer> {
  const file = await open(path, 'r');
  try {
    const head = Buffer.alloc(HEAD_BYTES);
    const { bytesRead } = await file.read(head, 0, HEAD_BYTES, 0);
    return head.subarray(0, bytesRead);
  } finally {
    await file.close();
  }
}
