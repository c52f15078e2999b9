/** What a file that is no text is, from its first bytes. */

const MAGIC: readonly (readonly [string, string])[] = [
  ['89504e470d0a1a0a', 'PNG image'],
  ['ffd8ff', 'JPEG image'],
  ['47494638', 'GIF image'],
  ['424d', 'BMP image'],
  ['49492a00', 'TIFF image'],
  ['4d4d002a', 'TIFF image'],
  ['25504446', 'PDF document'],
  ['504b0304', 'ZIP archive or office document'],
  ['1f8b', 'gzip archive'],
  ['425a68', 'bzip2 archive'],
  ['fd377a585a00', 'xz archive'],
  ['28b52ffd', 'zstd archive'],
  ['377abcaf271c', '7z archive'],
  ['52617221', 'RAR archive'],
  ['7f454c46', 'ELF program'],
  ['cffaedfe', 'Mach-O program'],
  ['4d5a', 'Windows program'],
  ['53514c69746520666f726d6174', 'SQLite database'],
  ['494433', 'MP3 audio'],
  ['4f676753', 'Ogg media'],
  ['664c6143', 'FLAC audio'],
  ['0061736d', 'WebAssembly module'],
  ['cafebabe', 'Java class'],
];

export function binaryKind(bytes: Uint8Array): string {
  const head = Buffer.from(bytes.subarray(0, 32));
  const hex = head.toString('hex');
  if (hex.startsWith('52494646')) return head.toString('latin1', 8, 12) === 'WEBP' ? 'WebP image' : 'RIFF media';
  if (head.toString('latin1', 4, 8) === 'ftyp') return 'MP4 media';
  const kind = MAGIC.find(([magic]) => hex.startsWith(magic))?.[1] ?? 'binary file';
  if (kind === 'PNG image' && head.length >= 24) {
    return `${kind}, ${head.readUInt32BE(16)}×${head.readUInt32BE(20)} pixels`;
  }
  return kind;
}
