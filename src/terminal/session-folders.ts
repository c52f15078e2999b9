/** Where each session's commands run: the folder its last command ended in. Shared by the tools that take paths. */

export interface SessionFolders {
  /** @param start the session's own folder, used until a command has moved */
  get(sessionId: string, start: string): string;
  set(sessionId: string, folder: string): void;
  /** The session goes on under another id (compression). */
  move(from: string, to: string): void;
  forget(sessionId: string): void;
}

export function createSessionFolders(): SessionFolders {
  const folders = new Map<string, string>();
  return {
    get: (sessionId, start) => folders.get(sessionId) ?? start,
    set: (sessionId, folder) => void folders.set(sessionId, folder),
    move: (from, to) => {
      const folder = folders.get(from);
      folders.delete(from);
      if (folder !== undefined) folders.set(to, folder);
    },
    forget: (sessionId) => void folders.delete(sessionId),
  };
}
