/** The session database: whether it is whole, and how much waits in its log. */
import { statSync } from 'node:fs';
import { AppError, errorText } from '../../lib/errors.ts';
import { bad, type Check, type Finding, ok, warn } from './finding.ts';

const LARGE_WAL_BYTES = 50 * 1024 * 1024;

export const databaseCheck: Check = {
  title: 'Sessions',
  async run({ home }) {
    const path = home.path('state.db');
    const stat = statSync(path, { throwIfNoEntry: false });
    const shown = home.display(path);
    if (stat === undefined) return [ok('no sessions yet')];
    if (!stat.isFile()) return [bad(`${shown} is not a file.`, { mend: `mv ${shown} ${shown}.old` })];
    return [...(await integrity(path, shown, stat.size)), ...wal(path)];
  },
};

async function integrity(path: string, shown: string, size: number): Promise<Finding[]> {
  try {
    const { DatabaseSync } = await import('node:sqlite');
    const db = new DatabaseSync(path, { readOnly: true });
    try {
      const rows = db
        .prepare('PRAGMA quick_check(3)')
        .all()
        .map((row) => String(row.quick_check));
      if (rows.join() !== 'ok') return [damaged(path, `${shown} is damaged: ${rows.join('; ')}.`)];
      const count = db.prepare('SELECT count(*) AS n FROM sessions').get()?.n;
      return [ok(`${shown} is whole (${count} sessions, ${Math.ceil(size / 1024)} KB)`)];
    } finally {
      db.close();
    }
  } catch (error) {
    return [await unreadable(error, path, shown)];
  }
}

/** Only damage is mended by starting a new file: a full disk, a lock or a missing right would lose what is sound. */
async function unreadable(error: unknown, path: string, shown: string): Promise<Finding> {
  const { toStateError } = await import('../../state/sqlite-errors.ts');
  const told = toStateError(error, path);
  const text = `${shown} cannot be read: ${errorText(error)}.`;
  if (!(told instanceof AppError)) return bad(text);
  if (told.code === 'database-corrupt') return damaged(path, text);
  return bad(told.message, told.hint === undefined ? {} : { mend: told.hint });
}

function damaged(path: string, text: string): Finding {
  return bad(text, {
    mend: 'hermes doctor --fix',
    fix: async () => {
      const { repairDatabase } = await import('../../state/repair.ts');
      const { aside, sessions, messages } = await repairDatabase(path);
      return `recovered ${sessions} sessions with ${messages} messages; the damaged file is kept as ${aside}`;
    },
  });
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
