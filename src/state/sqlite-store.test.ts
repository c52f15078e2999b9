import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, it } from 'vitest';
import {
  assistant,
  call,
  newSession,
  temporaryFolder,
  temporaryStore,
  toolResult,
  user,
} from '../../test/support/state-store.ts';
import { newSessionId } from './session-id.ts';

function roles(messages: readonly { message: { role: string } }[]): string[] {
  return messages.map(({ message }) => message.role);
}

describe('sessions', () => {
  it('are created once, with their first messages', async () => {
    const store = await temporaryStore();
    const session = newSession('s1', {
      baseUrl: 'http://127.0.0.1:1',
      modelConfig: { temperature: 1 },
      title: 'First',
      userId: 'u1',
    });
    const ids = await store.create(session, [{ message: user('hello') }]);
    expect(await store.create(newSession('s1', { model: 'other' }), [{ message: user('again') }])).toEqual([]);
    const { row, messages } = await store.load('s1');
    expect(row).toMatchObject({ ...session, messageCount: 1, preview: 'hello' });
    expect(messages.map((message) => message.rowId)).toEqual(ids);
  });

  it('count messages and tool calls', async () => {
    const store = await temporaryStore();
    await store.create(newSession('s1'));
    await store.append('s1', [{ message: assistant('', [call('a'), call('b')]) }, { message: toolResult('a', 'A') }]);
    expect(await store.get('s1')).toMatchObject({ messageCount: 2, toolCallCount: 2 });
  });

  it('keep the first end reason until they are reopened', async () => {
    const store = await temporaryStore();
    await store.create(newSession('s1'));
    await store.end('s1', 'user_exit');
    await store.end('s1', 'idle');
    expect(await store.get('s1')).toMatchObject({ endReason: 'user_exit' });
    await store.reopen('s1');
    expect((await store.get('s1'))?.endedAt).toBeUndefined();
    await store.end('s1', 'idle');
    expect(await store.get('s1')).toMatchObject({ endReason: 'idle' });
  });

  it('change their model', async () => {
    const store = await temporaryStore();
    await store.create(newSession('s1'));
    await store.setModel('s1', 'bigger', 'elsewhere', 'http://127.0.0.1:2');
    expect(await store.get('s1')).toMatchObject({
      model: 'bigger',
      provider: 'elsewhere',
      baseUrl: 'http://127.0.0.1:2',
    });
  });

  it('take their subagents with them when deleted, and leave their other children', async () => {
    const store = await temporaryStore();
    await store.create(newSession('p'), [{ message: user('needle') }]);
    await store.create(newSession('agent', { source: 'subagent', parentId: 'p' }), [{ message: user('needle') }]);
    await store.create(newSession('branch', { parentId: 'p', modelConfig: { _branched_from: 'p' } }), [
      { message: user('needle') },
    ]);
    await store.delete('p');
    expect(await store.get('p')).toBeUndefined();
    expect(await store.get('agent')).toBeUndefined();
    expect((await store.get('branch'))?.parentId).toBeUndefined();
    expect((await store.search('needle')).map((hit) => hit.sessionId)).toEqual(['branch']);
  });

  it('have ids that say when they began', () => {
    expect(newSessionId(new Date(2026, 2, 4, 5, 6, 7))).toMatch(/^20260304_050607_[0-9a-f]{6}$/);
    expect(newSessionId(new Date(), 8)).toMatch(/_[0-9a-f]{8}$/);
  });
});

describe('messages', () => {
  it('come back as they were said, with what was sent and shown beside them', async () => {
    const store = await temporaryStore();
    await store.create(newSession('s1'));
    const stored = [
      {
        message: user('question', 1_700_000_000_123),
        apiContent: 'question\n<recalled>',
        displayText: '/ask question',
      },
      { message: user('scaffolding'), displayKind: 'hidden' },
      { message: user('summary of before'), isSummary: true },
      { message: assistant('answer', [call('a')]) },
      { message: toolResult('a', 'result') },
    ];
    await store.append('s1', stored);
    const { messages } = await store.load('s1');
    expect(messages.map(({ rowId: _rowId, ...rest }) => rest)).toEqual(stored);
  });

  it('cannot be added to a session that does not exist', async () => {
    const store = await temporaryStore();
    await expect(store.append('nowhere', [{ message: user('x') }])).rejects.toMatchObject({
      code: 'session-not-found',
    });
    await expect(store.load('nowhere')).rejects.toMatchObject({ code: 'session-not-found' });
  });

  it('KF-027: keep finished calls, and say of an open one that it was interrupted, once', async () => {
    const path = join(temporaryFolder(), 'state.db');
    const store = await temporaryStore(path);
    await store.create(newSession('s1'), [{ message: user('do four things') }]);
    await store.append('s1', [
      {
        message: assistant(
          '',
          ['a', 'b', 'c', 'd'].map((id) => call(id)),
        ),
      },
    ]);
    for (const id of ['a', 'b', 'c']) await store.append('s1', [{ message: toolResult(id, `result ${id}`) }]);
    const other = await temporaryStore(path);
    const { messages } = await other.load('s1');
    expect(
      messages.flatMap(({ message }) => (message.role === 'toolResult' ? [[message.toolCallId, message.isError]] : [])),
    ).toEqual([
      ['a', false],
      ['b', false],
      ['c', false],
      ['d', true],
    ]);
    expect((await store.load('s1')).messages).toEqual(messages);
    expect((await store.transcript('s1')).length).toBe(messages.length);
  });

  it('are not written to when only looked at', async () => {
    const store = await temporaryStore();
    await store.create(newSession('s1'), [{ message: assistant('', [call('a')]) }]);
    expect(roles((await store.load('s1', { readOnly: true })).messages)).toEqual(['assistant', 'toolResult']);
    expect(roles(await store.transcript('s1'))).toEqual(['assistant']);
  });

  it('KF-031: load without a result that has no call', async () => {
    const store = await temporaryStore();
    await store.create(newSession('a'), [{ message: toolResult('ghost', 'lost') }, { message: user('hello') }]);
    expect(roles((await store.load('a')).messages)).toEqual(['user']);
  });

  it('are hidden from a row on by undo, for good', async () => {
    const store = await temporaryStore();
    const [, second] = await store.create(newSession('s1'), [
      { message: user('one') },
      { message: user('two') },
      { message: assistant('', [call('a')]) },
    ]);
    await store.rewind('s1', second!);
    await store.append('s1', [{ message: user('three') }]);
    expect((await store.load('s1')).messages.map(({ message }) => message.content)).toEqual(['one', 'three']);
    expect((await store.transcript('s1')).map(({ message }) => message.content)).toEqual(['one', 'three']);
    expect(await store.get('s1')).toMatchObject({ messageCount: 2, toolCallCount: 0 });
  });

  it('archived by in-place compression are read and found, but not live', async () => {
    const path = join(temporaryFolder(), 'state.db');
    const store = await temporaryStore(path);
    const [first] = await store.create(newSession('s1'), [{ message: user('old badger') }, { message: user('now') }]);
    const db = new DatabaseSync(path);
    db.prepare('UPDATE messages SET active = 0, compacted = 1 WHERE id = ?').run(first!);
    db.close();
    expect((await store.load('s1')).messages.map(({ message }) => message.content)).toEqual(['now']);
    expect(await store.transcript('s1')).toHaveLength(2);
    expect(await store.search('badger')).toHaveLength(1);
  });

  it('are read around a row of their session', async () => {
    const store = await temporaryStore();
    const ids = await store.create(
      newSession('s1'),
      Array.from({ length: 9 }, (_, index) => ({ message: user(`m${index}`) })),
    );
    await store.create(newSession('s2'), [{ message: user('elsewhere') }]);
    const middle = await store.around('s1', ids[4]!, 2);
    expect(middle.messages.map(({ message }) => message.content)).toEqual(['m2', 'm3', 'm4', 'm5', 'm6']);
    expect([middle.before, middle.after]).toEqual([2, 2]);
    const start = await store.around('s1', ids[1]!, 3);
    expect([start.before, start.after]).toEqual([1, 3]);
    await expect(store.around('s2', ids[0]!, 3)).rejects.toMatchObject({ code: 'message-not-found' });
  });

  it('are read at the ends, none of them twice', async () => {
    const store = await temporaryStore();
    await store.create(
      newSession('s1'),
      Array.from({ length: 5 }, (_, index) => ({ message: user(`m${index}`) })),
    );
    await store.append('s1', [{ message: user('scaffolding'), displayKind: 'hidden' }]);
    const ends = await store.ends('s1', 3, 3);
    expect(ends.first.map(({ message }) => message.content)).toEqual(['m0', 'm1', 'm2']);
    expect(ends.last.map(({ message }) => message.content)).toEqual(['m3', 'm4']);
    expect(ends.total).toBe(5);
  });
});

describe('usage', () => {
  const delta = {
    inputTokens: 10,
    outputTokens: 5,
    cacheReadTokens: 2,
    cacheWriteTokens: 1,
    reasoningTokens: 3,
    apiCalls: 1,
    model: 'm',
    provider: 'p',
  };

  it('adds up, per session and per model and task', async () => {
    const path = join(temporaryFolder(), 'state.db');
    const store = await temporaryStore(path);
    await store.create(newSession('s1'));
    await store.addUsage('s1', { ...delta, costUsd: 0.5 });
    await store.addUsage('s1', { ...delta, costUsd: 0.25 });
    await store.addUsage('s1', { ...delta, task: 'compression', costUsd: 0.25 });
    expect((await store.get('s1'))?.usage).toEqual({
      inputTokens: 30,
      outputTokens: 15,
      cacheReadTokens: 6,
      cacheWriteTokens: 3,
      reasoningTokens: 9,
      apiCalls: 3,
      costUsd: 1,
      costStatus: 'estimated',
    });
    const db = new DatabaseSync(path);
    const perModel = db
      .prepare(
        'SELECT task, api_call_count AS calls, estimated_cost_usd AS cost FROM session_model_usage ORDER BY task',
      )
      .all();
    db.close();
    expect(perModel.map((row) => ({ ...row }))).toEqual([
      { task: '', calls: 2, cost: 0.75 },
      { task: 'compression', calls: 1, cost: 0.25 },
    ]);
  });

  it('of unknown cost is not free', async () => {
    const store = await temporaryStore();
    await store.create(newSession('s1'));
    await store.addUsage('s1', delta);
    const usage = (await store.get('s1'))?.usage;
    expect(usage).toMatchObject({ costStatus: 'unknown' });
    expect(usage?.costUsd).toBeUndefined();
    await store.addUsage('s1', { ...delta, costUsd: 1, costStatus: 'actual' });
    expect((await store.get('s1'))?.usage).toMatchObject({ costUsd: 1, costStatus: 'unknown' });
  });

  it('does not change the provider the session was begun with', async () => {
    const store = await temporaryStore();
    await store.create(newSession('s1'));
    await store.addUsage('s1', { ...delta, provider: 'auxiliary' });
    expect(await store.get('s1')).toMatchObject({ provider: 'test-provider', model: 'test-model' });
  });
});
