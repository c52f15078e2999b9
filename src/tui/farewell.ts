/** The lines left on the terminal when the person goes. */

import type { App } from '../app.ts';
import { duration, plural } from '../commands/format.ts';
import { loadIfStored, userText } from '../commands/stored.ts';
import type { SessionRef } from '../contracts/turn.ts';

/** '' for a session in which nothing was said: there is nothing to come back to. */
export async function farewell(app: App, session: SessionRef, openForMs: number): Promise<string> {
  const stored = await loadIfStored(app, await tipOf(app, session));
  if (stored === undefined || stored.messages.length === 0) return '';
  const users = stored.messages.filter((loaded) => userText(loaded) !== undefined).length;
  const tools = stored.messages.filter(({ message }) => message.role === 'toolResult').length;
  const profile = session.profile === 'default' ? '' : ` -p ${session.profile}`;
  const title = stored.row.title === undefined ? '' : ` · ${stored.row.title}`;
  return [
    `Resume with: hermes${profile} --resume ${stored.row.id}`,
    `Session ${stored.row.id}${title} · ${duration(openForMs)} · ${plural(stored.messages.length, 'message')} (${users} from you, ${plural(tools, 'tool call')})`,
    '',
  ].join('\n');
}

/** A session may have gone on under another id, also in another process. */
async function tipOf(app: App, session: SessionRef): Promise<string> {
  return (await app.store.get(session.id)) === undefined ? session.id : app.store.tip(session.id);
}
