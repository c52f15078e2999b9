/** The `content` column: plain text, or a list of content parts as JSON behind the original's sentinel. */
import type { ImageContent, TextContent } from '../contracts/message.ts';
import { parseJson } from './json.ts';

const SENTINEL = '\0json:';

/** Stands in the plain text for a picture, which is kept elsewhere. */
export const IMAGE_PLACEHOLDER = '[image]';

/** SQL for the column as text that LIKE can look into: the sentinel's NUL would end it at once. */
export function likeableContent(alias: string): string {
  return `CASE WHEN ${alias}.content < char(1) THEN CAST(substr(CAST(${alias}.content AS BLOB), ${SENTINEL.length + 1}) AS TEXT) ELSE ${alias}.content END`;
}

/** @returns the text, or the parts of a list; a part that is neither text nor an embedded picture is named in brackets */
export function decodeContent(column: string | null): string | (TextContent | ImageContent)[] {
  if (column === null) return '';
  if (!column.startsWith(SENTINEL)) return column;
  const parts = parseJson(column.slice(SENTINEL.length));
  if (Array.isArray(parts)) return parts.map(decodePart);
  return typeof parts === 'string' ? parts : JSON.stringify(parts ?? '');
}

/** The column as one string for a person: previews, snippets. */
export function contentText(column: string | null): string {
  const content = decodeContent(column);
  if (typeof content === 'string') return content;
  return content.map((part) => (part.type === 'text' ? part.text : IMAGE_PLACEHOLDER)).join('\n');
}

function decodePart(part: unknown): TextContent | ImageContent {
  if (typeof part === 'string') return { type: 'text', text: part };
  if (typeof part !== 'object' || part === null) return { type: 'text', text: String(part) };
  const fields = part as Record<string, unknown>;
  if (typeof fields.text === 'string') return { type: 'text', text: fields.text };
  const image = embeddedImage(fields.image_url ?? fields.source);
  return image ?? { type: 'text', text: `[${String(fields.type ?? 'attachment')}]` };
}

/** `{url: 'data:...'}`, the bare URL, or the `{media_type, data}` of another vendor. */
function embeddedImage(value: unknown): ImageContent | undefined {
  if (typeof value === 'object' && value !== null) {
    const fields = value as Record<string, unknown>;
    if (typeof fields.data === 'string' && typeof fields.media_type === 'string') {
      return { type: 'image', data: fields.data, mimeType: fields.media_type };
    }
    return embeddedImage(fields.url);
  }
  if (typeof value !== 'string') return undefined;
  const match = /^data:([^;,]+);base64,/.exec(value);
  return match ? { type: 'image', data: value.slice(match[0].length), mimeType: match[1] ?? 'image/png' } : undefined;
}
