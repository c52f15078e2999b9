/** `session_search`: what was said in earlier sessions. The arguments decide: find, scroll, read or browse. */
import type { SessionStore } from '../state/session-store.ts';
import { integer, oneOf, optional, parameters, string } from './parameters.ts';
import { defineTool, type Tool } from './tool.ts';

export interface SessionSearchDeps {
  readonly store: SessionStore;
  /** IANA zone of the times shown; the machine's own when absent. */
  readonly timeZone?: string;
}

export function sessionSearchTool(deps: SessionSearchDeps): Tool {
  return defineTool({
    name: 'session_search',
    toolset: 'session_search',
    description:
      'Recall earlier conversations. query (words, "phrase", OR) finds; with around_message_id session_id scrolls, ' +
      'alone it reads; nothing lists the newest.',
    parameters: parameters({
      query: optional(string()),
      limit: optional(integer('sessions, default 3, at most 10')),
      sort: optional(oneOf(['newest', 'oldest'])),
      detail: optional(oneOf(['adaptive', 'full'])),
      session_id: optional(string()),
      around_message_id: optional(integer()),
      window: optional(integer('messages each side, default 5')),
      role_filter: optional(string('default user,assistant; add tool')),
    }),
    rewrite: withUsableNumbers,
    plan(args, { session }) {
      const query = args.query?.trim() ?? '';
      return {
        summary:
          query === '' ? 'look through earlier sessions' : `search earlier sessions for ${JSON.stringify(query)}`,
        concurrency: 'parallel',
        async run() {
          const { recall } = await import('./recall/recall.ts');
          return recall(deps, session, {
            query,
            limit: between(args.limit ?? 3, 1, 10),
            sort: args.sort,
            full: args.detail === 'full',
            sessionId: args.session_id?.trim() || undefined,
            messageId: args.around_message_id,
            window: between(args.window ?? 5, 1, 20),
            roles: rolesOf(args.role_filter),
          });
        },
      };
    },
  });
}

/** A number that is none falls back to its default instead of failing the call. */
function withUsableNumbers(raw: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const usable = Object.entries(raw).filter(([key, value]) => {
    if (!['limit', 'window', 'around_message_id'].includes(key)) return true;
    return value !== '' && value !== null && Number.isInteger(Number(value));
  });
  const known = { sort: ['newest', 'oldest'], detail: ['adaptive', 'full'] } as const;
  return Object.fromEntries(
    usable.filter(([key, value]) => !(key === 'sort' || key === 'detail') || known[key].some((one) => one === value)),
  );
}

type Role = 'user' | 'assistant' | 'tool';

function rolesOf(filter: string | undefined): readonly Role[] {
  const wanted = (filter ?? '').split(',').map((role) => role.trim().toLowerCase());
  const roles = (['user', 'assistant', 'tool'] as const).filter((role) => wanted.includes(role));
  return roles.length > 0 ? roles : ['user', 'assistant'];
}

function between(value: number, least: number, most: number): number {
  return Math.min(most, Math.max(least, value));
}
