import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, it } from 'vitest';
import {
  buildOriginalDatabase,
  buildOriginalHome,
  ORIGINAL_SESSIONS as ids,
  ORIGINAL_PROMPT,
  type OriginalLayout,
} from '../../test/support/original-home.ts';
import { newSession, temporaryFolder, temporaryStore, user } from '../../test/support/state-store.ts';

function columns(path: string, table: string): string[] {
  const db = new DatabaseSync(path);
  const names = db.prepare(`PRAGMA table_info(${table})`).all();
  db.close();
  return names.map((row) => String(row.name));
}

describe.each<OriginalLayout>([11, 23])('a database of the original, layout %i', (layout) => {
  async function opened(): Promise<{ path: string; store: Awaited<ReturnType<typeof temporaryStore>> }> {
    const { stateDb } = buildOriginalHome(temporaryFolder(), layout);
    return { path: stateDb, store: await temporaryStore(stateDb) };
  }

  it('opens with its sessions', async () => {
    const { store } = await opened();
    const listed = (await store.list()).map((row) => row.id);
    expect(listed).toEqual([ids.crashed, ids.tools, ids.japanese, ids.continued]);
    expect(await store.get(ids.compressed)).toMatchObject({
      systemPrompt: ORIGINAL_PROMPT,
      provider: 'openrouter',
      endReason: 'compression',
      title: 'Deploy pipeline',
      preview: 'Why does the deploy pipeline stop at the upload step?',
    });
  });

  it('gives its messages as valid ones', async () => {
    const { store } = await opened();
    const { messages } = await store.load(ids.tools);
    expect(messages.map(({ message }) => message.role)).toEqual([
      'user',
      'assistant',
      'toolResult',
      'toolResult',
      'assistant',
    ]);
    expect(messages[0]?.message.content).toEqual([
      { type: 'text', text: 'What is on this screenshot?' },
      { type: 'image', mimeType: 'image/png', data: 'iVBORw0KGgo=' },
    ]);
    expect(messages[1]?.message).toMatchObject({
      stopReason: 'toolUse',
      model: 'anthropic/claude-sonnet-4',
      content: [
        { type: 'thinking', thinking: 'Two files may matter.' },
        { type: 'text', text: 'Let me look.' },
        { type: 'toolCall', id: 'call_a', name: 'read_file', arguments: { path: 'notes.md' } },
        { type: 'toolCall', id: 'call_b' },
      ],
    });
  });

  it('answers a call that a crash left open, once', async () => {
    const { store } = await opened();
    const { messages } = await store.load(ids.crashed);
    expect(messages.at(-1)?.message).toMatchObject({ role: 'toolResult', toolCallId: 'call_z', isError: true });
    expect((await store.load(ids.crashed)).messages).toEqual(messages);
  });

  it('KF-024: resumes a compressed conversation at its newest part', async () => {
    const { store } = await opened();
    expect(await store.tip(await store.resolve(ids.compressed))).toBe(ids.continued);
    expect(await store.resolve('Deploy pipeline')).toBe(ids.continued);
    expect(await store.root(ids.continued)).toBe(ids.compressed);
  });

  it('is searched, with what is added now', async () => {
    const { store } = await opened();
    await store.create(newSession('ours'), [{ message: user('the bastion again, 在庫調整会議') }]);
    expect((await store.search('bastion')).map((hit) => hit.sessionId)).toContain(ids.tools);
    expect((await store.search('bastion')).map((hit) => hit.sessionId)).toContain('ours');
    expect((await store.search('在庫調整会議')).map((hit) => hit.sessionId).sort()).toEqual(
      [ids.japanese, 'ours'].sort(),
    );
    expect((await store.search('kintone')).map((hit) => hit.sessionId)).toEqual([ids.japanese]);
  });

  it('keeps its version, its unknown columns and tables', async () => {
    const { path, store } = await opened();
    await store.create(newSession('ours'), [{ message: user('hello') }]);
    await store.close();
    const db = new DatabaseSync(path);
    expect(db.prepare('SELECT version FROM schema_version').all()).toEqual([{ version: layout }]);
    expect(db.prepare('PRAGMA integrity_check').get()).toEqual({ integrity_check: 'ok' });
    expect(db.prepare("INSERT INTO messages_fts(messages_fts) VALUES ('integrity-check')").run().changes).toBeDefined();
    expect(db.prepare("SELECT role, content FROM messages WHERE session_id = 'ours'").all()).toEqual([
      { role: 'user', content: 'hello' },
    ]);
    db.close();
    if (layout === 23) expect(columns(path, 'sessions')).toContain('invented_later');
  });
});

describe('stranger files', () => {
  it('gets by with an index whose tokenizer it does not have', async () => {
    const path = join(temporaryFolder(), 'state.db');
    buildOriginalDatabase(path, 23);
    const db = new DatabaseSync(path, { defensive: false });
    db.exec(`PRAGMA writable_schema = ON;
      INSERT INTO sqlite_master(type, name, tbl_name, rootpage, sql) VALUES
        ('table', 'messages_fts_cjk', 'messages_fts_cjk', 0, 'CREATE VIRTUAL TABLE messages_fts_cjk USING fts5(content, tokenize=''cjk_unicode61'')'),
        ('trigger', 'messages_fts_cjk_insert', 'messages', 0, 'CREATE TRIGGER messages_fts_cjk_insert AFTER INSERT ON messages BEGIN INSERT INTO messages_fts_cjk(rowid, content) VALUES (new.id, new.content); END');
      PRAGMA writable_schema = RESET`);
    db.close();
    const store = await temporaryStore(path);
    await store.create(newSession('ours'), [{ message: user('stored all the same') }]);
    expect(await store.search('stored')).toHaveLength(1);
  });

  it('indexes anew a file older than layout 11', async () => {
    const path = join(temporaryFolder(), 'state.db');
    buildOriginalDatabase(path, 11);
    const db = new DatabaseSync(path);
    db.exec('UPDATE schema_version SET version = 9; DELETE FROM messages_fts; DROP TABLE messages_fts_trigram');
    db.exec(
      'DROP TRIGGER messages_fts_trigram_insert; DROP TRIGGER messages_fts_trigram_update; DROP TRIGGER messages_fts_trigram_delete',
    );
    db.close();
    const store = await temporaryStore(path);
    expect(await store.search('pipeline')).not.toHaveLength(0);
    expect(await store.search('在庫調整会議')).toHaveLength(1);
  });
});
