import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createPromptMemory } from '../memory/create-prompt-memory.ts';
import type { MemoryTarget } from '../memory/prompt-memory.ts';
import { memoryTool } from './memory.ts';
import { createToolRegistry } from './registry.ts';
import { testContext } from './testing/context.ts';

function setUp(targets: readonly MemoryTarget[] = ['memory', 'user']) {
  const dir = mkdtempSync(join(tmpdir(), 'memory-tool-'));
  const registry = createToolRegistry({
    tools: [memoryTool({ memory: createPromptMemory({ dir, memoryLimit: 100 }), targets })],
    spillDir: join(dir, 'spill'),
  });
  const signal = new AbortController().signal;
  const call = async (args: object, turn = signal) => {
    const prepared = registry.prepare({ id: '1', name: 'memory', args }, testContext({ signal: turn }));
    const { result } = await registry.execute(prepared);
    const [block] = result.content;
    return JSON.parse(block?.type === 'text' ? block.text : '');
  };
  return { dir, registry, call, file: () => readFileSync(join(dir, 'MEMORY.md'), 'utf8') };
}

describe('memory', () => {
  it('adds, replaces and removes, without echoing the entries', async () => {
    const { call, file } = setUp();
    const added = await call({ target: 'memory', action: 'add', content: 'uses pnpm' });
    expect(added).toMatchObject({
      success: true,
      done: true,
      target: 'memory',
      usage: '9% — 9/100 chars',
      entry_count: 1,
    });
    expect(JSON.stringify(added)).not.toContain('uses pnpm');
    await call({ target: 'memory', action: 'replace', old_text: 'pnpm', content: 'uses bun' });
    expect(file()).toBe('uses bun');
    await call({ target: 'memory', action: 'delete', old_text: 'bun' });
    expect(file()).toBe('');
  });

  it('carries out a batch, and reads for a model that asks to', async () => {
    const { call } = setUp();
    await call({
      target: 'user',
      operations: [
        { action: 'add', content: 'a' },
        { action: 'add', content: 'b' },
        { action: 'delete', old_text: 'a' },
      ],
    });
    expect(await call({ target: 'user', action: 'read' })).toMatchObject({ entries: ['b'], entry_count: 1 });
  });

  it('advertises the three actions only', async () => {
    const { registry } = setUp();
    const [schema] = await registry.definitions();
    expect(JSON.stringify(schema)).not.toMatch(/"(read|delete)"/);
  });

  it('shows the entries to a model that left out which one it means', async () => {
    const { call } = setUp();
    await call({ target: 'memory', action: 'add', content: 'one' });
    expect(await call({ target: 'memory', action: 'remove' })).toMatchObject({
      success: false,
      current_entries: ['one'],
    });
  });

  it('gives up on consolidation after three failures of one turn, and starts anew with the next', async () => {
    const { call } = setUp();
    await call({ target: 'memory', action: 'add', content: 'x'.repeat(90) });
    const over = { target: 'memory', action: 'add', content: 'y'.repeat(30) };
    expect(await call(over)).toMatchObject({ success: false, current_entries: [expect.any(String)] });
    expect(await call(over)).not.toHaveProperty('done');
    expect(await call(over)).toMatchObject({ success: false, done: true });
    expect(await call(over, new AbortController().signal)).not.toHaveProperty('done');
    await call({ target: 'memory', action: 'remove', old_text: 'x' });
    expect(await call(over)).toMatchObject({ success: true });
  });

  it('names the copy of a file with drift', async () => {
    const { call, dir } = setUp();
    writeFileSync(join(dir, 'MEMORY.md'), 'same\n§\nsame');
    const refused = await call({ target: 'memory', action: 'remove', old_text: 'same' });
    expect(readFileSync(refused.drift_backup, 'utf8')).toBe('same\n§\nsame');
  });

  it('is offered for the stores that are on, and not at all without one', async () => {
    expect((await setUp([]).registry.definitions()).length).toBe(0);
    const [only] = await setUp(['user']).registry.definitions();
    expect(only?.parameters).toMatchObject({ properties: { target: { enum: ['user'] } } });
  });
});
