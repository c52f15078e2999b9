/** The three protocols that nearly every model speaks, as one chunk of the build: many small ones load slower. */
export * as anthropicMessages from '@earendil-works/pi-ai/api/anthropic-messages';
export * as openaiCompletions from '@earendil-works/pi-ai/api/openai-completions';
export * as openaiResponses from '@earendil-works/pi-ai/api/openai-responses';
