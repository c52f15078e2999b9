import { afterEach, expect, it } from 'vitest';
import { type Harness, startHarness } from '../../test/support/agent-harness.ts';
import { lastUserMessage } from './stored.ts';

let harness: Harness | undefined;
afterEach(() => harness?.close());

it('words for a running turn belong to the exchange they were said in: undo and retry begin at its question', async () => {
  const one = await startHarness();
  harness = one;
  one.server.script([
    { text: 'Hello.' },
    { toolCalls: [{ name: 'echo', args: { text: 'slow' }, id: 'c1' }] },
    { text: 'Done, with tabs.' },
  ]);
  await one.turn('hello');
  await one.turn('format it', {
    onEvent(event) {
      if (event.type === 'toolcall_start') one.agent.steer(one.session.id, 'use tabs');
    },
  });
  const { messages } = await one.store.load(one.session.id);
  const question = messages.find(({ message }) => message.content === 'format it');
  expect(lastUserMessage(messages)).toEqual({ rowId: question?.rowId, text: 'format it\n\nuse tabs' });
  expect(JSON.stringify(one.server.requests.at(-1)?.body.messages)).toContain('OUT-OF-BAND USER MESSAGE');
});
