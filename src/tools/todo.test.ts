import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createToolRegistry } from './registry.ts';
import { testContext } from './testing/context.ts';
import { createTodoState, todoTool } from './todo.ts';

function setUp() {
  const state = createTodoState();
  const registry = createToolRegistry({ tools: [todoTool(state)], spillDir: '/nowhere' });
  const call = async (args: object, sessionId = 's1') => {
    const { result } = await registry.execute(
      registry.prepare({ id: '1', name: 'todo', args }, testContext({ sessionId })),
    );
    const [block] = result.content;
    return JSON.parse(block?.type === 'text' ? block.text : '');
  };
  return { state, call };
}

describe('todo', () => {
  it('keeps a list per session, replaces or merges, and counts', async () => {
    const { call } = setUp();
    const todos = [
      { id: '1', content: 'read', status: 'completed' },
      { id: '2', content: 'write', status: 'pending' },
    ];
    expect(await call({ todos })).toEqual({
      todos,
      revision: 1,
      summary: { total: 2, pending: 1, in_progress: 0, completed: 1, cancelled: 0 },
    });
    const merged = await call({ todos: [{ id: '2', status: 'in_progress' }], merge: true });
    expect(merged.todos).toEqual([todos[0], { id: '2', content: 'write', status: 'in_progress' }]);
    expect((await call({})).revision).toBe(2);
    expect((await call({}, 'other')).todos).toEqual([]);
    expect((await call({ todos: JSON.stringify(todos.slice(1)) })).todos).toEqual(todos.slice(1));
  });

  it('mends what is odd: equal ids, unknown status, parents that are missing or in a ring', async () => {
    const { call } = setUp();
    const { todos } = await call({
      todos: [
        { id: 'a', content: 'first', status: 'done' },
        { id: 'a', content: 'last', status: 'blocked' },
        { id: 'b', content: 'x', parent: 'nobody' },
        { id: 'c', content: 'y', parent: 'd' },
        { id: 'd', content: 'z', parent: 'c' },
        { id: 'e', content: 'child', parent: 'a' },
      ],
    });
    expect(todos).toEqual([
      { id: 'a', content: 'last', status: 'pending' },
      { id: 'b', content: 'x', status: 'pending' },
      { id: 'c', content: 'y', status: 'pending' },
      { id: 'd', content: 'z', status: 'pending' },
      { id: 'e', content: 'child', status: 'pending', parent: 'a' },
    ]);
  });

  it('moves what is being worked on above what waits, and reminds of open items with their parents', async () => {
    const { state, call } = setUp();
    const flat = await call({
      todos: [
        { id: '1', status: 'pending' },
        { id: '2', status: 'in_progress' },
      ],
    });
    expect(flat.todos.map(({ id }: { id: string }) => id)).toEqual(['2', '1']);
    state.write(
      's1',
      [
        { id: 'p', content: 'all', status: 'completed' },
        { id: 'q', content: 'part', parent: 'p' },
        { id: 'r', status: 'completed' },
      ],
      false,
    );
    expect(state.reminder('s1').split('\n').slice(1)).toEqual(['[x] p: all', '[ ] q: part']);
    state.move('s1', 's2');
    expect(state.items('s2')).toEqual(state.items('s1'));
    expect(state.reminder('nobody')).toBe('');
  });

  it('keeps a list that was tidied once, and never more than it may hold', () => {
    const item = fc.record(
      {
        id: fc.constantFrom('a', 'b', 'c', 'd'),
        content: fc.string(),
        status: fc.string(),
        parent: fc.constantFrom('a', 'b', 'x'),
      },
      { requiredKeys: ['id'] },
    );
    fc.assert(
      fc.property(fc.array(item), (todos) => {
        const state = createTodoState();
        const once = state.write('s', todos, false);
        expect(state.write('s', once, false)).toEqual(once);
        expect(state.write('s', [], true)).toEqual(once);
        expect(new Set(once.map(({ id }) => id)).size).toBe(once.length);
      }),
    );
    const state = createTodoState();
    expect(
      state.write(
        's',
        Array.from({ length: 300 }, (_, index) => ({ id: String(index) })),
        false,
      ).length,
    ).toBeLessThan(300);
  });
});
