/**
 * What the model library needs of a vendor's SDK: one POST, and a refusal turned into an error with status, headers
 * and body. The build puts these classes in the place of the vendors' packages, whose import costs more than a whole
 * start of Hermes; the conformance test runs the library on both.
 */
import type { HttpFetch } from '../http/http-fetch.ts';
import type { HttpHeaders, HttpResponse } from '../http/http-response.ts';

export interface ClientOptions {
  readonly apiKey?: string | null;
  readonly authToken?: string | null;
  readonly baseURL: string;
  readonly fetch: HttpFetch;
  readonly defaultHeaders?: Readonly<Record<string, string | null | undefined>>;
}

export interface RequestOptions {
  readonly signal?: AbortSignal;
  /** Milliseconds until the answer's head. */
  readonly timeout?: number;
}

export class APIError extends Error {
  readonly status: number | undefined;
  readonly headers: HttpHeaders | undefined;
  /** The parsed body. */
  readonly error: unknown;
  readonly type: string | undefined;

  constructor(
    status: number | undefined,
    error: unknown,
    message: string | undefined,
    headers: HttpHeaders | undefined,
  ) {
    super(describe(status, error, message));
    this.status = status;
    this.headers = headers;
    this.error = error;
    this.type = field(field(error, 'error') ?? error, 'type');
  }
}

function field(value: unknown, name: string): string | undefined {
  const found = typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[name] : undefined;
  return typeof found === 'string' ? found : undefined;
}

function describe(status: number | undefined, error: unknown, message: string | undefined): string {
  const text = field(error, 'message') ?? (error === undefined ? message : JSON.stringify(error));
  return [status, text || (status === undefined ? 'the provider gave no reason' : '(no body)')]
    .filter(Boolean)
    .join(' ');
}

/** @throws APIError for an answer outside 2xx, whatever `fetch` rejects with otherwise */
export async function post(
  options: ClientOptions,
  path: string,
  body: unknown,
  headers: Readonly<Record<string, string>>,
  request: RequestOptions = {},
): Promise<HttpResponse> {
  const response = await options.fetch(options.baseURL.replace(/\/+$/, '') + path, {
    method: 'POST',
    body: JSON.stringify(body),
    headers: { 'content-type': 'application/json', ...mergeHeaders(headers, options.defaultHeaders) },
    signal: deadline(request),
  });
  if (response.ok) return response;
  const text = await response.text();
  throw refusal(response, text);
}

function refusal(response: HttpResponse, text: string): APIError {
  try {
    const body: unknown = JSON.parse(text);
    const inner = typeof body === 'object' && body !== null && 'error' in body ? body.error : body;
    return new APIError(response.status, inner, undefined, response.headers);
  } catch {
    // not JSON: the text itself is all there is
    return new APIError(response.status, undefined, text.slice(0, 1000), response.headers);
  }
}

/** Names are case-insensitive; `null` removes a header. */
function mergeHeaders(
  ...sources: (Readonly<Record<string, string | null | undefined>> | undefined)[]
): Record<string, string> {
  const merged: Record<string, string> = {};
  for (const source of sources)
    for (const [name, value] of Object.entries(source ?? {})) {
      if (value === null) delete merged[name.toLowerCase()];
      else if (value !== undefined) merged[name.toLowerCase()] = value;
    }
  return merged;
}

function deadline(request: RequestOptions): AbortSignal | undefined {
  if (request.timeout === undefined) return request.signal;
  const timeout = AbortSignal.timeout(request.timeout);
  return request.signal === undefined ? timeout : AbortSignal.any([request.signal, timeout]);
}
