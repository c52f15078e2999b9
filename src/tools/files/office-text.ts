/** The words of a .docx and the cells of an .xlsx, without their looks. */
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { inflateRaw } from 'node:zlib';

const MAX_BYTES = 50 * 1024 * 1024;
const inflate = promisify<Buffer, { maxOutputLength: number }, Buffer>(inflateRaw);

/** Undefined when the file is not such a document. */
export async function extractOfficeText(path: string): Promise<string | undefined> {
  try {
    const bytes = await readFile(path);
    const entries = listZip(bytes);
    if (entries.has('word/document.xml')) return documentText(await entryText(bytes, entries, 'word/document.xml'));
    return entries.has('xl/workbook.xml') ? await workbookText(bytes, entries) : undefined;
  } catch {
    return undefined; // damaged or encrypted: it is shown as a binary file
  }
}

interface ZipEntry {
  readonly at: number;
  readonly size: number;
  readonly method: number;
}

/** Name → place, from the directory at the end of the archive. */
function listZip(bytes: Buffer): ReadonlyMap<string, ZipEntry> {
  const entries = new Map<string, ZipEntry>();
  const end = bytes.lastIndexOf(Buffer.from('504b0506', 'hex'));
  if (end < 0) return entries;
  let at = bytes.readUInt32LE(end + 16);
  for (let left = bytes.readUInt16LE(end + 10); left > 0 && bytes.readUInt32LE(at) === 0x02014b50; left--) {
    const nameLength = bytes.readUInt16LE(at + 28);
    const skip = bytes.readUInt16LE(at + 30) + bytes.readUInt16LE(at + 32);
    entries.set(bytes.toString('utf8', at + 46, at + 46 + nameLength), {
      at: bytes.readUInt32LE(at + 42),
      size: bytes.readUInt32LE(at + 20),
      method: bytes.readUInt16LE(at + 10),
    });
    at += 46 + nameLength + skip;
  }
  return entries;
}

async function entryText(bytes: Buffer, entries: ReadonlyMap<string, ZipEntry>, name: string): Promise<string> {
  const entry = entries.get(name);
  if (entry === undefined) return '';
  const from = entry.at + 30 + bytes.readUInt16LE(entry.at + 26) + bytes.readUInt16LE(entry.at + 28);
  const packed = bytes.subarray(from, from + entry.size);
  const plain = entry.method === 0 ? packed : await inflate(packed, { maxOutputLength: MAX_BYTES });
  return plain.toString('utf8');
}

function documentText(xml: string): string {
  const marked = xml
    .replace(/<w:tab\/>/g, '\t')
    .replace(/<w:(br|cr)\b[^>]*\/>/g, '\n')
    .replace(/<\/w:tc>/g, '\t')
    .replace(/<\/w:p>/g, '\n');
  return plainText(marked);
}

async function workbookText(bytes: Buffer, entries: ReadonlyMap<string, ZipEntry>): Promise<string> {
  const shared = (await entryText(bytes, entries, 'xl/sharedStrings.xml')).split('</si>').map(plainText);
  const sheets = [...entries.keys()]
    .filter((name) => /^xl\/worksheets\/sheet\d+\.xml$/.test(name))
    .sort((a, b) => a.localeCompare(b, 'en', { numeric: true }));
  const parts: string[] = [];
  for (const name of sheets) {
    const rows = (await entryText(bytes, entries, name)).split('</row>').slice(0, -1);
    parts.push(`[${name.slice('xl/worksheets/'.length, -'.xml'.length)}]`, ...rows.map((row) => rowText(row, shared)));
  }
  return parts.join('\n');
}

function rowText(row: string, shared: readonly string[]): string {
  const cells = row.match(/<c\b[^>]*?(?:\/>|>[\s\S]*?<\/c>)/g) ?? [];
  return cells
    .map((cell) => {
      const value = plainText(/<v>([\s\S]*?)<\/v>/.exec(cell)?.[1] ?? /<is>([\s\S]*?)<\/is>/.exec(cell)?.[1] ?? '');
      return /\bt="s"/.test(cell) ? (shared[Number(value)] ?? '') : value;
    })
    .join('\t');
}

const ENTITIES: Readonly<Record<string, string>> = { lt: '<', gt: '>', amp: '&', quot: '"', apos: "'" };

function plainText(xml: string): string {
  return xml
    .replace(/<[^>]+>/g, '')
    .replace(/&(?:(lt|gt|amp|quot|apos)|#(\d+)|#x([0-9a-f]+));/gi, (_all, name?: string, dec?: string, hex?: string) =>
      name === undefined
        ? String.fromCodePoint(dec === undefined ? Number.parseInt(hex ?? '20', 16) : Number(dec))
        : (ENTITIES[name.toLowerCase()] ?? ''),
    );
}
