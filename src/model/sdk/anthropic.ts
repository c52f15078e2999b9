/** Stands in for the `@anthropic-ai/sdk` package in the shipped build: one POST to `/v1/messages`. */
import type { HttpResponse } from '../http/http-response.ts';
import { APIError, type ClientOptions, post, type RequestOptions } from './api-client.ts';

interface MessageBody {
  readonly betas?: readonly string[];
  readonly [key: string]: unknown;
}

interface Messages {
  create(body: MessageBody, request?: RequestOptions): { asResponse(): Promise<HttpResponse> };
}

export class Anthropic {
  static readonly APIError = APIError;
  readonly beta: { readonly messages: Messages };

  constructor(options: ClientOptions) {
    this.beta = {
      messages: {
        create: ({ betas, ...body }, request) => ({
          asResponse: () => post(options, '/v1/messages?beta=true', body, headersFor(options, betas), request),
        }),
      },
    };
  }
}

function headersFor(options: ClientOptions, betas: readonly string[] | undefined): Record<string, string> {
  return {
    'anthropic-version': '2023-06-01',
    ...(options.apiKey ? { 'x-api-key': options.apiKey } : {}),
    ...(options.authToken ? { authorization: `Bearer ${options.authToken}` } : {}),
    ...(betas?.length ? { 'anthropic-beta': betas.join(',') } : {}),
  };
}

// biome-ignore lint/style/noDefaultExport: the package it stands in for has one
export default Anthropic;
