/**
 * The parts of a fetch `Response` that model libraries use, over a Node stream. The global `Response` and `Headers`
 * are not touched: their first use loads all of undici.
 */
import type { Readable } from 'node:stream';

type HeaderPairs = Iterable<readonly [string, string]>;

/** Case-insensitive; repeated names are joined with `, `. */
export class HttpHeaders implements HeaderPairs {
  readonly #values = new Map<string, string>();

  constructor(from: HeaderPairs = []) {
    for (const [name, value] of from) this.append(name, value);
  }

  get(name: string): string | null {
    return this.#values.get(name.toLowerCase()) ?? null;
  }

  has(name: string): boolean {
    return this.#values.has(name.toLowerCase());
  }

  set(name: string, value: string): void {
    this.#values.set(name.toLowerCase(), value);
  }

  append(name: string, value: string): void {
    const before = this.get(name);
    this.set(name, before === null ? value : `${before}, ${value}`);
  }

  delete(name: string): void {
    this.#values.delete(name.toLowerCase());
  }

  forEach(visit: (value: string, name: string) => void): void {
    for (const [name, value] of this.#values) visit(value, name);
  }

  entries(): MapIterator<[string, string]> {
    return this.#values.entries();
  }

  keys(): MapIterator<string> {
    return this.#values.keys();
  }

  values(): MapIterator<string> {
    return this.#values.values();
  }

  [Symbol.iterator](): MapIterator<[string, string]> {
    return this.entries();
  }
}

type ReadResult = { done: false; value: Uint8Array } | { done: true; value: undefined };

/** Readable once, like a web stream: by `getReader()` or by iterating. */
export class HttpBody implements AsyncIterable<Uint8Array> {
  readonly #stream: Readable;
  #chunks: AsyncIterator<Uint8Array> | undefined;
  locked = false;

  constructor(stream: Readable) {
    this.#stream = stream;
  }

  getReader(): { read(): Promise<ReadResult>; releaseLock(): void; cancel(): Promise<void> } {
    this.locked = true;
    return {
      read: () => this.#read(),
      releaseLock: () => {
        this.locked = false;
      },
      cancel: () => this.cancel(),
    };
  }

  /** Stops the transfer; what was not read is lost. */
  async cancel(): Promise<void> {
    this.#stream.on('error', () => {}); // a broken connection is what was asked for
    this.#stream.destroy();
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Uint8Array> {
    this.locked = true;
    for (;;) {
      const { done, value } = await this.#read();
      if (done) return;
      yield value;
    }
  }

  async #read(): Promise<ReadResult> {
    this.#chunks ??= this.#stream[Symbol.asyncIterator]() as AsyncIterator<Uint8Array>;
    const { done, value } = await this.#chunks.next();
    return done ? { done: true, value: undefined } : { done: false, value };
  }
}

export interface ResponseHead {
  readonly status: number;
  readonly statusText: string;
  readonly headers: HttpHeaders;
  readonly url: string;
  readonly redirected: boolean;
}

export class HttpResponse implements ResponseHead {
  readonly status: number;
  readonly statusText: string;
  readonly headers: HttpHeaders;
  readonly url: string;
  readonly redirected: boolean;
  readonly ok: boolean;
  readonly type = 'basic';
  readonly body: HttpBody;

  constructor(head: ResponseHead, stream: Readable) {
    this.status = head.status;
    this.statusText = head.statusText;
    this.headers = head.headers;
    this.url = head.url;
    this.redirected = head.redirected;
    this.ok = head.status >= 200 && head.status < 300;
    this.body = new HttpBody(stream);
  }

  get bodyUsed(): boolean {
    return this.body.locked;
  }

  async bytes(): Promise<Uint8Array<ArrayBuffer>> {
    const chunks: Uint8Array[] = [];
    for await (const chunk of this.body) chunks.push(chunk);
    return Buffer.concat(chunks);
  }

  async arrayBuffer(): Promise<ArrayBuffer> {
    return new Uint8Array(await this.bytes()).buffer;
  }

  async text(): Promise<string> {
    return Buffer.from(await this.bytes()).toString('utf8');
  }

  async json(): Promise<unknown> {
    return JSON.parse(await this.text());
  }
}
