/** Server-sent events from bytes that may be cut anywhere: inside a character, a line or an event. */
import { StringDecoder } from 'node:string_decoder';

export interface SseEvent {
  readonly event: string | undefined;
  /** The `data` lines, joined with newlines. */
  readonly data: string;
}

/** Comments and fields that nobody asked for are skipped; an event without its closing blank line still counts. */
export async function* readSse(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<SseEvent> {
  const pending: PendingEvent = { event: undefined, data: [] };
  for await (const line of readLines(bytes)) {
    if (line === '') {
      const event = take(pending);
      if (event !== undefined) yield event;
    } else readField(line, pending);
  }
  const last = take(pending);
  if (last !== undefined) yield last;
}

interface PendingEvent {
  event: string | undefined;
  data: string[];
}

function take(pending: PendingEvent): SseEvent | undefined {
  const { event, data } = pending;
  pending.event = undefined;
  pending.data = [];
  return data.length === 0 ? undefined : { event, data: data.join('\n') };
}

function readField(line: string, pending: PendingEvent): void {
  const colon = line.indexOf(':');
  if (colon === 0) return; // a comment
  const name = colon === -1 ? line : line.slice(0, colon);
  const value = colon === -1 ? '' : line.slice(line[colon + 1] === ' ' ? colon + 2 : colon + 1);
  if (name === 'event') pending.event = value;
  else if (name === 'data') pending.data.push(value);
}

/** Lines end with LF, CR or CRLF; the last may be unfinished. A byte order mark is dropped. */
async function* readLines(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const decoder = new StringDecoder('utf8');
  let rest = '';
  let first = true;
  for await (const chunk of bytes) {
    rest += decoder.write(Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength));
    if (first && rest !== '') {
      if (rest.startsWith('\uFEFF')) rest = rest.slice(1);
      first = false;
    }
    // A CR at the very end may be the first half of CRLF: it waits for what follows.
    const ready = rest.endsWith('\r') ? rest.length - 1 : rest.length;
    const lines = rest.slice(0, ready).split(/\r\n|\n|\r/);
    rest = (lines.pop() ?? '') + rest.slice(ready);
    yield* lines;
  }
  rest += decoder.end();
  const lines = rest.split(/\r\n|\n|\r/);
  if (lines.at(-1) === '') lines.pop();
  yield* lines;
}
