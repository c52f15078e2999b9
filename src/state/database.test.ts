import { chmodSync, existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { userInfo } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, it } from 'vitest';
import { newSession, temporaryFolder, temporaryStore, user } from '../../test/support/state-store.ts';
import { AppError } from '../lib/errors.ts';
import { openDatabase } from './database.ts';
import { openSessionStore } from './sqlite-store.ts';

async function failure(work: Promise<unknown>): Promise<AppError> {
  const error = await work.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (!(error instanceof AppError)) throw new Error(`expected an AppError, got ${String(error)}`);
  return error;
}

function isOneSentence(error: AppError): boolean {
  return /^[A-Z].*\.$/.test(error.message) && !error.message.includes('\n') && error.hint !== undefined;
}

describe('opening the session database', () => {
  it('makes a private file in WAL mode, and its folder', async () => {
    const path = join(temporaryFolder(), 'deep', 'home', 'state.db');
    const store = await temporaryStore(path);
    await store.create(newSession('s1'));
    const modes = readdirSync(join(path, '..')).map((name) => statSync(join(path, '..', name)).mode & 0o077);
    expect(modes.every((mode) => mode === 0)).toBe(true);
    const other = new DatabaseSync(path);
    expect(other.prepare('PRAGMA journal_mode').get()).toEqual({ journal_mode: 'wal' });
    other.close();
    expect(store.warnings).toEqual([]);
  });

  it('takes the group and the world their access to an existing file', async () => {
    const path = join(temporaryFolder(), 'state.db');
    await (await openSessionStore({ path })).close();
    chmodSync(path, 0o644);
    await temporaryStore(path);
    expect(statSync(path).mode & 0o777).toBe(0o600);
  });

  it('changes nothing in a file that is already laid out', async () => {
    const path = join(temporaryFolder(), 'state.db');
    await (await openSessionStore({ path })).close();
    const before = readFileSync(path);
    await (await openSessionStore({ path })).close();
    expect(readFileSync(path).equals(before)).toBe(true);
  });

  it('is opened by many at once when there is none yet', async () => {
    const path = join(temporaryFolder(), 'state.db');
    const stores = await Promise.all(Array.from({ length: 8 }, () => openSessionStore({ path })));
    await Promise.all(stores.map((store, index) => store.create(newSession(`s${index}`))));
    expect(await stores[0]!.list({ limit: 100 })).toHaveLength(8);
    expect(stores.flatMap((store) => store.warnings)).toEqual([]);
    await Promise.all(stores.map((store) => store.close()));
    expect(readdirSync(join(path, '..'))).toEqual(['state.db']);
  });

  it('names a damaged file and the command that mends it, and leaves it alone', async () => {
    const path = join(temporaryFolder(), 'state.db');
    writeFileSync(path, 'this is not a database, but it may be all that is left of one. '.repeat(100));
    const before = readFileSync(path);
    const error = await failure(openSessionStore({ path }));
    expect(error).toMatchObject({ code: 'database-corrupt' });
    expect(error.message).toContain(path);
    expect(error.hint).toContain('hermes doctor --fix');
    expect(isOneSentence(error)).toBe(true);
    expect(readFileSync(path).equals(before)).toBe(true);
  });

  it('KF-028: reports a file of 0 bytes, keeps a mark of it, and starts anew', async () => {
    const path = join(temporaryFolder(), 'state.db');
    writeFileSync(path, '');
    const store = await temporaryStore(path);
    expect(store.warnings).toHaveLength(1);
    expect(store.warnings[0]).toContain('0 bytes');
    expect(readdirSync(join(path, '..')).some((name) => name.startsWith('state.db.empty-'))).toBe(true);
    await store.create(newSession('s1'));
    expect(await store.get('s1')).toMatchObject({ id: 's1' });
  });

  it('does not apply a write-ahead file whose database is gone', async () => {
    const path = join(temporaryFolder(), 'state.db');
    writeFileSync(`${path}-wal`, 'stray');
    const store = await temporaryStore(path);
    expect(store.warnings[0]).toContain('write-ahead');
    expect(readdirSync(join(path, '..')).some((name) => name.startsWith('state.db-wal.orphan-'))).toBe(true);
  });

  it.skipIf(userInfo().uid === 0)('says when the folder cannot be written', async () => {
    const folder = temporaryFolder();
    chmodSync(folder, 0o500);
    const error = await failure(openSessionStore({ path: join(folder, 'state.db') }));
    chmodSync(folder, 0o700);
    expect(error.code).toBe('database-unwritable');
    expect(isOneSentence(error)).toBe(true);
  });

  it('says when the path leads through a file', async () => {
    const folder = temporaryFolder();
    writeFileSync(join(folder, 'file'), '');
    const error = await failure(openSessionStore({ path: join(folder, 'file', 'state.db') }));
    expect(isOneSentence(error) && error.message.includes('state.db')).toBe(true);
  });

  it('says when the disk is full, and loses nothing stored before', async () => {
    const path = join(temporaryFolder(), 'state.db');
    const db = await openDatabase({ path });
    const pages = Number(db.handle.prepare('PRAGMA page_count').get()?.page_count);
    db.close();
    const { createWriter } = await import('./write.ts');
    const { appendMessages } = await import('./messages.ts');
    const { createSession } = await import('./sessions.ts');
    const limited = await openDatabase({ path });
    const writer = createWriter(limited);
    await createSession(limited, writer, newSession('s1'), [{ message: user('kept') }], {});
    limited.handle.exec(`PRAGMA max_page_count = ${pages + 10}`);
    const error = await failure(
      appendMessages(limited, writer, 's1', [{ message: user('too much '.repeat(100_000)) }]),
    );
    expect(error.code).toBe('disk-full');
    expect(isOneSentence(error)).toBe(true);
    limited.close();
    const store = await temporaryStore(path);
    expect((await store.load('s1')).messages.map((row) => row.message.content)).toEqual(['kept']);
  });

  it('refuses a layout whose messages it could not write, and says which', async () => {
    const path = join(temporaryFolder(), 'state.db');
    const db = new DatabaseSync(path);
    db.exec(`CREATE TABLE schema_version(version INTEGER); INSERT INTO schema_version VALUES (77);
      CREATE TABLE messages(id INTEGER PRIMARY KEY, session_id TEXT, role TEXT, content TEXT, timestamp REAL, shard TEXT NOT NULL)`);
    db.close();
    const error = await failure(openSessionStore({ path }));
    expect(error.code).toBe('database-too-new');
    expect(error.message).toMatch(/77.*shard/);
  });

  it("refuses a real person's home under test", async () => {
    const path = join(userInfo().homedir, '.hermes', 'state.db');
    const before = existsSync(path);
    expect((await failure(openSessionStore({ path }))).code).toBe('database-real-home');
    expect(existsSync(path)).toBe(before);
  });

  it("opens another profile's file without changing it", async () => {
    const path = join(temporaryFolder(), 'state.db');
    const owner = await openSessionStore({ path });
    await owner.create(newSession('s1'), [{ message: user('from the other side') }]);
    const reader = await openSessionStore({ path, readOnly: true });
    expect((await reader.search('side')).map((hit) => hit.sessionId)).toEqual(['s1']);
    await expect(reader.append('s1', [{ message: user('x') }])).rejects.toMatchObject({ code: 'database-unwritable' });
    await reader.close();
    await owner.close();
  });

  it('says so when it is used after it was closed, and may be closed twice', async () => {
    const store = await openSessionStore({ path: join(temporaryFolder(), 'state.db') });
    await store.close();
    await store.close();
    for (const work of [store.list(), store.create(newSession('s1')), store.load('s1')]) {
      expect(await failure(work)).toMatchObject({ code: 'database-closed' });
    }
  });

  it('KF-022: a second visitor does not hide later writes from a third', async () => {
    const path = join(temporaryFolder(), 'state.db');
    const writer = await temporaryStore(path);
    await writer.create(newSession('s1'), [{ message: user('one') }]);
    const visitor = await openSessionStore({ path });
    await visitor.list();
    await visitor.close();
    await writer.append('s1', [{ message: user('two') }]);
    const third = await temporaryStore(path);
    expect((await third.load('s1')).messages.map((row) => row.message.content)).toEqual(['one', 'two']);
  });
});

describe('search indexes', () => {
  async function filled(): Promise<string> {
    const path = join(temporaryFolder(), 'state.db');
    const store = await openSessionStore({ path });
    await store.create(newSession('s1'), [
      { message: user('an old pangolin') },
      { message: user('来週の在庫調整会議') },
    ]);
    await store.close();
    return path;
  }

  function damage(path: string, sql: string): void {
    const db = new DatabaseSync(path, { defensive: false });
    db.exec(sql);
    db.close();
  }

  async function finds(path: string): Promise<string[]> {
    const store = await temporaryStore(path);
    await store.append('s1', [{ message: user('a new pangolin') }]);
    return [...(await store.search('pangolin')), ...(await store.search('在庫調整'))].map((hit) => hit.snippet).sort();
  }

  const EXPECTED = ['a new >>>pangolin<<<', 'an old >>>pangolin<<<', '来週の>>>在庫調整<<<会議'];

  it('KF-023: are rebuilt when the table is gone and its shadows are not', async () => {
    const path = await filled();
    damage(
      path,
      "PRAGMA writable_schema = ON; DELETE FROM sqlite_master WHERE name = 'messages_fts'; PRAGMA writable_schema = RESET",
    );
    expect(await finds(path)).toEqual(EXPECTED);
  });

  it('are rebuilt when a trigger is gone', async () => {
    const path = await filled();
    damage(
      path,
      'DROP TRIGGER messages_fts_insert; DROP TRIGGER messages_fts_trigram_update; DELETE FROM messages_fts',
    );
    expect(await finds(path)).toEqual(EXPECTED);
  });

  it('are made by reading when they are damaged while in use', async () => {
    const path = await filled();
    const store = await temporaryStore(path);
    damage(path, 'DELETE FROM messages_fts_data; DELETE FROM messages_fts_trigram_data');
    await store.append('s1', [{ message: user('a new pangolin') }]);
    expect((await store.search('pangolin')).length).toBe(2);
    await store.close();
    expect((await finds(path)).length).toBe(4);
  });
});
