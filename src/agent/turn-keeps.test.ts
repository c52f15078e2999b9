/** What a turn must not lose: text that was shown, results, words of the person, the folder a command went to. */
import { afterEach, describe, expect, it } from 'vitest';
import { type Harness, type HarnessOptions, startHarness } from '../../test/support/agent-harness.ts';
import { assertStablePrefix } from '../../test/support/model-server.ts';
import type { ChatMessage } from '../contracts/message.ts';
import { defineTool, textOutcome } from '../tools/tool.ts';
import { sanitizeHistory, textOf } from './sanitize.ts';

const open: Harness[] = [];
afterEach(async () => {
  for (const harness of open.splice(0)) await harness.close();
});

async function start(options: HarnessOptions = {}): Promise<Harness> {
  const harness = await startHarness(options);
  open.push(harness);
  return harness;
}

const contents = (body: { messages: { role: string; content: unknown }[] }, role: string): string =>
  JSON.stringify(body.messages.filter((message) => message.role === role).map(({ content }) => content));

describe('an answer that broke off after it was shown', () => {
  it('is in the history that the continuation is asked with', async () => {
    const harness = await start({ retries: true });
    harness.server.script([
      { text: 'The first half of the answer, ', cutAfter: 2, cut: 'reset' },
      { text: 'and the second.' },
    ]);
    const { result } = await harness.turn('go');
    expect(result.stop).toBe('done');
    const [, second] = harness.server.requests;
    const shown = result.text.slice(0, result.text.indexOf('and the second.'));
    expect(shown.trim()).not.toBe('');
    expect(contents(second?.body, 'assistant')).toContain(shown.trim());
    assertStablePrefix(harness.server.requests);
  });
});

describe('a model that numbers its calls anew in every reply', () => {
  it('gets the result of each call, not of the first one with that number', async () => {
    const harness = await start();
    harness.server.script([
      { toolCalls: [{ name: 'echo', args: { text: 'one' }, id: 'call_0' }] },
      { toolCalls: [{ name: 'echo', args: { text: 'two' }, id: 'call_0' }] },
      { text: 'Done.' },
    ]);
    await harness.turn('go');
    const last = harness.server.requests.at(-1);
    expect(contents(last?.body, 'tool')).toContain('said one');
    expect(contents(last?.body, 'tool')).toContain('said two');
    expect(contents(last?.body, 'tool')).not.toContain('No result');
    assertStablePrefix(harness.server.requests);
  });

  it('keeps an unanswered call apart from a later one of that number', () => {
    const call = (at: number): ChatMessage => ({
      role: 'assistant',
      content: [{ type: 'toolCall', id: 'call_0', name: 'echo', arguments: {} }],
      api: 'a',
      provider: 'p',
      model: 'm',
      usage: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, totalTokens: 0, cost: noCost },
      stopReason: 'toolUse',
      timestamp: at,
    });
    const result: ChatMessage = {
      role: 'toolResult',
      toolCallId: 'call_0',
      toolName: 'echo',
      content: [{ type: 'text', text: 'second' }],
      isError: false,
      timestamp: 4,
    };
    const history: ChatMessage[] = [call(1), { role: 'user', content: 'go on', timestamp: 2 }, call(3), result];
    const sent = sanitizeHistory(history);
    expect(sent.map(({ role }) => role)).toEqual(['assistant', 'toolResult', 'user', 'assistant', 'toolResult']);
    expect(sent.map(textOf).filter((text) => text !== '')).toEqual([
      '[No result: the call was interrupted before it finished.]',
      'go on',
      'second',
    ]);
  });
});

const noCost = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, total: 0 };

describe('calls of one reply', () => {
  it('are planned after the barriers before them: a relative path means the folder that a command went to', async () => {
    let folder = '/start';
    const go = defineTool({
      name: 'go',
      toolset: 'test',
      description: 'Changes the folder.',
      parameters: { jsonSchema: { type: 'object', properties: {} } },
      plan: () => ({
        summary: 'go',
        concurrency: 'barrier',
        async run() {
          folder = '/moved';
          return textOutcome('moved');
        },
      }),
    });
    const where = defineTool({
      name: 'where',
      toolset: 'test',
      description: 'Says the folder it was planned in.',
      parameters: { jsonSchema: { type: 'object', properties: {} } },
      plan() {
        const planned = folder;
        return {
          summary: `in ${planned}`,
          concurrency: { reads: [], writes: [planned] },
          run: async () => textOutcome(planned),
        };
      },
    });
    const harness = await start({ tools: [go, where] });
    harness.server.script([
      {
        toolCalls: [
          { name: 'where', args: {}, id: 'c1' },
          { name: 'go', args: {}, id: 'c2' },
          { name: 'where', args: {}, id: 'c3' },
          { name: 'nowhere', args: {}, id: 'c4' },
        ],
      },
      { text: 'Done.' },
    ]);
    const { events } = await harness.turn('go');
    const started = events.flatMap((event) => (event.type === 'toolcall_start' ? [event.call.summary] : []));
    expect(started).toEqual(['in /start', 'go', 'in /moved', 'nowhere']);
    const results = contents(harness.server.requests.at(-1)?.body, 'tool');
    expect(results).toMatch(/start.*moved.*moved.*nowhere/s);
  });
});

describe('words for the running turn', () => {
  it('that came too late for a turn that failed reach the model with the next one', async () => {
    const harness = await start();
    harness.server.script([{ status: 401, body: { error: { message: 'no' } } }, { text: 'Heard.' }]);
    const failed = await harness.turn('go', {
      onEvent(event) {
        if (event.type === 'turn_start') setTimeout(() => harness.agent.steer(harness.session.id, 'mind the gap'), 0);
      },
    });
    expect(failed.result.stop).toBe('error');
    await harness.turn('again');
    expect(contents(harness.server.requests.at(-1)?.body, 'user')).toContain('mind the gap');
  });

  it('are refused once the answer is final, so that the door keeps them', async () => {
    const harness = await start();
    harness.server.script([{ text: 'Answer.' }]);
    let taken: boolean | undefined;
    await harness.turn('go', {
      onEvent(event) {
        if (event.type === 'turn_end') taken = harness.agent.steer(harness.session.id, 'one more thing');
      },
    });
    expect(taken).toBe(false);
  });
});
