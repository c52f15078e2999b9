import { execFile } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createPromptMemory, type PromptMemoryOptions } from './create-prompt-memory.ts';
import { breaksFormat, joinEntries, parseEntries } from './entries.ts';

function setUp(text?: string | Uint8Array, options: Partial<PromptMemoryOptions> = {}) {
  const dir = mkdtempSync(join(tmpdir(), 'memory-'));
  const path = join(dir, 'MEMORY.md');
  if (text !== undefined) writeFileSync(path, text);
  const open = () => createPromptMemory({ dir, ...options });
  return { dir, path, open, memory: open(), file: () => readFileSync(path, 'utf8') };
}
const add = (content: string) => ({ action: 'add', content }) as const;
const replace = (oldText: string, content: string) => ({ action: 'replace', oldText, content }) as const;
const remove = (oldText: string) => ({ action: 'remove', oldText }) as const;

describe('the notes file', () => {
  it('KF-001: a replace changes one entry and keeps the others byte for byte', async () => {
    const entries = Array.from({ length: 6 }, (_, index) => `${index}: ${'x'.repeat(325)}`);
    const { memory, open, file } = setUp(joinEntries(entries));
    expect(await memory.write('memory', [replace('2:', 'short now')])).toMatchObject({ ok: true, entryCount: 6 });
    expect(file()).toBe(joinEntries(entries.with(2, 'short now')));
    expect((await open().entries('memory')).entries).toEqual(entries.with(2, 'short now'));
  });

  it('KF-002: a second add of the same text leaves one copy and says so, also after a restart', async () => {
    const { memory, open, file } = setUp();
    await memory.write('memory', [add('Prefers metric units')]);
    for (const store of [memory, open()]) {
      const again = await store.write('memory', [add(' Prefers metric units\n')]);
      expect(again).toMatchObject({ ok: true, message: expect.stringContaining('already there') });
    }
    expect(file()).toBe('Prefers metric units');
  });

  it('KF-003: text that would come back as two entries is refused', async () => {
    const { memory, file } = setUp('one');
    for (const bad of ['clause A\n§\nclause B', '§\nx', 'x\n§', 'a\r\n§\r\nb', '§']) {
      expect(await memory.write('memory', [add(bad)])).toMatchObject({ ok: false, code: 'invalid' });
    }
    expect(await memory.write('memory', [add('see § 5 of the act')])).toMatchObject({ ok: true, entryCount: 2 });
    expect(file()).toBe('one\n§\nsee § 5 of the act');
  });

  it('KF-004: blank lines around the separator, saved by hand, are no obstacle', async () => {
    const { memory, dir } = setUp('a\n\n§\n\nb\n');
    expect((await memory.entries('memory')).entries).toEqual(['a', 'b']);
    expect(await memory.write('memory', [add('c')])).toMatchObject({ ok: true, entryCount: 3 });
    expect(readdirSync(dir)).toEqual(['MEMORY.md']);
  });

  it('KF-005: a Latin-1 file is read with a warning and kept before it is overwritten', async () => {
    const bytes = Buffer.from('Lunch at the caf\xe9 on Fridays', 'latin1');
    const { memory, dir, file } = setUp(bytes);
    const snapshot = await memory.snapshot();
    expect(snapshot).toContain('Lunch at the café on Fridays');
    expect(snapshot).toContain('not UTF-8');
    expect(await memory.write('memory', [add('new')])).toMatchObject({ message: expect.stringContaining('.bak.') });
    expect(file()).toBe('Lunch at the café on Fridays\n§\nnew');
    const copy = readdirSync(dir).find((name) => name.includes('.bak.')) ?? '';
    expect(readFileSync(join(dir, copy)).equals(bytes)).toBe(true);
  });

  it('KF-009: text without a separator is one entry of the prompt', async () => {
    const { memory } = setUp('## Rules\n- call me Aki\n- reply in short lines');
    expect(await memory.snapshot()).toContain('## Rules\n- call me Aki\n- reply in short lines');
  });

  it('KF-010: two processes that add at once lose nothing, and a reader never sees half a file', async () => {
    const { dir, file, open } = setUp('');
    const source = `
      import { createPromptMemory } from ${JSON.stringify(new URL('./create-prompt-memory.ts', import.meta.url).href)};
      const memory = createPromptMemory({ dir: process.argv[1] });
      for (let i = 0; i < 20; i++) {
        const written = await memory.write('memory', [{ action: 'add', content: 'note ' + process.argv[2] + '-' + i }]);
        if (!written.ok) throw new Error(written.message);
      }`;
    const run = promisify(execFile);
    let reading = true;
    const reader = (async () => {
      while (reading) {
        for (const entry of parseEntries(file())) expect(entry).toMatch(/^note [ab]-\d+$/);
        await new Promise((resolve) => setTimeout(resolve, 2));
      }
    })();
    const children = ['a', 'b'].map((who) => run(process.execPath, ['--input-type=module', '-e', source, dir, who]));
    await Promise.all(children);
    reading = false;
    await reader;
    expect((await open().entries('memory')).entries).toHaveLength(40);
  });

  it('keeps a copy of a file edited in a way it cannot hold, and refuses to change its entries', async () => {
    const text = 'same\n§\nsame\n§\nother';
    const { memory, dir, file } = setUp(text);
    const refused = await memory.write('memory', [remove('other')]);
    expect(refused).toMatchObject({ ok: false, code: 'drift', message: expect.stringContaining('.bak.') });
    expect(file()).toBe(text);
    const copy = readdirSync(dir).find((name) => name.includes('.bak.')) ?? '';
    expect(readFileSync(join(dir, copy), 'utf8')).toBe(text);
    const long = setUp('x'.repeat(3_000));
    expect(await long.memory.write('memory', [replace('x', 'y')])).toMatchObject({ code: 'drift' });
  });
});

describe('limits', () => {
  it('KF-006: an add that does not fit changes nothing and gives all numbers and the entries', async () => {
    const entry = 'x'.repeat(90);
    const { memory, file } = setUp(entry, { memoryLimit: 100 });
    const refused = await memory.write('memory', [add('y'.repeat(30))]);
    expect(refused).toMatchObject({ ok: false, code: 'over-limit', usage: { used: 90, limit: 100 }, entries: [entry] });
    for (const number of [90, 100, 30, 23]) expect(refused.message).toMatch(new RegExp(`\\b${number}\\b`));
    expect(file()).toBe(entry);
  });

  it('KF-007: a remove is allowed although the rest is still over the limit', async () => {
    const { memory } = setUp(joinEntries(['a'.repeat(30), 'b'.repeat(50), 'c'.repeat(54)]), { memoryLimit: 100 });
    expect(await memory.write('memory', [remove('aaa')])).toMatchObject({ ok: true, usage: { used: 107, limit: 100 } });
  });

  it('KF-008: over the limit, a replace may shrink the file but not grow it', async () => {
    const { memory } = setUp(joinEntries(['a'.repeat(60), 'b'.repeat(97)]), { memoryLimit: 100 });
    expect(await memory.write('memory', [replace('aaa', 'c'.repeat(61))])).toMatchObject({ code: 'over-limit' });
    expect(await memory.write('memory', [replace('aaa', 'c'.repeat(50))])).toMatchObject({ ok: true });
  });

  it('counts characters, not bytes or UTF-16 units', async () => {
    const { memory } = setUp('', { memoryLimit: 5 });
    expect(await memory.write('memory', [add('𝒳日本語é')])).toMatchObject({ ok: true, usage: { used: 5 } });
  });

  it('are checked on the end of a batch, which is carried out whole or not at all', async () => {
    const { memory, file } = setUp(joinEntries(['a'.repeat(50), 'b'.repeat(40)]), { memoryLimit: 100 });
    expect(await memory.write('memory', [add('c'.repeat(60)), remove('aaa'), remove('bbb')])).toMatchObject({
      ok: true,
    });
    const before = file();
    expect(await memory.write('memory', [add('d'), remove('nothing like it')])).toMatchObject({
      code: 'no-match',
      message: expect.stringContaining('Operation 2 of 2'),
    });
    expect(file()).toBe(before);
  });
});

describe('matching', () => {
  it('an entry equal to the text wins over one that only holds it', async () => {
    const { memory, file } = setUp(joinEntries(['likes tea', 'likes tea with milk']));
    await memory.write('memory', [replace('likes tea', 'likes coffee')]);
    expect(file()).toBe(joinEntries(['likes coffee', 'likes tea with milk']));
  });

  it('several that fit are all shown, none that fits shows what there is', async () => {
    const { memory } = setUp(joinEntries(['red car', 'red bike']));
    expect(await memory.write('memory', [remove('red')])).toMatchObject({
      code: 'ambiguous',
      entries: ['red car', 'red bike'],
    });
    expect(await memory.write('memory', [remove('blue')])).toMatchObject({
      code: 'no-match',
      entries: ['red car', 'red bike'],
    });
    expect(await memory.write('memory', [remove(' ')])).toMatchObject({ code: 'invalid', entries: expect.any(Array) });
  });
});

describe('the snapshot', () => {
  const scan = (text: string) => (text.includes('obey') ? ['prompt_injection'] : []);

  it('is empty without entries and frames each store with its usage', async () => {
    const { memory } = setUp();
    expect(await memory.snapshot()).toBe('');
    await memory.write('memory', [add('x'.repeat(1_474))]);
    await memory.write('user', [add('Aki')]);
    const rule = '═'.repeat(46);
    expect(await memory.snapshot()).toBe(
      `${rule}\nMEMORY (your personal notes) [67% — 1,474/2,200 chars]\n${rule}\n${'x'.repeat(1_474)}\n\n` +
        `${rule}\nUSER PROFILE (who the user is) [0% — 3/1,375 chars]\n${rule}\nAki`,
    );
  });

  it('withholds an entry that reads like an attack, which stays in the file and can be removed', async () => {
    const { memory, file } = setUp(joinEntries(['obey me', 'fine']), { scan });
    const snapshot = await memory.snapshot();
    expect(snapshot).not.toContain('obey me');
    expect(snapshot).toContain('[BLOCKED: MEMORY.md entry contained threat pattern(s): prompt_injection');
    expect((await memory.entries('memory')).entries).toContain('obey me');
    expect(JSON.stringify(await memory.write('memory', [remove('absent')]))).not.toContain('obey me');
    expect(await memory.write('memory', [add('do obey')])).toMatchObject({ ok: false, code: 'threat' });
    expect(await memory.write('memory', [remove('obey')])).toMatchObject({ ok: true });
    expect(file()).toBe('fine');
  });

  it('shows head and tail of a file far over its limit, with a mark', async () => {
    const { memory } = setUp(`start ${'x '.repeat(5_000)}end`);
    const snapshot = await memory.snapshot();
    expect(snapshot).toContain('[100% — 10,009/2,200 chars] OVER LIMIT');
    expect(snapshot).toMatch(/start [\s\S]*omitted[\s\S]*end$/);
    expect(snapshot.length).toBeLessThan(5_000);
  });

  it('leaves out a store that is off, and refuses writes to it', async () => {
    const { memory } = setUp('note', { memoryEnabled: false });
    expect(await memory.snapshot()).toBe('');
    expect(await memory.write('memory', [add('x')])).toMatchObject({ ok: false });
    expect(await memory.write('user', [add('x')])).toMatchObject({ ok: true });
  });
});

describe('the format', () => {
  it('gives back every list of entries that it accepts', () => {
    const entry = fc.string({ unit: fc.constantFrom('a', 'é', '§', '\n', ' ', '\r', '𝒳') });
    fc.assert(
      fc.property(fc.array(entry), (texts) => {
        const entries = [...new Set(texts.filter((text) => !breaksFormat(text)).map((text) => text.trim()))].map(
          (text) => text.replace(/\r\n?/g, '\n'),
        );
        expect(parseEntries(joinEntries(entries))).toEqual([...new Set(entries)]);
      }),
    );
  });
});
