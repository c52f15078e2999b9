import { AppError } from '../../../lib/errors.ts';
import type { SessionRow, SessionStore } from '../../../state/session-store.ts';

/**
 * The session that a person means: id, unique start of one, title, or `latest` (of this folder first). Looks only;
 * an ended session stays ended.
 * @throws AppError `session-not-found`, `session-ambiguous`
 */
export async function findSession(store: SessionStore, reference: string, cwd: string): Promise<SessionRow> {
  const row =
    reference === 'latest'
      ? ((await store.latest({ cwd })) ?? (await store.latest({})))
      : await store.get(await store.resolve(reference));
  if (row !== undefined) return row;
  throw new AppError('session-not-found', 'There is no session yet.', { hint: 'Start one with `hermes`.' });
}
