import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { assistant, call, newSession, temporaryStore, toolResult, user } from '../../test/support/state-store.ts';
import type { SearchFilter } from './session-store.ts';
import type { SqliteSessionStore } from './sqlite-store.ts';

async function storeWith(...texts: string[]): Promise<SqliteSessionStore> {
  const store = await temporaryStore();
  await store.create(
    newSession('s1'),
    texts.map((text, index) => ({ message: user(text, 1000 + index) })),
  );
  return store;
}

async function found(store: SqliteSessionStore, query: string, filter: SearchFilter = {}): Promise<string[]> {
  const hits = await store.search(query, { limit: 50, ...filter });
  const rows = await store.transcript('s1');
  return hits.map((hit) => String(rows.find((row) => row.rowId === hit.rowId)?.message.content));
}

describe('message search', () => {
  it('KF-011: finds part of a Japanese sentence', async () => {
    const text = '来週の在庫調整会議は中止です';
    const store = await storeWith(text, '別の話');
    expect(await found(store, '在庫調整')).toEqual([text]);
  });

  it('KF-012: finds every message with a two-character word', async () => {
    const texts = Array.from({ length: 12 }, (_, index) => `${index}番目の請求書です`);
    const store = await storeWith(...texts, '無関係');
    expect((await found(store, '請求')).sort()).toEqual(texts.sort());
  });

  it('KF-012: finds any of several short words', async () => {
    const store = await storeWith('請求の件', '会議の件', '天気');
    expect((await found(store, '請求 会議')).sort()).toEqual(['会議の件', '請求の件']);
  });

  it('KF-013: finds Latin letters glued to Japanese', async () => {
    const text = 'この修正kintoneサーバー側です';
    const store = await storeWith(text);
    expect(await found(store, 'kintone')).toEqual([text]);
  });

  it.each(["it's", 'src/main.ts', 'ops@example.com', '50%', '#42', 'a,b', 'C++'])('KF-014: finds %s', async (term) => {
    const text = `We spoke about ${term} yesterday`;
    const store = await storeWith('nothing of the kind', text);
    expect(await found(store, term)).toEqual([text]);
  });

  it('KF-015: a joined word is one word', async () => {
    const store = await storeWith('stopped retry-queue', 'v2.10.3 released', 'the queue will retry', 'v2 has 10 or 3');
    expect(await found(store, 'retry-queue')).toEqual(['stopped retry-queue']);
    expect(await found(store, 'v2.10.3')).toEqual(['v2.10.3 released']);
  });

  it('KF-016: unfinished queries do not throw', async () => {
    const store = await storeWith('we deploy today');
    expect(await found(store, 'deploy AND')).toEqual(await found(store, 'deploy'));
    expect(await found(store, 'deploy AND')).toHaveLength(1);
    expect(await store.search('(')).toEqual([]);
    expect(await store.search('')).toEqual([]);
  });

  it('KF-017: a percent sign is a percent sign', async () => {
    const store = await storeWith('売上100%達成', '売上100点達成');
    expect(await found(store, '100%達成')).toEqual(['売上100%達成']);
  });

  it('KF-018: the role filter comes before the limit', async () => {
    const store = await temporaryStore();
    await store.create(newSession('s1'), [
      { message: user('請求 一', 1) },
      { message: assistant('請求 二', [], 2) },
      { message: user('請求 三', 3) },
      { message: assistant('請求 四', [], 4) },
      { message: assistant('請求 五', [], 5) },
    ]);
    const hits = await store.search('請求', { roles: ['user'], limit: 1 });
    expect(hits.map((hit) => hit.role)).toEqual(['user']);
  });

  it('searches tool output whole, with the meaning of the operators', async () => {
    const store = await temporaryStore();
    await store.create(newSession('s1'), [
      { message: assistant('', [call('a'), call('b')]) },
      { message: toolResult('a', `${'x'.repeat(20_000)} needle here`) },
      { message: toolResult('b', 'another needle with hay') },
    ]);
    const ids = async (query: string): Promise<number> => (await store.search(query, { roles: ['tool'] })).length;
    expect(await ids('needle')).toBe(2);
    expect(await ids('needle AND hay')).toBe(1);
    expect(await ids('needle NOT hay')).toBe(1);
    expect(await ids('nothing OR hay')).toBe(1);
  });

  it('marks what matched, in every route', async () => {
    const store = await storeWith('the deploy failed', '在庫調整会議', '請求の件');
    for (const [query, marked] of [
      ['deploy', '>>>deploy<<<'],
      ['在庫調整', '>>>在庫調整<<<'],
      ['請求', '>>>請求<<<'],
    ] as const) {
      expect((await store.search(query))[0]?.snippet).toContain(marked);
    }
  });

  it('leaves out hidden and undone messages, and keeps compacted ones', async () => {
    const store = await temporaryStore();
    await store.create(newSession('s1'), [
      { message: user('zebra one') },
      { message: user('zebra two'), displayKind: 'hidden' },
    ]);
    const [undone] = await store.append('s1', [{ message: user('zebra three') }]);
    await store.rewind('s1', undone!);
    expect((await store.search('zebra')).map((hit) => hit.snippet)).toEqual(['>>>zebra<<< one']);
  });

  it('filters by source and sorts by time', async () => {
    const store = await temporaryStore();
    await store.create(newSession('old'), [{ message: user('okapi', 1000) }]);
    await store.create(newSession('new', { source: 'telegram' }), [{ message: user('okapi', 2000) }]);
    const sessions = async (filter: SearchFilter): Promise<string[]> =>
      (await store.search('okapi', filter)).map((hit) => hit.sessionId);
    expect(await sessions({ sort: 'newest' })).toEqual(['new', 'old']);
    expect(await sessions({ sort: 'oldest' })).toEqual(['old', 'new']);
    expect(await sessions({ sources: ['telegram'] })).toEqual(['new']);
    expect(await sessions({ excludeSources: ['telegram'] })).toEqual(['old']);
  });

  it('pages through hits without repeating one', async () => {
    const store = await storeWith(...Array.from({ length: 7 }, (_, index) => `gnu ${index}`));
    const pages = await Promise.all([0, 3, 6].map((offset) => found(store, 'gnu', { limit: 3, offset })));
    expect(new Set(pages.flat()).size).toBe(7);
    expect(pages.map((page) => page.length)).toEqual([3, 3, 1]);
  });
});

describe('any string as a query', () => {
  let store: SqliteSessionStore;
  beforeAll(async () => {
    const { openSessionStore } = await import('./sqlite-store.ts');
    const { mkdtempSync } = await import('node:fs');
    const { tmpdir } = await import('node:os');
    store = await openSessionStore({ path: `${mkdtempSync(`${tmpdir()}/hermes-state-`)}/state.db` });
    await store.create(newSession('s1'), [{ message: user('some text 請求 here') }]);
    return () => store.close();
  });

  it('is answered, never an error', async () => {
    const unit = fc.constantFrom(
      '"',
      '*',
      '(',
      'AND',
      'OR',
      'NOT',
      ' ',
      '-',
      '%',
      '_',
      '\\',
      'a',
      '請求',
      '\0',
      '\ud83d',
      '🚀',
    );
    const roles = fc.constantFrom(undefined, ['tool' as const], ['user' as const]);
    await fc.assert(
      fc.asyncProperty(
        fc.oneof(fc.string({ unit, maxLength: 30 }), fc.string({ unit: 'binary' })),
        roles,
        async (query, wanted) => {
          expect(Array.isArray(await store.search(query, { roles: wanted }))).toBe(true);
        },
      ),
      { numRuns: 200 },
    );
  });

  it('may be very long', async () => {
    expect(Array.isArray(await store.search('請求 word '.repeat(20_000), { roles: ['tool'] }))).toBe(true);
  });
});
