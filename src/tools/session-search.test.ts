import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import type { ChatMessage } from '../contracts/message.ts';
import { openSessionStore } from '../state/sqlite-store.ts';
import { createToolRegistry } from './registry.ts';
import { sessionSearchTool } from './session-search.ts';
import { testContext } from './testing/context.ts';

const closers: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0)) await close();
});

const user = (text: string, timestamp = 1_000): ChatMessage => ({
  role: 'user',
  content: [{ type: 'text', text }],
  timestamp,
});

async function setUp() {
  const dir = mkdtempSync(join(tmpdir(), 'session-search-'));
  const store = await openSessionStore({ path: join(dir, 'state.db') });
  closers.push(() => store.close());
  const registry = createToolRegistry({ tools: [sessionSearchTool({ store, timeZone: 'UTC' })], spillDir: dir });
  return {
    store,
    async session(
      id: string,
      texts: readonly string[],
      more: { parentId?: string; source?: string; title?: string } = {},
    ) {
      return store.create(
        {
          id,
          source: 'cli',
          model: 'm',
          provider: 'p',
          systemPrompt: '',
          toolNames: [],
          cwd: '/',
          profile: 'default',
          ...more,
        },
        texts.map((text, index) => ({ message: user(text, 1_000 + index) })),
      );
    },
    async call(args: object, sessionId = 'current') {
      const prepared = registry.prepare({ id: '1', name: 'session_search', args }, testContext({ sessionId }));
      const { result } = await registry.execute(prepared);
      const [block] = result.content;
      return JSON.parse(block?.type === 'text' ? block.text : '');
    },
  };
}

const texts = (count: number, word: string) => Array.from({ length: count }, (_, index) => `${word} number ${index}`);

describe('session_search', () => {
  it('finds one place per conversation, with what stands around it and its ends', async () => {
    const { session, call } = await setUp();
    await session('current', ['now']);
    const lines = texts(40, 'filler');
    lines[20] = 'the zebra crossed';
    const ids = await session('long', lines);
    await session('short', ['a zebra too']);
    const found = await call({ query: 'zebra', detail: 'full' });
    expect(found).toMatchObject({ success: true, mode: 'discover', query: 'zebra', count: 2, sessions_searched: 2 });
    const long = found.results.find((one: { session_id: string }) => one.session_id === 'long');
    expect(long).toMatchObject({
      match_message_id: ids[20],
      matched_role: 'user',
      snippet: expect.stringContaining('>>>zebra<<<'),
      messages_before: 5,
      messages_after: 5,
      link: '@session:default/long',
    });
    const numbers = (messages: { id: number }[]) => messages.map(({ id }) => id - ids[0]!);
    expect(numbers(long.bookend_start)).toEqual([0, 1, 2]);
    expect(numbers(long.messages)).toEqual([15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25]);
    expect(numbers(long.bookend_end)).toEqual([37, 38, 39]);
    expect(long.messages.filter((one: { anchor?: boolean }) => one.anchor)).toHaveLength(1);
    expect(long.when).toMatch(/^\w+ \d+, \d{4} at \d{2}:\d{2} [AP]M$/);
  });

  it('keeps a conversation once although it was compressed, and leaves out what is before the model', async () => {
    const { store, session, call } = await setUp();
    await session('root', ['old zebra']);
    await store.end('root', 'compression');
    await session('child', ['new zebra'], { parentId: 'root' });
    expect((await call({ query: 'zebra' }, 'elsewhere-unknown')).count).toBe(1);
    const own = await call({ query: 'zebra' }, 'child');
    expect(own.results.map((one: { session_id: string }) => one.session_id)).toEqual(['root']);
    await session('branch', ['branch zebra']);
    await store.end('branch', 'branched');
    await session('twig', ['other'], { parentId: 'branch' });
    const twig = await call({ query: 'branch' }, 'twig');
    expect(twig.count).toBe(0);
  });

  it('puts scheduled runs last and a title first', async () => {
    const { session, store, call } = await setUp();
    await session('job', ['zebra zebra zebra'], { source: 'cron' });
    await session('talk', ['one zebra']);
    expect((await call({ query: 'zebra' })).results.map((one: { session_id: string }) => one.session_id)).toEqual([
      'talk',
      'job',
    ]);
    await session('named', ['nothing']);
    await store.setTitle('named', 'Zebra plans', 'user');
    const [first] = (await call({ query: '"zebra plans"' })).results;
    expect(first).toMatchObject({
      session_id: 'named',
      matched_role: 'session_title',
      snippet: expect.stringContaining('Zebra plans'),
    });
  });

  it('answers a search without hits, and nonsense, with success and none', async () => {
    const { session, call } = await setUp();
    await session('a', ['hello']);
    for (const query of ['zebra', '"', 'AND OR', '***'])
      expect(await call({ query })).toMatchObject({ success: true, count: 0 });
  });

  it('scrolls around a message, also through the lineage, and says where it cannot', async () => {
    const { store, session, call } = await setUp();
    const ids = await session('root', texts(20, 'row'));
    await store.end('root', 'compression');
    await session('child', ['tip'], { parentId: 'root' });
    await session('current', ['here']);
    const view = await call({ session_id: 'root', around_message_id: ids[1], window: 3 });
    expect(view).toMatchObject({ mode: 'scroll', messages_before: 1, messages_after: 3, window: 3 });
    expect(view.messages.map(({ id }: { id: number }) => id)).toEqual(ids.slice(0, 5));
    expect(await call({ session_id: 'child', around_message_id: ids[1] })).toMatchObject({
      session_id: 'root',
      warning: expect.stringContaining('root'),
    });
    expect(await call({ session_id: 'child', around_message_id: 999_999 })).toMatchObject({ success: false });
    expect(await call({ session_id: 'nobody', around_message_id: 1 })).toMatchObject({ success: false });
    const [own] = await session('mine', ['mine']);
    expect(await call({ session_id: 'mine', around_message_id: own }, 'mine')).toMatchObject({ success: false });
  });

  it('reads a short session whole and a long one at both ends, by link too', async () => {
    const { session, call } = await setUp();
    await session('short', texts(5, 'row'));
    await session('long', texts(50, 'row'));
    expect(await call({ session_id: '@session:default/short' })).toMatchObject({
      mode: 'read',
      truncated: false,
      message_count: 5,
    });
    const long = await call({ session_id: 'long' });
    expect(long).toMatchObject({ truncated: true, message_count: 50 });
    expect(long.messages).toHaveLength(30);
  });

  it('lists the newest without the running conversation, and takes unusable numbers for defaults', async () => {
    const { session, call } = await setUp();
    for (const id of ['a', 'b', 'current']) await session(id, [`in ${id}`]);
    const { results } = await call({ limit: 'many', window: null, sort: 'sideways' });
    expect(results.map((one: { session_id: string }) => one.session_id).sort()).toEqual(['a', 'b']);
    expect(results[0]).toMatchObject({ preview: expect.stringContaining('in '), message_count: 1, source: 'cli' });
  });

  it('cuts long texts and says so, and strips terminal colours', async () => {
    const { session, call } = await setUp();
    await session('a', [`\u001b[31mzebra\u001b[0m ${'x'.repeat(6_000)}`]);
    const [{ messages }] = (await call({ query: 'zebra' })).results;
    expect(messages[0]).toMatchObject({ content_truncated: true, original_content_chars: 6_006 });
    expect(messages[0].content).toMatch(/^zebra x/);
  });
});
