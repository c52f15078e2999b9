import { closeSync, openSync, readdirSync, readFileSync, statSync, writeFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, it } from 'vitest';
import { newSession, temporaryFolder, temporaryStore, user } from '../../test/support/state-store.ts';
import { repairDatabase } from './repair.ts';
import { openSessionStore } from './sqlite-store.ts';

async function filled(count: number): Promise<string> {
  const path = join(temporaryFolder(), 'state.db');
  const store = await openSessionStore({ path });
  await store.create(
    newSession('s1', { title: 'Kept' }),
    Array.from({ length: count }, (_, index) => ({ message: user(`armadillo ${index} ${'x'.repeat(500)}`) })),
  );
  await store.close();
  return path;
}

describe('repairing a database', () => {
  it('carries everything over when all of it can be read', async () => {
    const path = await filled(20);
    const before = readFileSync(path);
    const repair = await repairDatabase(path);
    expect(repair).toMatchObject({ sessions: 1, messages: 20 });
    expect(readFileSync(repair.aside).equals(before)).toBe(true);
    const store = await temporaryStore(path);
    expect((await store.load('s1')).messages).toHaveLength(20);
    expect(await store.search('armadillo', { limit: 100 })).toHaveLength(20);
    expect(readdirSync(join(path, '..')).filter((name) => name.includes('salvage'))).toEqual([]);
  });

  it('saves what stands around the damage, and the result is sound', async () => {
    const path = await filled(600);
    const file = openSync(path, 'r+');
    // Every eighth page after the first ones, so that the tables' roots survive and many leaves do not.
    for (let page = 60; page * 4096 < statSync(path).size; page += 8)
      writeSync(file, Buffer.alloc(4096, 0xff), 0, 4096, page * 4096);
    closeSync(file);
    const repair = await repairDatabase(path);
    expect(repair.messages).toBeGreaterThan(100);
    const db = new DatabaseSync(path);
    expect(db.prepare('PRAGMA integrity_check').get()).toEqual({ integrity_check: 'ok' });
    expect(db.prepare('PRAGMA foreign_key_check').all()).toEqual([]);
    db.close();
    const store = await temporaryStore(path);
    expect((await store.load('s1')).messages).toHaveLength(repair.messages);
  });

  it('starts anew beside a file that is no database at all', async () => {
    const path = join(temporaryFolder(), 'state.db');
    writeFileSync(path, 'nothing to be saved here '.repeat(300));
    const repair = await repairDatabase(path);
    expect(repair).toMatchObject({ sessions: 0, messages: 0 });
    expect(readFileSync(repair.aside, 'utf8')).toContain('nothing to be saved');
    expect(await (await temporaryStore(path)).list()).toEqual([]);
  });
});
