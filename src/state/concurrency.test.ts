import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { newSession, temporaryFolder, temporaryStore, user } from '../../test/support/state-store.ts';
import { openSessionStore } from './sqlite-store.ts';

const WRITER = fileURLToPath(new URL('../../test/support/state-writer.ts', import.meta.url));

function startWriter(path: string, sessionId: string, count: number): ChildProcess {
  return spawn(process.execPath, [WRITER, path, sessionId, String(count)], { stdio: ['ignore', 'pipe', 'pipe'] });
}

async function output(child: ChildProcess): Promise<{ lines: string[]; errors: string }> {
  let text = '';
  let errors = '';
  child.stdout?.on('data', (chunk) => {
    text += chunk;
  });
  child.stderr?.on('data', (chunk) => {
    errors += chunk;
  });
  await once(child, 'close');
  return { lines: text.split('\n').filter((line) => /^\d+ \d+$/.test(line)), errors };
}

describe('many writers', () => {
  it('KF-019: four processes appending 200 messages each store all of them and wait little', async () => {
    const path = join(temporaryFolder(), 'state.db');
    const ids = ['w0', 'w1', 'w2', 'w3'];
    const results = await Promise.all(ids.map((id) => output(startWriter(path, id, 200))));
    expect(results.map((result) => result.errors)).toEqual(['', '', '', '']);
    const waits = results.flatMap((result) => result.lines.map((line) => Number(line.split(' ')[1])));
    expect(waits).toHaveLength(800);
    expect(Math.max(...waits)).toBeLessThan(5000);
    const store = await temporaryStore(path);
    for (const id of ids) {
      const { messages } = await store.load(id);
      expect(messages.map(({ message }) => message.content)).toEqual(
        Array.from({ length: 200 }, (_, index) => `message ${index}`),
      );
    }
  });

  it('kill -9 at any instant loses nothing acknowledged and leaves a sound file', async () => {
    const path = join(temporaryFolder(), 'state.db');
    for (let round = 0; round < 4; round += 1) {
      const id = `killed${round}`;
      const child = startWriter(path, id, 100_000);
      const finished = output(child);
      await once(child.stdout!, 'data');
      await new Promise((done) => setTimeout(done, Math.random() * 60));
      child.kill('SIGKILL');
      const { lines } = await finished;
      const store = await openSessionStore({ path });
      const stored = (await store.load(id)).messages.map((row) => row.rowId);
      await store.close();
      expect(stored).toEqual(expect.arrayContaining(lines.map((line) => Number(line.split(' ')[0]))));
    }
    const db = new DatabaseSync(path);
    expect(db.prepare('PRAGMA integrity_check').get()).toEqual({ integrity_check: 'ok' });
    db.close();
  });
});

describe('the write-ahead file', () => {
  it('KF-020: is small after 5,000 messages and a clean close, although another process looks on', async () => {
    const path = join(temporaryFolder(), 'state.db');
    const store = await openSessionStore({ path });
    const onlooker = await temporaryStore(path);
    await store.create(newSession('s1'));
    for (let batch = 0; batch < 100; batch += 1) {
      await store.append(
        's1',
        Array.from({ length: 50 }, (_, index) => ({ message: user(`message ${batch}.${index}`) })),
      );
    }
    await store.close();
    expect(statSync(`${path}-wal`).size).toBeLessThan(3_000_000);
    await onlooker.close();
    expect(existsSync(`${path}-wal`)).toBe(false);
  });

  it('KF-021: grows behind a long reader, loses nothing, and shrinks when he is gone', async () => {
    const path = join(temporaryFolder(), 'state.db');
    const store = await temporaryStore(path);
    await store.create(newSession('s1'), [{ message: user('before') }]);
    const reader = new DatabaseSync(path);
    reader.exec('BEGIN');
    reader.prepare('SELECT COUNT(*) FROM messages').get();
    for (let index = 0; index < 500; index += 1)
      await store.append('s1', [{ message: user(`message ${index} ${'x'.repeat(3000)}`) }]);
    const grown = statSync(`${path}-wal`).size;
    reader.exec('COMMIT');
    reader.close();
    for (let index = 0; index < 50; index += 1) await store.append('s1', [{ message: user('after') }]);
    expect(statSync(`${path}-wal`).size).toBeLessThan(grown / 2);
    expect((await store.load('s1')).messages).toHaveLength(551);
  });
});

describe('a lock held elsewhere', () => {
  it('is waited for without blocking this process, and writes keep their order', async () => {
    const path = join(temporaryFolder(), 'state.db');
    const store = await temporaryStore(path);
    await store.create(newSession('s1'));
    const other = new DatabaseSync(path);
    other.exec('BEGIN IMMEDIATE');
    const writes = ['one', 'two', 'three'].map((text) => store.append('s1', [{ message: user(text) }]));
    // Only a free event loop gets to end the other transaction.
    setTimeout(() => other.exec('COMMIT'), 120);
    await Promise.all(writes);
    other.close();
    expect((await store.load('s1')).messages.map(({ message }) => message.content)).toEqual(['one', 'two', 'three']);
  });
});
