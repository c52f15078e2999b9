/**
 * Watches one HTTP exchange from below the library, which reduces every failure to a sentence: keeps status, headers
 * and body of a refusal, notices pages that are not an answer, and turns a plain JSON answer into the stream that
 * was asked for.
 */
import type { HttpFetch, HttpRequestInit } from './http/http-fetch.ts';
import { HttpHeaders, HttpResponse } from './http/http-response.ts';

const MAX_BODY_CHARS = 64_000;

/** What is known about a failed call. */
export interface FailureTrace {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  /** System code of a connection that failed (`ECONNREFUSED`), or `HTML` for a page in the place of an answer. */
  readonly code?: string;
}

export interface Exchange {
  readonly fetch: HttpFetch;
  /** Undefined while nothing went wrong on the wire. */
  trace(): FailureTrace | undefined;
}

export interface ExchangeOptions {
  /** False: the body asks for a plain answer. */
  readonly streaming: boolean;
  /** Called with every piece of the body, also those that hold no event. */
  onBytes?(): void;
  /** Turns the parsed plain answer into stream events; undefined for a protocol that has no such form. */
  toEvents?(answer: unknown): string | undefined;
}

export function watchExchange(fetch: HttpFetch, options: ExchangeOptions): Exchange {
  let trace: FailureTrace | undefined;
  return {
    trace: () => trace,
    async fetch(input, init) {
      let response: HttpResponse;
      try {
        response = await fetch(input, options.streaming ? init : withoutStreaming(init));
      } catch (error) {
        trace = { code: systemCode(error) };
        throw error;
      }
      if (!response.ok) {
        const body = (await response.text()).slice(0, MAX_BODY_CHARS);
        trace = { status: response.status, headers: Object.fromEntries(response.headers), body };
        return rebuilt(response, body);
      }
      const type = response.headers.get('content-type') ?? '';
      if (type.includes('text/html')) {
        const body = (await response.text()).slice(0, MAX_BODY_CHARS);
        trace = { status: response.status, body, code: 'HTML' };
        throw new Error('the endpoint answered with a web page');
      }
      return type.includes('application/json') ? fromJson(response, options) : response;
    },
  };
}

/** The first system code along the causes. */
export function systemCode(error: unknown): string {
  let current = error;
  for (let depth = 0; depth < 5 && typeof current === 'object' && current !== null; depth++) {
    if ('code' in current && typeof current.code === 'string') return current.code;
    if (current instanceof AggregateError && current.errors.length > 0) current = current.errors[0];
    else current = 'cause' in current ? current.cause : undefined;
  }
  return 'UNKNOWN';
}

function withoutStreaming(init: HttpRequestInit | undefined): HttpRequestInit | undefined {
  if (typeof init?.body !== 'string') return init;
  const { stream: _stream, stream_options: _options, ...body } = JSON.parse(init.body) as Record<string, unknown>;
  return { ...init, body: JSON.stringify(body) };
}

/** A server may ignore that a stream was asked for, or was told not to stream. */
async function fromJson(response: HttpResponse, options: ExchangeOptions): Promise<HttpResponse> {
  const text = await response.text();
  const events = options.toEvents?.(parse(text));
  return rebuilt(response, events ?? text, events === undefined ? undefined : 'text/event-stream');
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined; // the library reports the text as it is
  }
}

function rebuilt(response: HttpResponse, body: string, type?: string): HttpResponse {
  const headers = new HttpHeaders(response.headers);
  if (type !== undefined) headers.set('content-type', type);
  headers.delete('content-length');
  const { status, statusText, url, redirected } = response;
  return new HttpResponse(
    { status, statusText, url, redirected, headers },
    process.getBuiltinModule('node:stream').Readable.from([Buffer.from(body)]),
  );
}
