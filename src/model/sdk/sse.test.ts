import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readSse, type SseEvent } from './sse.ts';

async function* cut(bytes: Uint8Array, sizes: readonly number[]): AsyncGenerator<Uint8Array> {
  let at = 0;
  for (let i = 0; at < bytes.length; i++) {
    const size = Math.max(1, sizes[i % Math.max(1, sizes.length)] ?? 1);
    yield bytes.subarray(at, at + size);
    at += size;
  }
}

async function read(text: string, sizes: readonly number[] = [7]): Promise<SseEvent[]> {
  const events: SseEvent[] = [];
  for await (const event of readSse(cut(Buffer.from(text), sizes))) events.push(event);
  return events;
}

describe('server-sent events', () => {
  it('reads names, several data lines, comments and an unfinished last event', async () => {
    expect(await read('\uFEFF: hi\nevent: a\ndata: 1\ndata:2\r\n\r\nid: 7\ndata: x\r\rretry: 1\n\ndata: last')).toEqual(
      [
        { event: 'a', data: '1\n2' },
        { event: undefined, data: 'x' },
        { event: undefined, data: 'last' },
      ],
    );
  });

  it('KF-040: gives the same events however the bytes are cut', async () => {
    const line = fc.string({ unit: 'grapheme' }).map((text) => text.replace(/[\r\n\uFEFF]/g, ''));
    await fc.assert(
      fc.asyncProperty(
        fc.array(line, { minLength: 1 }),
        fc.constantFrom('\n', '\r\n', '\r'),
        fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1 }),
        async (lines, end, sizes) => {
          const events = await read(lines.map((data) => `data: ${data}${end}${end}`).join(''), sizes);
          expect(events.map((event) => event.data)).toEqual(lines.map((text) => text.toWellFormed()));
        },
      ),
    );
  });
});
