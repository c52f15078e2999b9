/** The protocol modules of the model library, each loaded when first used. */
import type { AssistantMessageEventStream, Model, SimpleStreamOptions, TranscriptContext } from '@earendil-works/pi-ai';
import type { LibraryApi } from './endpoint.ts';

export interface ProtocolModule {
  streamSimple(
    model: Model<LibraryApi>,
    context: TranscriptContext,
    options: SimpleStreamOptions,
  ): AssistantMessageEventStream;
}

const LOADERS: Readonly<Record<LibraryApi, () => Promise<unknown>>> = {
  'openai-completions': () => import('@earendil-works/pi-ai/api/openai-completions'),
  'openai-responses': () => import('@earendil-works/pi-ai/api/openai-responses'),
  'openai-codex-responses': () => import('@earendil-works/pi-ai/api/openai-codex-responses'),
  'anthropic-messages': () => import('@earendil-works/pi-ai/api/anthropic-messages'),
  'google-generative-ai': () => import('@earendil-works/pi-ai/api/google-generative-ai'),
  'mistral-conversations': () => import('@earendil-works/pi-ai/api/mistral-conversations'),
  'bedrock-converse-stream': () => import('@earendil-works/pi-ai/api/bedrock-converse-stream'),
};

export type LoadProtocol = (api: LibraryApi) => Promise<ProtocolModule>;

/** Each module types its own protocol; the client talks to all of them in the one shape they share. */
export const loadProtocol: LoadProtocol = async (api) => (await LOADERS[api]()) as ProtocolModule;
