import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { newSession, temporaryStore } from '../../test/support/state-store.ts';
import { sanitizeTitle } from './titles.ts';

describe('titles', () => {
  it('are cleaned to one visible line of at most 100 characters', () => {
    expect(sanitizeTitle('  a\n\tb\u200b c\u202e\u0007  ')).toBe('a b c');
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 300 }), (text) => {
        const title = sanitizeTitle(text);
        expect([...title].length).toBeLessThanOrEqual(100);
        expect(title).not.toMatch(/[\p{Cc}\p{Cf}]|^\s|\s$|\s\s/u);
        expect(sanitizeTitle(title)).toBe(title);
      }),
    );
  });

  it('are unique when a person chooses them, and step aside when made', async () => {
    const store = await temporaryStore();
    for (const id of ['a', 'b', 'c']) await store.create(newSession(id));
    expect(await store.setTitle('a', 'Plans', 'user')).toBe('Plans');
    expect(await store.setTitle('a', 'Plans', 'user')).toBe('Plans');
    await expect(store.setTitle('b', 'Plans', 'user')).rejects.toMatchObject({ code: 'title-taken' });
    expect(await store.setTitle('b', 'Plans', 'derived')).toBe('Plans #2');
    expect(await store.setTitle('c', 'Plans #2', 'llm')).toBe('Plans #3');
    expect(await store.setTitle('a', '', 'user')).toBe('');
    expect((await store.get('a'))?.title).toBeUndefined();
  });

  it('are not replaced by a lesser one', async () => {
    const store = await temporaryStore();
    await store.create(newSession('a'));
    expect(await store.setTitle('a', 'derived', 'derived')).toBe('derived');
    expect(await store.setTitle('a', 'from a model', 'llm')).toBe('from a model');
    expect(await store.setTitle('a', 'derived again', 'derived')).toBe('from a model');
    expect(await store.setTitle('a', 'mine', 'user')).toBe('mine');
    expect(await store.setTitle('a', 'from a model', 'llm')).toBe('mine');
    expect(await store.get('a')).toMatchObject({ title: 'mine', titleSource: 'user' });
  });

  it('are numbered on for a continuation', async () => {
    const store = await temporaryStore();
    await store.create(newSession('a', { title: '100%_done' }));
    await store.create(newSession('b', { title: '100%_done #7' }));
    await store.create(newSession('c'));
    expect(await store.nextTitle('a')).toBe('100%_done #8');
    expect(await store.nextTitle('b')).toBe('100%_done #8');
    expect(await store.nextTitle('c')).toBeUndefined();
  });
});
