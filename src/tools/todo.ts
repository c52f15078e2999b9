/** `todo`: the task list of a session, kept in memory. */
import { boolean, list, object, oneOf, optional, parameters, string } from './parameters.ts';
import { defineTool, jsonOutcome, type Tool } from './tool.ts';

export type TodoStatus = 'pending' | 'in_progress' | 'completed' | 'cancelled';

export interface TodoItem {
  readonly id: string;
  readonly content: string;
  readonly status: TodoStatus;
  readonly parent?: string;
}

export interface TodoState {
  items(sessionId: string): readonly TodoItem[];
  /** Replaces the list, or with `merge` changes and adds by id. Returns what is kept of it. */
  write(sessionId: string, todos: readonly GivenTodo[], merge: boolean): readonly TodoItem[];
  /** Counts the writes of the session. */
  revision(sessionId: string): number;
  /** What is still to do, as text that survives a compression; '' when nothing is. */
  reminder(sessionId: string): string;
  /** A compression or branch goes on under a new session id. */
  move(from: string, to: string): void;
}

export interface GivenTodo {
  readonly id: string;
  readonly content?: string | undefined;
  readonly status?: string | undefined;
  readonly parent?: string | undefined;
}

const MAX_ITEMS = 256;
const MAX_CHARS = 4_000;
const STATUSES = ['pending', 'in_progress', 'completed', 'cancelled'] as const;
const MARKS: Readonly<Record<TodoStatus, string>> = {
  completed: '[x]',
  in_progress: '[>]',
  pending: '[ ]',
  cancelled: '[~]',
};

export function createTodoState(): TodoState {
  const lists = new Map<string, { items: readonly TodoItem[]; revision: number }>();
  const items = (sessionId: string) => lists.get(sessionId)?.items ?? [];
  return {
    items,
    write(sessionId, todos, merge) {
      const kept = tidy(merge ? merged(items(sessionId), todos) : todos);
      lists.set(sessionId, { items: kept, revision: (lists.get(sessionId)?.revision ?? 0) + 1 });
      return kept;
    },
    revision: (sessionId) => lists.get(sessionId)?.revision ?? 0,
    reminder: (sessionId) => reminder(items(sessionId)),
    move(from, to) {
      const known = lists.get(from);
      if (known !== undefined && from !== to) lists.set(to, known);
    },
  };
}

function merged(before: readonly TodoItem[], todos: readonly GivenTodo[]): readonly GivenTodo[] {
  const byId = new Map<string, GivenTodo>(before.map((item) => [item.id, item]));
  for (const todo of todos) {
    const given = Object.fromEntries(Object.entries(todo).filter(([, value]) => value !== undefined));
    byId.set(todo.id, { ...byId.get(todo.id), ...given, id: todo.id });
  }
  return [...byId.values()];
}

function tidy(todos: readonly GivenTodo[]): readonly TodoItem[] {
  const byId = new Map<string, GivenTodo>();
  for (const todo of todos) {
    byId.delete(todo.id); // of equal ids the last counts, at its place
    byId.set(todo.id, todo);
  }
  const chosen = [...byId.values()].slice(0, MAX_ITEMS);
  const ids = new Map(chosen.map((todo) => [todo.id, todo.parent]));
  const items = chosen.map((todo): TodoItem => {
    const status = STATUSES.find((known) => known === todo.status) ?? 'pending';
    const content = (todo.content ?? '').slice(0, MAX_CHARS);
    const parent = todo.parent;
    return { id: todo.id, content, status, ...(parent !== undefined && isParent(todo.id, ids) && { parent }) };
  });
  return items.some(({ parent }) => parent !== undefined) ? items : activeFirst(items);
}

/** False for a parent that is not there or leads back to the item. */
function isParent(id: string, parents: ReadonlyMap<string, string | undefined>): boolean {
  const seen = new Set([id]);
  for (let at = parents.get(id); at !== undefined; at = parents.get(at)) {
    if (!parents.has(at) || seen.has(at)) return false;
    seen.add(at);
  }
  return true;
}

/** What is being worked on stands above what waits. */
function activeFirst(items: readonly TodoItem[]): readonly TodoItem[] {
  const waiting = items.findIndex(({ status }) => status === 'pending');
  if (waiting < 0) return items;
  const later = items.filter(({ status }, index) => index > waiting && status === 'in_progress');
  const rest = items.filter((item) => !later.includes(item));
  return rest.toSpliced(waiting, 0, ...later);
}

function reminder(items: readonly TodoItem[]): string {
  const open = items.filter(({ status }) => status === 'pending' || status === 'in_progress');
  if (open.length === 0) return '';
  const wanted = new Set(open.map(({ id }) => id));
  const parents = new Map(items.map(({ id, parent }) => [id, parent]));
  for (const { id } of open) for (let at = parents.get(id); at !== undefined; at = parents.get(at)) wanted.add(at);
  const lines = items
    .filter(({ id }) => wanted.has(id))
    .map(({ id, content, status }) => `${MARKS[status]} ${id}: ${content}`);
  return ['[Your active task list was preserved across context compression]', ...lines].join('\n');
}

export function todoTool(state: TodoState): Tool {
  return defineTool({
    name: 'todo',
    toolset: 'todo',
    description:
      'Your task list for work of three or more steps. With todos it is replaced, or with merge changed by id; without, read. Keep one item in_progress.',
    parameters: parameters({
      todos: optional(
        list(
          object({
            id: string(),
            content: optional(string()),
            status: optional(oneOf(STATUSES)),
            parent: optional(string()),
          }),
        ),
      ),
      merge: optional(boolean()),
    }),
    rewrite: (raw) => ({ ...raw, ...(Array.isArray(raw.todos) && { todos: raw.todos.map(withKnownStatus) }) }),
    plan({ todos, merge = false }, { session }) {
      return {
        summary: todos === undefined ? 'read the task list' : `${merge ? 'update' : 'write'} the task list`,
        concurrency: 'barrier',
        async run() {
          const items = todos === undefined ? state.items(session.id) : state.write(session.id, todos, merge);
          const summary = summarise(items);
          return jsonOutcome(
            { todos: items, revision: state.revision(session.id), summary },
            {
              forUser: `tasks: ${summary.completed} of ${summary.total} done`,
              detail: items.map(({ content, status }) => `${MARKS[status]} ${content}`).join('\n'),
            },
          );
        },
      };
    },
  });
}

/** A status of some other list is no reason to refuse the whole call. */
function withKnownStatus(todo: unknown): unknown {
  if (typeof todo !== 'object' || todo === null || !('status' in todo)) return todo;
  return STATUSES.some((known) => known === todo.status) ? todo : { ...todo, status: 'pending' };
}

function summarise(items: readonly TodoItem[]): Record<'total' | TodoStatus, number> {
  const count = (wanted: TodoStatus) => items.filter(({ status }) => status === wanted).length;
  return {
    total: items.length,
    pending: count('pending'),
    in_progress: count('in_progress'),
    completed: count('completed'),
    cancelled: count('cancelled'),
  };
}
