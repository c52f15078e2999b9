import { describe, expect, it } from 'vitest';
import type { Question } from '../contracts/turn.ts';
import { clarifyTool } from './clarify.ts';
import { createToolRegistry } from './registry.ts';
import { type TestContextOptions, testContext } from './testing/context.ts';

async function ask(args: object, options: TestContextOptions = {}) {
  const registry = createToolRegistry({ tools: [clarifyTool()], spillDir: '/nowhere' });
  const prepared = registry.prepare({ id: '1', name: 'clarify', args }, testContext(options));
  expect(prepared.invocation.concurrency).toBe('barrier');
  const { result } = await registry.execute(prepared);
  const [block] = result.content;
  return { isError: result.isError, json: JSON.parse(block?.type === 'text' ? block.text : '') };
}

describe('clarify', () => {
  it('offers the first choice as recommended and gives the plain answer back', async () => {
    const seen: Question[] = [];
    const answer = (question: Question) => {
      seen.push(question);
      return 'tea (Recommended)';
    };
    const { json } = await ask(
      { question: 'Which?', choices: [{ label: 'tea' }, 'coffee', { text: 'milk' }] },
      { answer },
    );
    expect(seen).toEqual([{ kind: 'clarify', prompt: 'Which?', options: ['tea (Recommended)', 'coffee', 'milk'] }]);
    expect(json).toEqual({ question: 'Which?', choices_offered: ['tea', 'coffee', 'milk'], user_response: 'tea' });
  });

  it('takes free text, and several choices apart also where they hold commas', async () => {
    expect((await ask({ question: 'Name?' }, { answer: () => 'Aki' })).json).toMatchObject({
      choices_offered: null,
      user_response: 'Aki',
    });
    const several = await ask(
      { question: 'Which?', choices: ['red, dark', 'blue'], multi_select: true },
      { answer: () => 'red, dark (Recommended), blue, my own' },
    );
    expect(several.json.user_response).toEqual(['red, dark', 'blue', 'my own']);
  });

  it('asks several in order and stops at one nobody answers', async () => {
    const answers = ['1', undefined];
    const { json } = await ask(
      { questions: [{ id: 'a', question: 'A?' }, { id: 'b', question: 'B?' }, 'C?'] },
      { answer: () => answers.shift() },
    );
    expect(json).toMatchObject({ timed_out: true, responses: [{ id: 'a', question: 'A?', user_response: '1' }] });
    expect(json.message).toContain('own judgement');
  });

  it('tells the model to judge for itself when nobody answers or nobody can be asked', async () => {
    expect((await ask({ question: 'A?' })).json).toMatchObject({
      timed_out: true,
      user_response: expect.stringContaining('own judgement'),
    });
    expect(await ask({ question: 'A?' }, { interactive: false })).toMatchObject({ isError: true });
    expect(await ask({})).toMatchObject({ isError: true });
  });
});
