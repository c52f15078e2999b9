/** The session database: whether it is whole, and how much waits in its log. */
import { statSync } from 'node:fs';
import { errorText } from '../../lib/errors.ts';
import { bad, type Check, type Finding, ok, warn } from './finding.ts';

const LARGE_WAL_BYTES = 50 * 1024 * 1024;

export const databaseCheck: Check = {
  title: 'Sessions',
  async run({ home }) {
    const path = home.path('state.db');
    const size = statSync(path, { throwIfNoEntry: false })?.size;
    if (size === undefined) return [ok('no sessions yet')];
    return [...(await integrity(path, home.display(path), size)), ...wal(path)];
  },
};

async function integrity(path: string, shown: string, size: number): Promise<Finding[]> {
  const mend = `mv ${shown} ${shown}.damaged`;
  try {
    const { DatabaseSync } = await import('node:sqlite');
    const db = new DatabaseSync(path, { readOnly: true });
    try {
      const rows = db
        .prepare('PRAGMA quick_check(3)')
        .all()
        .map((row) => String(row.quick_check));
      if (rows.join() !== 'ok') return [bad(`${shown} is damaged: ${rows.join('; ')}.`, { mend })];
      const count = db.prepare('SELECT count(*) AS n FROM sessions').get()?.n;
      return [ok(`${shown} is whole (${count} sessions, ${Math.ceil(size / 1024)} KB)`)];
    } finally {
      db.close();
    }
  } catch (error) {
    return [bad(`${shown} cannot be read: ${errorText(error)}.`, { mend })];
  }
}

function wal(path: string): Finding[] {
  const size = statSync(`${path}-wal`, { throwIfNoEntry: false })?.size ?? 0;
  if (size < LARGE_WAL_BYTES) return [];
  return [
    warn(`${Math.floor(size / 1024 / 1024)} MB wait in the database's write-ahead log.`, {
      mend: 'hermes doctor --fix',
      fix: async () => {
        const { DatabaseSync } = await import('node:sqlite');
        const db = new DatabaseSync(path);
        db.exec('PRAGMA wal_checkpoint(TRUNCATE)');
        db.close();
        return 'moved the write-ahead log into the database';
      },
    }),
  ];
}
