import { defineGroup } from '../command.ts';
import { type OpenApp, openRealApp } from '../with-app.ts';
import { deleteSession, renameSession } from './sessions/change.ts';
import { exportSessions } from './sessions/export.ts';
import { listSessions, searchSessions } from './sessions/list.ts';
import { showSession } from './sessions/show.ts';

export function createSessionsCommand(openApp: OpenApp) {
  return defineGroup({
    name: 'sessions',
    summary: 'Look after stored conversations',
    fallback: 'list',
    subcommands: {
      list: listSessions(openApp),
      search: searchSessions(openApp),
      show: showSession(openApp),
      export: exportSessions(openApp),
      rename: renameSession(openApp),
      delete: deleteSession(openApp),
    },
  });
}

export const sessionsCommand = createSessionsCommand(openRealApp);
