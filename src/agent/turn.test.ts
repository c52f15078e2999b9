import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, describe, expect, it } from 'vitest';
import { echoTool, type Harness, type HarnessOptions, startHarness } from '../../test/support/agent-harness.ts';
import { assertStablePrefix } from '../../test/support/model-server.ts';
import type { ChatMessage } from '../contracts/message.ts';
import { defineTool, failure, textOutcome } from '../tools/tool.ts';
import { textOf, toolCallsOf } from './sanitize.ts';

let open: Harness[] = [];
afterEach(async () => {
  for (const harness of open) await harness.close();
  open = [];
});

async function start(options: HarnessOptions = {}): Promise<Harness> {
  const harness = await startHarness(options);
  open.push(harness);
  return harness;
}

const stored = async (harness: Harness): Promise<readonly ChatMessage[]> =>
  (await harness.store.load(harness.session.id)).messages.map(({ message }) => message);

const roles = (messages: readonly ChatMessage[]): string => messages.map(({ role }) => role).join(' ');

/** Rule 3, and the alternation of roles, as any provider would check them. */
function expectLegal(
  messages: readonly { role: string; tool_calls?: { id: string }[]; tool_call_id?: string }[],
): void {
  let open: string[] = [];
  let last = '';
  for (const message of messages) {
    if (message.role === 'tool') {
      expect(open).toContain(message.tool_call_id);
      open = open.filter((id) => id !== message.tool_call_id);
    } else {
      expect(open).toEqual([]);
      if (message.role === 'user' || message.role === 'assistant') expect(message.role).not.toBe(last);
      open = message.tool_calls?.map(({ id }) => id) ?? [];
    }
    last = message.role;
  }
  expect(open).toEqual([]);
}

describe('a turn', () => {
  it('calls tools, keeps one prefix over all requests and stores every message', async () => {
    const harness = await start();
    harness.server.script([
      { text: 'First.', toolCalls: [{ name: 'echo', args: { text: 'a' }, id: 'c1' }] },
      { toolCalls: [{ name: 'echo', args: { text: 'b' }, id: 'c2' }] },
      { text: 'All done.' },
      { text: 'Again.' },
    ]);
    const first = await harness.turn('go');
    expect(first.result).toMatchObject({ stop: 'done', text: 'All done.', iterations: 3 });
    expect(first.shown).toContain('All done.');
    await harness.turn('more');
    assertStablePrefix(harness.server.requests);
    for (const { body } of harness.server.requests) expectLegal(body.messages);
    expect(roles(await stored(harness))).toBe(
      'user assistant toolResult assistant toolResult assistant user assistant',
    );
  });

  it('KF-064: goes on after a restart with the same prefix, byte for byte', async () => {
    const harness = await start();
    harness.server.script([
      { toolCalls: [{ name: 'echo', args: { text: 'x' }, id: 'c1' }] },
      { text: 'one' },
      { text: 'two' },
    ]);
    await harness.turn('go');
    const again = await harness.restart();
    open = [again];
    await again.turn('and now?');
    assertStablePrefix(again.server.requests);
  });

  it('KF-047: puts the results of parallel calls in call order, whatever ends first', async () => {
    const harness = await start();
    harness.server.script([
      {
        toolCalls: [
          { name: 'echo', args: { text: 'slow' }, id: 'c1' },
          { name: 'echo', args: { text: 'fast' }, id: 'c2' },
        ],
      },
      { text: 'ok' },
    ]);
    await harness.turn('both');
    const results = harness.server.requests[1]?.body.messages.filter(({ role }: { role: string }) => role === 'tool');
    expect(results.map((row: { tool_call_id: string; content: string }) => [row.tool_call_id, row.content])).toEqual([
      ['c1', 'said slow'],
      ['c2', 'said fast'],
    ]);
  });

  it('KF-032: neither runs nor stores a call that the output limit cut', async () => {
    const harness = await start();
    let calls = 0;
    harness.server.script(() => {
      calls++;
      return { toolCalls: [{ name: 'echo', args: '{"text":"hel', id: `c${calls}` }], finish: 'length' };
    });
    const { result } = await harness.turn('write');
    expect(result.stop).toBe('error');
    expect(result.receipts).toEqual([]);
    expect(calls).toBeLessThan(8);
    expect(
      (await stored(harness)).flatMap((message) => (message.role === 'assistant' ? toolCallsOf(message) : [])),
    ).toEqual([]);
  });

  it('KF-033: repairs a trailing comma instead of calling the tool with nothing', async () => {
    const harness = await start();
    harness.server.script([{ toolCalls: [{ name: 'echo', args: '{"text": "hi",}', id: 'c1' }] }, { text: 'ok' }]);
    const { result } = await harness.turn('say hi');
    expect(result.receipts).toMatchObject([{ tool: 'echo', ok: true }]);
    expect(textOf((await stored(harness))[2] as ChatMessage)).toBe('said hi');
  });

  it('KF-038: joins what came before and after a broken stream, without a repeated part', async () => {
    const harness = await start();
    harness.server.script([
      { text: 'The three steps are: 1.', cutAfter: 2, chunk: 100 },
      { text: 'The three steps are: 1. Boil it.' },
    ]);
    const { result, shown } = await harness.turn('how?');
    expect(result).toMatchObject({ stop: 'done', text: 'The three steps are: 1. Boil it.' });
    expect(shown).toBe(result.text);
  });

  it('KF-039: delivers once what a provider always calls cut', async () => {
    const harness = await start();
    harness.server.script(() => ({ text: 'Done.', finish: 'length' }));
    const { result, shown } = await harness.turn('?');
    expect(result).toMatchObject({ stop: 'done', text: 'Done.' });
    expect(shown).toBe('Done.');
    expect(harness.server.requests.length).toBeLessThan(5);
  });

  it('KF-044: keeps inline reasoning out of the answer, the store and the next request', async () => {
    const harness = await start();
    harness.server.script([{ text: '<think>p</think>Blue', chunk: 4 }, { text: 'ok' }]);
    const { result, shown, reasoning } = await harness.turn('colour?');
    expect([result.text, shown, reasoning]).toEqual(['Blue', 'Blue', 'p']);
    await harness.turn('thanks');
    expect(JSON.stringify(harness.server.requests[1]?.body.messages)).not.toContain('think>');
    expect(textOf((await stored(harness))[1] as ChatMessage)).toBe('Blue');
  });

  it('KF-048: answers calls of unknown tools with the names there are, and stops after a few', async () => {
    const harness = await start();
    harness.server.script((_request, index) => ({
      toolCalls: [{ name: 'view_file', args: { n: index }, id: `c${index}` }],
    }));
    const { result } = await harness.turn('look');
    expect(result.stop).toBe('cap');
    expect(harness.server.requests.length).toBeLessThan(8);
    expect(JSON.stringify(harness.server.requests[1]?.body.messages)).toContain('echo');
  });

  it('KF-049: asks again after an empty reply a bounded number of times and then says so plainly', async () => {
    const harness = await start();
    harness.server.script((_request, index) =>
      index === 0 ? { toolCalls: [{ name: 'echo', args: { text: 'a' }, id: 'c' }] } : { text: '' },
    );
    const { result, shown } = await harness.turn('go');
    expect(result).toMatchObject({ stop: 'error', text: '', error: { code: 'empty-response' } });
    expect(shown).toBe('');
    expect(harness.server.requests.length).toBeLessThan(8);
    harness.server.script([{ text: 'Here.' }]);
    expect((await harness.turn('hello?')).result.text).toBe('Here.');
    assertStablePrefix(harness.server.requests);
  });

  it('KF-050: at the limit makes exactly one more call, without tools, and says that it stopped', async () => {
    const harness = await start({ maxIterations: 3 });
    harness.server.script(({ body }) =>
      body.tools === undefined || body.tools.length === 0
        ? { text: 'Half of it is done.' }
        : { toolCalls: [{ name: 'echo', args: { text: `${body.messages.length}` }, id: `c${body.messages.length}` }] },
    );
    const { result, shown } = await harness.turn('count');
    expect(result.stop).toBe('budget');
    expect(result.text).toContain('Half of it is done.');
    expect(result.text).toMatch(/limit of 3/);
    expect(shown).toBe(result.text);
    expect(harness.server.requests).toHaveLength(4);
    expect((await stored(harness)).filter(({ role }) => role === 'toolResult')).toHaveLength(3);
  });

  it('KF-051: hints at a repeated call, and stops only then', async () => {
    const harness = await start();
    harness.server.script((_request, index) => ({
      toolCalls: [{ name: 'echo', args: { text: 'same' }, id: `c${index}` }],
    }));
    const { result } = await harness.turn('loop');
    expect(result.stop).toBe('cap');
    expect(JSON.stringify((await stored(harness)).map(textOf))).toContain('change the approach');
    expectLegal(harness.server.requests.at(-1)?.body.messages);
  });

  it('KF-053: replaces half of an emoji everywhere', async () => {
    const harness = await start();
    harness.server.script([{ text: 'ok \ud83d end', chunk: 100 }, { text: 'fine' }]);
    const { shown } = await harness.turn('go');
    expect(shown).toBe('ok \ufffd end');
    await harness.turn('next \ud83d');
    expect(harness.server.requests[1]?.raw).not.toContain('\\ud83d');
    expect((await stored(harness)).map(textOf).join('')).not.toMatch(/\ud83d/);
  });

  it('uses text beside housekeeping calls as the answer when nothing follows', async () => {
    const todo = defineTool<object>({
      name: 'todo',
      toolset: 'todo',
      description: 'Plans',
      parameters: { jsonSchema: { type: 'object', properties: {} } },
      plan: () => ({ summary: 'todo', concurrency: 'barrier', run: async () => textOutcome('ok') }),
    });
    const harness = await start({ tools: [todo] });
    harness.server.script([{ text: 'It is 42.', toolCalls: [{ name: 'todo', args: {}, id: 'c1' }] }, { text: '' }]);
    expect((await harness.turn('?')).result).toMatchObject({ stop: 'done', text: 'It is 42.' });
  });

  it('sends the overlay with every request and stores nothing of it', async () => {
    const prefill = [
      { role: 'user', content: 'How do you answer?' },
      { role: 'assistant', content: 'In verse.' },
    ] as const;
    const harness = await start({ overlay: { system: 'Answer in verse.', prefill } });
    harness.server.script([{ text: 'one' }, { text: 'two' }]);
    await harness.turn('a');
    await harness.turn('b');
    assertStablePrefix(harness.server.requests);
    const { messages } = harness.server.requests[0]?.body ?? {};
    expect(messages[0].content).toMatch(/Answer in verse\.$/);
    expect(messages.map(({ role }: { role: string }) => role)).toEqual(['system', 'user', 'assistant', 'user']);
    expect(JSON.stringify(await harness.store.load(harness.session.id))).not.toContain('verse');
  });

  it('reports a provider failure in one sentence and keeps what the user said', async () => {
    const harness = await start();
    harness.server.script([{ status: 401, body: { error: { message: 'bad key' } } }, { text: 'hello again' }]);
    const { result } = await harness.turn('first');
    expect(result).toMatchObject({ stop: 'error', error: { code: 'auth' } });
    expect(result.error?.message).not.toMatch(/\n|at /);
    await harness.turn('second');
    const sent = JSON.stringify(harness.server.requests[1]?.body.messages);
    expect(sent).toContain('first');
    expect(sent).toContain('second');
  });
});

describe('a change of model', () => {
  it.each(['other-model', 'claude-sonnet-4'])(
    'KF-054: to %s in mid-conversation sends the next question once, in a legal order',
    async (model) => {
      const harness = await start();
      harness.server.script([
        { reasoning: 'hm', text: 'First.', toolCalls: [{ name: 'echo', args: { text: 'a' }, id: 'call|x/1' }] },
        { text: 'Done.' },
        { text: 'Now me.' },
      ]);
      await harness.turn('go');
      await harness.agent.switchModel(harness.session, { model });
      const { result } = await harness.turn('and now?');
      expect(result).toMatchObject({ stop: 'done', text: 'Now me.' });
      const { body, raw } = harness.server.requests[2] ?? {};
      expect(body.model).toBe(model);
      expect(raw?.split('and now?')).toHaveLength(2);
      expect(body.messages.at(-1).role).toBe('user');
      expect((await harness.store.get(harness.session.id))?.model).toBe(model);
    },
  );
});

describe('a turn that ends badly', () => {
  it('leaves the next message apart from the failed one, so that no sent message changes', async () => {
    const harness = await start();
    harness.server.script([
      { status: 400, body: { error: { message: 'unknown parameter: foo' } } },
      { text: 'fine' },
      { text: 'still fine' },
    ]);
    await harness.turn('first');
    await harness.turn('second');
    await harness.turn('third');
    assertStablePrefix(harness.server.requests);
    expectLegal(harness.server.requests[2]?.body.messages);
  });

  it('does not show the words beside a cut call twice', async () => {
    const harness = await start();
    harness.server.script([
      { text: 'Writing it now.', toolCalls: [{ name: 'echo', args: '{"text":"hel', id: 'c1' }], finish: 'length' },
      { text: 'Writing it now.', toolCalls: [{ name: 'echo', args: { text: 'hello' }, id: 'c2' }] },
      { text: ' Done.' },
    ]);
    const { shown, result } = await harness.turn('write');
    expect(result.stop).toBe('done');
    expect(shown).toBe('Writing it now. Done.');
  });

  it('KF-038: shows once what a provider always cuts at the same place, tries of its own included', async () => {
    const harness = await start({ retries: true });
    harness.server.script(() => ({ text: 'hello there this is a long text', cutAfter: 3, chunk: 8 }));
    const { shown, result } = await harness.turn('go');
    expect(result.stop).toBe('error');
    expect(result.text).toBe(shown);
    expect(shown.split('hello')).toHaveLength(2);
  });

  it('says why it stopped in the answer, not only beside it', async () => {
    const harness = await start();
    harness.server.script((_request, index) => ({
      toolCalls: [{ name: 'echo', args: { text: 'same' }, id: `c${index}` }],
    }));
    const { shown, result } = await harness.turn('loop');
    expect(result.stop).toBe('cap');
    expect(shown).toBe(result.text);
  });
});

describe('an interrupted turn', () => {
  const slow = defineTool<object>({
    name: 'slow',
    toolset: 'test',
    description: 'Waits',
    parameters: { jsonSchema: { type: 'object', properties: {} } },
    plan: (_args, ctx) => ({
      summary: 'slow',
      concurrency: 'barrier',
      async run() {
        await sleep(10_000, undefined, { signal: ctx.io.signal }).catch(() => undefined);
        return failure('interrupted', 'Interrupted.');
      },
    }),
  });

  it('answers every call, and the next turn sends a legal history', async () => {
    const harness = await start({ tools: [slow, echoTool] });
    const stop = new AbortController();
    harness.server.script([
      {
        toolCalls: [
          { name: 'slow', args: {}, id: 'c1' },
          { name: 'echo', args: { text: 'later' }, id: 'c2' },
        ],
      },
      { text: 'hello' },
    ]);
    const { result } = await harness.turn('go', {
      signal: stop.signal,
      onEvent: (event) => event.type === 'toolcall_start' && stop.abort(),
    });
    expect(result.stop).toBe('interrupted');
    await harness.turn('go on');
    expectLegal(harness.server.requests[1]?.body.messages);
    assertStablePrefix(harness.server.requests);
    expect(JSON.stringify(harness.server.requests[1]?.body.messages)).not.toContain('said later');
  });

  it('discards a reply that was still streaming', async () => {
    const harness = await start();
    const stop = new AbortController();
    harness.server.script([
      { text: 'A long answer that goes on', hangAfter: 2, hangMs: 10_000, chunk: 5 },
      { text: 'ok' },
    ]);
    const { result } = await harness.turn('tell', {
      signal: stop.signal,
      onEvent: (event) => event.type === 'text_delta' && stop.abort(),
    });
    expect(result.stop).toBe('interrupted');
    await harness.turn('next');
    expectLegal(harness.server.requests[1]?.body.messages);
    assertStablePrefix(harness.server.requests);
  });
});

describe('the agent', () => {
  it('runs one turn of a session at a time and delivers steering at the next tool boundary', async () => {
    const harness = await start();
    harness.server.script([{ toolCalls: [{ name: 'echo', args: { text: 'slow' }, id: 'c1' }] }, { text: 'changed' }]);
    let refused = '';
    expect(harness.agent.steer(harness.session.id, 'too early')).toBe(false);
    await harness.turn('go', {
      onEvent: (event) => {
        if (event.type !== 'toolcall_start') return;
        expect(harness.agent.steer(harness.session.id, 'use metres')).toBe(true);
        void harness.turn('second').catch((error) => {
          refused = error.code;
        });
      },
    });
    expect(refused).toBe('session-busy');
    const sent = harness.server.requests[1]?.body.messages;
    expect(sent.at(-1)).toMatchObject({ role: 'user', content: expect.stringContaining('use metres') });
    expectLegal(sent);
  });

  it('tells what the next request is made of', async () => {
    const harness = await start();
    harness.server.script([{ text: 'hi', usage: { input: 100, cacheRead: 60, output: 5 } }]);
    await harness.turn('hello');
    const report = await harness.agent.context(harness.session);
    expect(report.cachedTokens).toBe(60);
    expect(report.blocks.map(({ name }) => name)).toEqual(
      expect.arrayContaining(['identity', 'tool echo', 'user messages']),
    );
    expect(report.totalTokens).toBe(report.blocks.reduce((sum, { tokens }) => sum + tokens, 0));
    // 60 of 160 tokens came from the cache: the beginning did, the newest message did not.
    expect(report.blocks[0]?.cached).toBe('yes');
    expect(report.blocks.at(-1)?.cached).toBe('no');
    const again = await harness.restart();
    open = [again];
    expect(await again.agent.context(again.session)).toEqual(report);
  });
});
