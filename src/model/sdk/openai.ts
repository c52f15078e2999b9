/** Stands in for the `openai` package in the shipped build: streamed chat completions and Responses. */
import type { HttpHeaders, HttpResponse } from '../http/http-response.ts';
import { APIError, type ClientOptions, post, type RequestOptions } from './api-client.ts';
import { readSse } from './sse.ts';

interface Pending {
  withResponse(): Promise<{ data: AsyncIterable<unknown>; response: HttpResponse }>;
}

interface Endpoint {
  create(body: Readonly<Record<string, unknown>>, request?: RequestOptions): Pending;
}

export class OpenAI {
  static readonly APIError = APIError;
  readonly chat: { readonly completions: Endpoint };
  readonly responses: Endpoint;

  constructor(options: ClientOptions) {
    const headers = { accept: 'application/json', authorization: `Bearer ${options.apiKey ?? ''}` };
    const endpoint = (path: string): Endpoint => ({
      create: (body, request) => ({
        async withResponse() {
          const response = await post(options, path, body, headers, request);
          return { data: readChunks(response), response };
        },
      }),
    });
    this.chat = { completions: endpoint('/chat/completions') };
    this.responses = endpoint('/responses');
  }
}

async function* readChunks(response: HttpResponse): AsyncGenerator<unknown> {
  for await (const { event, data } of readSse(response.body)) {
    if (data.startsWith('[DONE]')) continue;
    const chunk = parseChunk(data, response.headers);
    const error = typeof chunk === 'object' && chunk !== null && 'error' in chunk ? chunk.error : undefined;
    const failed = (error !== undefined && error !== null) || (event === 'error' && !isTyped(chunk));
    if (failed) throw new APIError(undefined, error ?? chunk, undefined, response.headers);
    yield chunk;
  }
}

/** An `error` event of the Responses protocol is one of its own typed events. */
const isTyped = (chunk: unknown): boolean => typeof chunk === 'object' && chunk !== null && 'type' in chunk;

function parseChunk(data: string, headers: HttpHeaders): unknown {
  try {
    return JSON.parse(data);
  } catch {
    throw new APIError(
      undefined,
      undefined,
      `The stream held something that is not JSON: ${data.slice(0, 200)}`,
      headers,
    );
  }
}

// biome-ignore lint/style/noDefaultExport: the package it stands in for has one
export default OpenAI;
