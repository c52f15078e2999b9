/** A plain JSON answer of a provider, retold as the events of its own stream. */
import type { LibraryApi } from './endpoint.ts';

type Json = Record<string, unknown>;

const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const list = (value: unknown): Json[] => (Array.isArray(value) ? value.filter(isObject) : []);

/** Undefined when the answer is none of this protocol. */
export function plainAnswerToEvents(api: LibraryApi, answer: unknown): string | undefined {
  if (!isObject(answer) || answer.error !== undefined) return undefined;
  if (api === 'openai-completions') return chatEvents(answer);
  if (api === 'anthropic-messages') return messageEvents(answer);
  return api === 'openai-responses' ? responseEvents(answer) : undefined;
}

const encode = (events: readonly Json[], named: boolean): string =>
  events.map((data) => `${named ? `event: ${data.type}\n` : ''}data: ${JSON.stringify(data)}\n\n`).join('');

function chatEvents(answer: Json): string | undefined {
  const choices = list(answer.choices);
  if (choices.length === 0) return undefined;
  const [choice] = choices;
  const message = isObject(choice?.message) ? choice.message : {};
  const calls = list(message.tool_calls).map((call, index) => ({ ...call, index }));
  const delta = { ...message, ...(calls.length > 0 ? { tool_calls: calls } : {}) };
  const finish = choice?.finish_reason ?? (calls.length > 0 ? 'tool_calls' : 'stop');
  const chunk = { ...answer, object: 'chat.completion.chunk', choices: [{ index: 0, delta, finish_reason: finish }] };
  return `${encode([chunk], false)}data: [DONE]\n\n`;
}

function messageEvents(answer: Json): string | undefined {
  if (answer.type !== 'message') return undefined;
  const events: Json[] = [{ type: 'message_start', message: { ...answer, content: [], stop_reason: null } }];
  list(answer.content).forEach((block, index) => {
    const start = block.type === 'tool_use' ? { ...block, input: {} } : block;
    events.push({ type: 'content_block_start', index, content_block: start });
    const json = JSON.stringify(block.input ?? {});
    if (block.type === 'tool_use')
      events.push({ type: 'content_block_delta', index, delta: { type: 'input_json_delta', partial_json: json } });
    if (block.type === 'text')
      events.push({ type: 'content_block_delta', index, delta: { type: 'text_delta', text: block.text } });
    events.push({ type: 'content_block_stop', index });
  });
  // The text travels in its delta; a start that held it too would double it.
  for (const event of events)
    if (isObject(event.content_block) && event.content_block.type === 'text')
      event.content_block = { type: 'text', text: '' };
  events.push({ type: 'message_delta', delta: { stop_reason: answer.stop_reason ?? 'end_turn' }, usage: answer.usage });
  events.push({ type: 'message_stop' });
  return encode(events, true);
}

function responseEvents(answer: Json): string | undefined {
  if (!Array.isArray(answer.output)) return undefined;
  const events: Json[] = [{ type: 'response.created', response: { ...answer, output: [] } }];
  list(answer.output).forEach((item, index) => {
    events.push({ type: 'response.output_item.added', output_index: index, item: emptied(item) });
    const at = { output_index: index, item_id: item.id };
    if (item.type === 'message')
      list(item.content).forEach((part, content_index) => {
        events.push({ type: 'response.content_part.added', ...at, content_index, part: { ...part, text: '' } });
        events.push({ type: 'response.output_text.delta', ...at, content_index, delta: part.text ?? '' });
      });
    events.push({ type: 'response.output_item.done', output_index: index, item });
  });
  events.push({
    type: answer.status === 'incomplete' ? 'response.incomplete' : 'response.completed',
    response: answer,
  });
  return encode(events, true);
}

function emptied(item: Json): Json {
  if (item.type === 'function_call') return { ...item, arguments: '' };
  if (item.type === 'message') return { ...item, content: [] };
  return item.type === 'reasoning' ? { ...item, summary: [] } : item;
}
