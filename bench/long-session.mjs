// A stored conversation of a given length, written through the product's own store.
import { openSessionStore } from '../src/state/sqlite-store.ts';

/** @returns the session's id */
export async function writeLongSession(database, messages, cwd) {
  const store = await openSessionStore({ path: database });
  const id = '20260101_000000_abcdef';
  const at = Date.now() - 1000 * messages;
  const list = Array.from({ length: messages }, (_, index) => ({
    message:
      index % 2 === 0
        ? {
            role: 'user',
            content: `Question ${index}: what does part ${index} of the report say?`,
            timestamp: at + index,
          }
        : {
            role: 'assistant',
            content: [{ type: 'text', text: `Answer ${index}: it says that everything is in order. `.repeat(4) }],
            api: 'openai-completions',
            provider: 'custom',
            model: 'mock-model',
            usage: {
              input: 10,
              output: 10,
              cacheRead: 0,
              cacheWrite: 0,
              totalTokens: 20,
              cost: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, total: 0 },
            },
            stopReason: 'stop',
            timestamp: at + index,
          },
  }));
  await store.create(
    {
      id,
      source: 'cli',
      model: 'mock-model',
      provider: 'custom',
      systemPrompt: 'You are a helpful agent.',
      toolNames: [],
      cwd,
      profile: 'default',
    },
    list,
  );
  await store.close();
  return id;
}
