/**
 * A scripted model server over real HTTP on 127.0.0.1. It speaks OpenAI chat completions, OpenAI Responses and
 * Anthropic messages (streamed and plain) and `GET /v1/models`, records what it was sent, and can misbehave.
 */
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { jsonOf, type Protocol, type ScriptedAnswer, streamOf } from './model-wire.ts';

export interface ScriptedReply extends ScriptedAnswer {
  /** With `body` (an object is sent as JSON) and `headers`: an answer that is no model reply. */
  readonly status?: number;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  /** An HTML page, with `status` or 200. */
  readonly html?: string;
  /** Sent as the whole body, as an event stream. */
  readonly raw?: string | Buffer;
  /** Stops after that many stream events, before any end mark. */
  readonly cutAfter?: number;
  /** `end` (default) closes politely, `reset` breaks the connection. */
  readonly cut?: 'end' | 'reset';
  /** Waits before the reply, or after `hangAfter` stream events. */
  readonly hangMs?: number;
  readonly hangAfter?: number;
  /** Sends comment lines while it hangs. */
  readonly keepAlive?: boolean;
  /** Between stream events. */
  readonly delayMs?: number;
  /** Cuts the bytes of the stream into writes of that size, across characters and lines. */
  readonly writeBytes?: number;
  readonly gzip?: boolean;
}

export interface RecordedRequest {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  /** The parsed body. */
  // biome-ignore lint/suspicious/noExplicitAny: tests reach into bodies of three protocols
  readonly body: any;
  readonly raw: string;
}

export type Script = (request: RecordedRequest, index: number) => ScriptedReply | Promise<ScriptedReply>;

export interface ModelServer {
  /** `http://127.0.0.1:<port>`: the base URL of the Anthropic protocol. */
  readonly url: string;
  /** `<url>/v1`: the base URL of both OpenAI protocols. */
  readonly baseUrl: string;
  /** Model calls in order of arrival, without lookups such as `GET /v1/models`. */
  readonly requests: RecordedRequest[];
  /** `GET /v1/models` and the like. */
  readonly lookups: string[];
  /** A list answers one call per entry, from now on; a call past its end gets a 400 that says so. */
  script(replies: Script | readonly ScriptedReply[]): void;
  close(): Promise<void>;
}

export interface ModelServerOptions {
  /** Answer of `GET /v1/models`. Default: `mock-model` with a window of 131,072. */
  readonly models?: readonly Record<string, unknown>[];
  /** Other paths answered with JSON, such as `/api/show`. */
  readonly routes?: Readonly<Record<string, unknown>>;
  readonly port?: number;
}

/** Without a script every call is answered with the text `ok`. */
export async function startModelServer(options: ModelServerOptions = {}): Promise<ModelServer> {
  const requests: RecordedRequest[] = [];
  const lookups: string[] = [];
  let script: Script = () => ({ text: 'ok' });
  const stopping = new AbortController();

  const handle = async (incoming: IncomingMessage, response: ServerResponse): Promise<void> => {
    const path = (incoming.url ?? '/').split('?')[0] ?? '/';
    const raw = await readAll(incoming);
    const protocol = protocolOf(path);
    if (incoming.method !== 'POST' || protocol === undefined) {
      lookups.push(`${incoming.method} ${path}`);
      answerLookup(path, response, options);
      return;
    }
    const request = { path, headers: incoming.headers, body: JSON.parse(raw), raw };
    requests.push(request);
    await respond(protocol, await script(request, requests.length - 1), request, response, stopping.signal);
  };

  const server = createServer((incoming, response) => {
    handle(incoming, response).catch((error) => {
      if (stopping.signal.aborted || response.destroyed) return; // the caller went away
      response.writeHead(500, { 'content-type': 'text/plain' });
      response.end(`model server: ${error}`);
    });
  });
  await new Promise<void>((resolve) => server.listen(options.port ?? 0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

  return {
    url,
    baseUrl: `${url}/v1`,
    requests,
    lookups,
    script(replies) {
      if (typeof replies === 'function') {
        script = replies;
        return;
      }
      let next = 0;
      script = () =>
        replies[next++] ?? { status: 400, body: { error: { message: 'the script has no further reply' } } };
    },
    close() {
      stopping.abort();
      return new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      });
    },
  };
}

function protocolOf(path: string): Protocol | undefined {
  if (path.endsWith('/chat/completions')) return 'chat';
  if (path.endsWith('/responses')) return 'responses';
  // Gemini's own protocol is only spoken by `raw` replies and refusals.
  return path.endsWith('/messages') || path.endsWith(':streamGenerateContent') ? 'anthropic' : undefined;
}

async function readAll(incoming: IncomingMessage): Promise<string> {
  const parts: Buffer[] = [];
  for await (const part of incoming) parts.push(part as Buffer);
  return Buffer.concat(parts).toString('utf8');
}

function answerLookup(path: string, response: ServerResponse, options: ModelServerOptions): void {
  const models = options.models ?? [{ id: 'mock-model', object: 'model', context_length: 131_072 }];
  const answer = options.routes?.[path] ?? (path.endsWith('/models') ? { object: 'list', data: models } : undefined);
  response.writeHead(answer === undefined ? 404 : 200, { 'content-type': 'application/json' });
  response.end(JSON.stringify(answer ?? { error: { message: `no route ${path}` } }));
}

async function respond(
  protocol: Protocol,
  reply: ScriptedReply,
  request: RecordedRequest,
  response: ServerResponse,
  signal: AbortSignal,
): Promise<void> {
  if (reply.hangMs !== undefined && reply.hangAfter === undefined) await hang(reply, response, signal);
  if (reply.html !== undefined) return send(response, reply, reply.status ?? 200, 'text/html', reply.html);
  if (reply.status !== undefined) {
    const body = typeof reply.body === 'string' ? reply.body : JSON.stringify(reply.body ?? {});
    return send(response, reply, reply.status, 'application/json', body);
  }
  if (reply.raw !== undefined) return send(response, reply, 200, 'text/event-stream', reply.raw);
  const model = String(request.body.model ?? 'mock-model');
  if (request.body.stream !== true)
    return send(response, reply, 200, 'application/json', JSON.stringify(jsonOf(protocol, reply, model)));
  await streamReply(protocol, reply, model, response, signal);
}

function send(
  response: ServerResponse,
  reply: ScriptedReply,
  status: number,
  type: string,
  body: string | Buffer,
): void {
  const bytes = reply.gzip ? gzipSync(body) : body;
  const headers = { 'content-type': type, ...(reply.gzip ? { 'content-encoding': 'gzip' } : {}), ...reply.headers };
  response.writeHead(status, headers);
  response.end(bytes);
}

async function streamReply(
  protocol: Protocol,
  reply: ScriptedReply,
  model: string,
  response: ServerResponse,
  signal: AbortSignal,
): Promise<void> {
  const lines = streamOf(protocol, reply, model).map(
    ({ event, data }) => `${event === undefined ? '' : `event: ${event}\n`}data: ${JSON.stringify(data)}\n\n`,
  );
  if (protocol === 'chat') lines.push('data: [DONE]\n\n');
  if (reply.gzip) return send(response, reply, 200, 'text/event-stream', lines.join(''));
  response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-cache', ...reply.headers });
  for (const [index, line] of lines.entries()) {
    if (index === reply.hangAfter) await hang(reply, response, signal);
    if (index === reply.cutAfter) {
      // Let what was written arrive before the connection breaks.
      await sleep(5, undefined, { signal });
      if (reply.cut === 'reset') response.destroy();
      else response.end();
      return;
    }
    if (reply.delayMs !== undefined) await sleep(reply.delayMs, undefined, { signal });
    await write(response, line, reply.writeBytes);
  }
  response.end();
}

async function write(response: ServerResponse, line: string, size: number | undefined): Promise<void> {
  if (size === undefined) {
    response.write(line);
    return;
  }
  const bytes = Buffer.from(line);
  for (let at = 0; at < bytes.length; at += size) {
    response.write(bytes.subarray(at, at + size));
    await new Promise(setImmediate);
  }
}

async function hang(reply: ScriptedReply, response: ServerResponse, signal: AbortSignal): Promise<void> {
  const until = Date.now() + (reply.hangMs ?? 0);
  while (Date.now() < until && !response.destroyed) {
    await sleep(Math.min(20, Math.max(1, until - Date.now())), undefined, { signal });
    if (reply.keepAlive && reply.hangAfter !== undefined) response.write(': keep-alive\n\n');
  }
}

/**
 * Throws when a later request does not begin with all that an earlier one held: same settings, system prompt and
 * tools, and its messages as the first messages. Cache marks may move; a text may be a string or one text block.
 */
export function assertStablePrefix(requests: readonly RecordedRequest[]): void {
  for (const [index, later] of requests.entries()) {
    const earlier = requests[index - 1];
    if (earlier === undefined) continue;
    const [a, b] = [split(earlier.body), split(later.body)];
    if (a.settings !== b.settings)
      throw new Error(
        `Request ${index} changed its settings, system prompt or tools:\n${difference(a.settings, b.settings)}`,
      );
    for (const [at, message] of a.messages.entries()) {
      if (message === b.messages[at]) continue;
      throw new Error(`Request ${index} changed message ${at}:\n${difference(message, b.messages[at] ?? '(missing)')}`);
    }
  }
}

function split(body: Record<string, unknown>): { settings: string; messages: string[] } {
  const key = Array.isArray(body.input) ? 'input' : 'messages';
  const { [key]: messages, ...settings } = body;
  const list = Array.isArray(messages) ? messages : [];
  return { settings: canonical(settings), messages: list.map(canonical) };
}

function canonical(value: unknown): string {
  // Cache marks move with the newest message; nothing else may change.
  return JSON.stringify(value, (key, inner) => (key === 'cache_control' ? undefined : inner));
}

function difference(a: string, b: string): string {
  let at = 0;
  while (at < a.length && a[at] === b[at]) at += 1;
  const from = Math.max(0, at - 60);
  return `  was …${a.slice(from, at + 120)}\n  now …${b.slice(from, at + 120)}`;
}
