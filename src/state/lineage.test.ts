import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, it } from 'vitest';
import { newSession, temporaryFolder, temporaryStore, user } from '../../test/support/state-store.ts';
import type { ListFilter } from './session-store.ts';
import type { SqliteSessionStore } from './sqlite-store.ts';

async function compress(store: SqliteSessionStore, from: string, to: string): Promise<void> {
  await store.create(
    newSession(to, { parentId: from }),
    [{ message: user(`summary of ${from}`), isSummary: true }, { message: user(`tail of ${from}`) }],
    {
      endParent: 'compression',
    },
  );
}

async function listed(store: SqliteSessionStore, filter: ListFilter = {}): Promise<string[]> {
  return (await store.list(filter)).map((row) => row.id).sort();
}

describe('lineage', () => {
  it('follows compression to the live end, and back to the root', async () => {
    const store = await temporaryStore();
    await store.create(newSession('a'), [{ message: user('first') }]);
    await compress(store, 'a', 'b');
    await compress(store, 'b', 'c');
    for (const id of ['a', 'b', 'c']) {
      expect(await store.tip(id)).toBe('c');
      expect(await store.root(id)).toBe('a');
    }
    expect(await store.get('a')).toMatchObject({ endReason: 'compression' });
    expect(await listed(store)).toEqual(['c']);
    expect(await listed(store, { all: true })).toEqual(['a', 'b', 'c']);
    expect((await store.list())[0]?.preview).toBe('tail of b');
  });

  it('KF-026: goes on from a parent whose child was never written', async () => {
    const store = await temporaryStore();
    await store.create(newSession('a'), [{ message: user('first') }]);
    await store.end('a', 'compression');
    expect(await store.tip('a')).toBe('a');
    await store.append('a', [{ message: user('second') }]);
    expect((await store.load('a')).messages).toHaveLength(2);
    expect(await listed(store)).toEqual(['a']);
  });

  it('KF-025: a compressed chat stays the same chat', async () => {
    const path = join(temporaryFolder(), 'state.db');
    const store = await temporaryStore(path);
    await store.create(newSession('a', { source: 'telegram', userId: '501' }), [{ message: user('hi') }]);
    const db = new DatabaseSync(path);
    db.exec("UPDATE sessions SET chat_id = '9', thread_id = '77', session_key = 'telegram:9:77', chat_type = 'group'");
    await store.create(newSession('b', { source: 'telegram', parentId: 'a' }), [{ message: user('hi again') }], {
      endParent: 'compression',
    });
    const child = db
      .prepare("SELECT source, user_id, chat_id, thread_id, session_key, chat_type FROM sessions WHERE id = 'b'")
      .get();
    db.close();
    expect({ ...child }).toEqual({
      source: 'telegram',
      user_id: '501',
      chat_id: '9',
      thread_id: '77',
      session_key: 'telegram:9:77',
      chat_type: 'group',
    });
  });

  it('does not take a branch, a reset or a subagent for the continuation', async () => {
    const store = await temporaryStore();
    await store.create(newSession('a'), [{ message: user('first') }]);
    await store.end('a', 'compression');
    await store.create(newSession('branch', { parentId: 'a', modelConfig: { _branched_from: 'a' } }), [
      { message: user('x') },
    ]);
    await store.create(newSession('reset', { parentId: 'a', modelConfig: { _reset_from: 'a' } }), [
      { message: user('x') },
    ]);
    await store.create(
      newSession('agent', { parentId: 'a', source: 'subagent', modelConfig: { _delegate_from: 'a' } }),
      [{ message: user('x') }],
    );
    expect(await store.tip('a')).toBe('a');
    expect(await listed(store)).toEqual(['a', 'branch', 'reset']);
  });

  it('believes a marker only when it names the direct parent', async () => {
    const store = await temporaryStore();
    await store.create(newSession('a'), [{ message: user('x') }]);
    await store.create(
      newSession('branch', { parentId: 'a', modelConfig: { _branched_from: 'a' } }),
      [{ message: user('x') }],
      { endParent: 'branched' },
    );
    await store.create(
      newSession('next', { parentId: 'branch', modelConfig: { _branched_from: 'a' } }),
      [{ message: user('x') }],
      { endParent: 'compression' },
    );
    expect(await store.tip('branch')).toBe('next');
    expect(await listed(store)).toEqual(['a', 'next']);
  });

  it('ends at a cycle', async () => {
    const path = join(temporaryFolder(), 'state.db');
    const store = await temporaryStore(path);
    await store.create(newSession('a'));
    await store.create(newSession('b', { parentId: 'a' }));
    const db = new DatabaseSync(path);
    db.exec(
      "UPDATE sessions SET end_reason = 'compression', ended_at = started_at; UPDATE sessions SET parent_session_id = 'b' WHERE id = 'a'",
    );
    db.close();
    expect(['a', 'b']).toContain(await store.tip('a'));
    expect(['a', 'b']).toContain(await store.root('a'));
  });
});

describe('finding a session by what a person calls it', () => {
  it('takes an id, a unique prefix, a title, and the newest of a title family', async () => {
    const store = await temporaryStore();
    await store.create(newSession('20260101_000000_aaaaaa', { title: 'Plans' }));
    await store.create(newSession('20260102_000000_bbbbbb', { title: 'Plans #2' }));
    await store.create(newSession('20260102_000000_bbbbbc', { title: 'Plans #twice' }));
    expect(await store.resolve('20260101_000000_aaaaaa')).toBe('20260101_000000_aaaaaa');
    expect(await store.resolve('20260101')).toBe('20260101_000000_aaaaaa');
    expect(await store.resolve('plans')).toBe('20260102_000000_bbbbbb');
    expect(await store.resolve('Plans #2')).toBe('20260102_000000_bbbbbb');
    await expect(store.resolve('20260102')).rejects.toMatchObject({ code: 'session-ambiguous' });
    for (const reference of ['nothing', '', '%', '_']) {
      await expect(store.resolve(reference)).rejects.toMatchObject({ code: 'session-not-found' });
    }
  });

  it('finds titles by part', async () => {
    const store = await temporaryStore();
    await store.create(newSession('a', { title: 'Weekly report' }));
    await store.create(newSession('b', { title: 'Report' }));
    expect((await store.findTitled('report')).map((row) => row.id)).toEqual(['b', 'a']);
    expect(await store.findTitled('100%')).toEqual([]);
  });
});

describe('the list', () => {
  it('is newest activity first, and filtered', async () => {
    const store = await temporaryStore();
    await store.create(newSession('a', { cwd: '/one' }), [{ message: user('x') }]);
    await store.create(newSession('b', { cwd: '/two', source: 'telegram' }), [{ message: user('x') }]);
    await store.append('a', [{ message: user('later', Date.now() + 60_000) }]);
    expect((await store.list()).map((row) => row.id)).toEqual(['a', 'b']);
    expect(await listed(store, { cwd: '/two' })).toEqual(['b']);
    expect(await listed(store, { sources: ['telegram'] })).toEqual(['b']);
    expect(await listed(store, { excludeSources: ['telegram'] })).toEqual(['a']);
    expect((await store.list({ limit: 1, offset: 1 })).map((row) => row.id)).toEqual(['b']);
    expect((await store.latest({}))?.id).toBe('a');
    expect((await store.latest({ sources: ['telegram'] }))?.id).toBe('b');
  });

  it('continues no session that is empty or that nobody sat in front of', async () => {
    const store = await temporaryStore();
    await store.create(newSession('mine'), [{ message: user('x') }]);
    await store.create(newSession('job', { source: 'cron' }), [{ message: user('x') }]);
    await store.create(newSession('empty'));
    expect((await store.latest({}))?.id).toBe('mine');
    expect(await (await temporaryStore()).latest({})).toBeUndefined();
  });

  it('previews the first thing a person said, on one short line', async () => {
    const store = await temporaryStore();
    const preview = async (id: string): Promise<string | undefined> => (await store.get(id))?.preview;
    await store.create(newSession('a'), [
      { message: user('scaffolding'), displayKind: 'hidden' },
      { message: user('summary'), isSummary: true },
      { message: user(`line one\nline two ${'😀'.repeat(80)}`) },
    ]);
    expect(await preview('a')).toMatch(/^line one line two 😀+\.\.\.$/u);
    expect([...((await preview('a')) ?? '')]).toHaveLength(63);
    await store.create(newSession('b'), [{ message: user('the body of a skill'), displayText: '/review — this file' }]);
    expect(await preview('b')).toBe('/review — this file');
    await store.create(newSession('c'), [
      {
        message: {
          role: 'user',
          content: [
            { type: 'image', data: 'AA==', mimeType: 'image/png' },
            { type: 'text', text: 'look' },
          ],
          timestamp: 1,
        },
      },
    ]);
    expect(await preview('c')).toBe('[image] look');
  });
});
