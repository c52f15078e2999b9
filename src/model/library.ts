/** The protocol modules of the model library, loaded when first used. */
import type { AssistantMessageEventStream, Model, SimpleStreamOptions, TranscriptContext } from '@earendil-works/pi-ai';
import type { LibraryApi } from './endpoint.ts';

export interface ProtocolModule {
  streamSimple(
    model: Model<LibraryApi>,
    context: TranscriptContext,
    options: SimpleStreamOptions,
  ): AssistantMessageEventStream;
}

export type LoadProtocol = (api: LibraryApi) => Promise<ProtocolModule>;

const CORE = {
  'openai-completions': 'openaiCompletions',
  'openai-responses': 'openaiResponses',
  'anthropic-messages': 'anthropicMessages',
} as const;

/** Each module types its own protocol; the client talks to all of them in the one shape they share. */
export const loadProtocol: LoadProtocol = async (api) => {
  if (api in CORE) return (await import('./library-core.ts'))[CORE[api as keyof typeof CORE]] as ProtocolModule;
  const { REST } = await import('./library-rest.ts');
  return (await REST[api]?.()) as ProtocolModule;
};
