/**
 * A small `fetch` over `node:http`, loaded at the first request. Keeps connections alive, follows redirects without
 * carrying credentials to another host, decompresses, and honours the proxy variables.
 */
import type { Agent, ClientRequest, IncomingMessage, RequestOptions } from 'node:http';
import type { Readable } from 'node:stream';
import { HttpHeaders, HttpResponse } from './http-response.ts';

export type Env = Readonly<Record<string, string | undefined>>;

export interface HttpRequestInit {
  readonly method?: string;
  readonly headers?: unknown;
  readonly body?: unknown;
  readonly signal?: AbortSignal | null;
}

/** Rejects like `fetch`: a `TypeError` whose `cause` carries the system `code`, or the signal's reason. */
export type HttpFetch = (
  input: string | URL | { readonly url: string },
  init?: HttpRequestInit,
) => Promise<HttpResponse>;

export interface HttpFetchOptions {
  /** `HTTPS_PROXY`, `HTTP_PROXY`, `ALL_PROXY`, `NO_PROXY`, in either case. */
  readonly env?: Env;
  /** Longest silence on the connection, before or during the answer. */
  readonly readTimeoutMs?: number;
}

const MAX_REDIRECTS = 5;
const CREDENTIAL_HEADERS = new Set([
  'authorization',
  'x-api-key',
  'api-key',
  'x-goog-api-key',
  'cookie',
  'proxy-authorization',
]);

interface Call {
  readonly url: URL;
  readonly method: string;
  readonly headers: HttpHeaders;
  readonly body: Uint8Array | undefined;
  readonly signal: AbortSignal | undefined;
}

export function createHttpFetch(options: HttpFetchOptions = {}): HttpFetch {
  const agents = createAgents(options.env ?? {});
  return async (input, init = {}) => {
    let call = toCall(input, init);
    for (let hop = 0; ; hop++) {
      const message = await sendOnce(call, agents, options.readTimeoutMs);
      const next = redirectOf(call, message);
      if (next === undefined || hop === MAX_REDIRECTS) return toResponse(call, message, hop > 0);
      message.resume();
      call = next;
    }
  };
}

function toCall(input: Parameters<HttpFetch>[0], init: HttpRequestInit): Call {
  const url = new URL(input instanceof URL || typeof input === 'string' ? input : input.url);
  if (url.protocol !== 'http:' && url.protocol !== 'https:')
    throw new TypeError(`fetch failed: unsupported address ${url.protocol}//${url.host}`);
  return {
    url,
    method: (init.method ?? 'GET').toUpperCase(),
    headers: toHeaders(init.headers),
    body: toBytes(init.body),
    signal: init.signal ?? undefined,
  };
}

function toHeaders(from: unknown): HttpHeaders {
  const headers = new HttpHeaders();
  if (typeof from !== 'object' || from === null) return headers;
  const pairs = Symbol.iterator in from ? (from as Iterable<[string, string]>) : Object.entries(from);
  for (const [name, value] of pairs) if (value !== undefined && value !== null) headers.set(name, String(value));
  return headers;
}

function toBytes(body: unknown): Uint8Array | undefined {
  if (body === undefined || body === null) return undefined;
  if (typeof body === 'string') return Buffer.from(body);
  if (body instanceof Uint8Array) return body;
  if (body instanceof ArrayBuffer) return new Uint8Array(body);
  if (body instanceof URLSearchParams) return Buffer.from(body.toString());
  throw new TypeError('fetch failed: only text and bytes can be sent');
}

type Agents = (secure: boolean) => Agent;

function createAgents(env: Env): Agents {
  const made = new Map<boolean, Agent>();
  return (secure) => {
    const existing = made.get(secure);
    if (existing !== undefined) return existing;
    const module = process.getBuiltinModule(secure ? 'node:https' : 'node:http');
    const proxyEnv = proxyVariables(env);
    const agent = new module.Agent({ keepAlive: true, ...(proxyEnv === undefined ? {} : { proxyEnv }) });
    made.set(secure, agent);
    return agent;
  };
}

/** `ALL_PROXY` stands in for whichever of the two others is absent. Undefined without any proxy. */
export function proxyVariables(env: Env): Record<string, string> | undefined {
  const read = (name: string): string | undefined => env[name.toLowerCase()] || env[name] || undefined;
  const all = read('ALL_PROXY');
  const http = read('HTTP_PROXY') ?? all;
  const https = read('HTTPS_PROXY') ?? all;
  if (http === undefined && https === undefined) return undefined;
  const none = read('NO_PROXY');
  return {
    ...(http === undefined ? {} : { HTTP_PROXY: http }),
    ...(https === undefined ? {} : { HTTPS_PROXY: https }),
    // A local model server is never behind the proxy.
    NO_PROXY: [none, 'localhost', '127.0.0.1', '::1'].filter((part) => part !== undefined).join(','),
  };
}

/** A kept connection that the server closed in the same moment says nothing about the server: one more try. */
async function sendOnce(call: Call, agents: Agents, readTimeoutMs: number | undefined): Promise<IncomingMessage> {
  for (let attempt = 0; ; attempt++) {
    let reused = false;
    try {
      return await send(call, agents, readTimeoutMs, (request) => {
        reused = request.reusedSocket;
      });
    } catch (error) {
      if (call.signal?.aborted) throw call.signal.reason;
      const stale = reused && attempt === 0 && codeOf(error) === 'ECONNRESET';
      if (!stale) throw new TypeError('fetch failed', { cause: error });
    }
  }
}

const codeOf = (error: unknown): unknown =>
  typeof error === 'object' && error !== null && 'code' in error ? error.code : undefined;

function send(
  call: Call,
  agents: Agents,
  readTimeoutMs: number | undefined,
  onError: (request: ClientRequest) => void,
): Promise<IncomingMessage> {
  const secure = call.url.protocol === 'https:';
  const { request: start } = process.getBuiltinModule(secure ? 'node:https' : 'node:http');
  const options: RequestOptions = { method: call.method, headers: wireHeaders(call), agent: agents(secure) };
  return new Promise((resolve, reject) => {
    if (call.signal?.aborted) {
      reject(call.signal.reason);
      return;
    }
    const request = start(call.url, options, resolve);
    const abort = (): void => {
      request.destroy(call.signal?.reason instanceof Error ? call.signal.reason : new Error('aborted'));
    };
    call.signal?.addEventListener('abort', abort, { once: true });
    request.on('close', () => call.signal?.removeEventListener('abort', abort));
    request.on('error', (error) => {
      onError(request);
      reject(error);
    });
    if (readTimeoutMs !== undefined && readTimeoutMs > 0)
      request.setTimeout(readTimeoutMs, () => request.destroy(timeoutError(call.url, readTimeoutMs)));
    request.end(call.body);
  });
}

function timeoutError(url: URL, readTimeoutMs: number): Error {
  const seconds = Math.round(readTimeoutMs / 1000);
  return Object.assign(new Error(`no data from ${url.host} for ${seconds} s`), { code: 'ETIMEDOUT' });
}

function wireHeaders(call: Call): Record<string, string> {
  const headers = Object.fromEntries(call.headers);
  headers['accept-encoding'] ??= 'gzip, br';
  headers.accept ??= '*/*';
  headers['user-agent'] ??= 'hermes-agent';
  delete headers['transfer-encoding'];
  if (call.body !== undefined) headers['content-length'] = String(call.body.byteLength);
  return headers;
}

function redirectOf(call: Call, message: IncomingMessage): Call | undefined {
  const status = message.statusCode ?? 0;
  const location = message.headers.location;
  if (location === undefined || ![301, 302, 303, 307, 308].includes(status)) return undefined;
  const url = new URL(location, call.url);
  if (url.protocol !== 'http:' && url.protocol !== 'https:') return undefined;
  const headers = new HttpHeaders(call.headers);
  headers.delete('host');
  if (url.origin !== call.url.origin) for (const name of CREDENTIAL_HEADERS) headers.delete(name);
  const toGet = status === 303 || (status < 303 && call.method === 'POST');
  if (toGet) for (const name of ['content-type', 'content-length']) headers.delete(name);
  return { ...call, url, headers, ...(toGet ? { method: 'GET', body: undefined } : {}) };
}

function toResponse(call: Call, message: IncomingMessage, redirected: boolean): HttpResponse {
  const headers = new HttpHeaders();
  for (const [name, value] of Object.entries(message.headers))
    for (const one of Array.isArray(value) ? value : [value ?? '']) headers.append(name, one);
  const head = {
    status: message.statusCode ?? 0,
    statusText: message.statusMessage ?? '',
    headers,
    url: call.url.href,
    redirected,
  };
  return new HttpResponse(head, decoded(message, headers));
}

/** Sync flush: an event stream must arrive event by event, compressed or not. */
function decoded(message: IncomingMessage, headers: HttpHeaders): Readable {
  const encoding = headers.get('content-encoding')?.trim().toLowerCase();
  if (encoding === undefined || encoding === 'identity' || encoding === '') return message;
  const { constants, createBrotliDecompress, createGunzip, createInflate } = process.getBuiltinModule('node:zlib');
  const flush = { flush: constants.Z_SYNC_FLUSH, finishFlush: constants.Z_SYNC_FLUSH };
  const decoder =
    encoding === 'br'
      ? createBrotliDecompress({ flush: constants.BROTLI_OPERATION_FLUSH })
      : encoding === 'deflate'
        ? createInflate(flush)
        : createGunzip(flush);
  headers.delete('content-encoding');
  headers.delete('content-length');
  message.on('error', (error) => decoder.destroy(error));
  decoder.on('close', () => message.destroy());
  return message.pipe(decoder);
}
