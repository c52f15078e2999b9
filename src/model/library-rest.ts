/** The rarer protocols, each with a heavy SDK of its own. */
import type { LibraryApi } from './endpoint.ts';

export const REST: Readonly<Partial<Record<LibraryApi, () => Promise<unknown>>>> = {
  'openai-codex-responses': () => import('@earendil-works/pi-ai/api/openai-codex-responses'),
  'google-generative-ai': () => import('@earendil-works/pi-ai/api/google-generative-ai'),
  'mistral-conversations': () => import('@earendil-works/pi-ai/api/mistral-conversations'),
  'bedrock-converse-stream': () => import('@earendil-works/pi-ai/api/bedrock-converse-stream'),
};
