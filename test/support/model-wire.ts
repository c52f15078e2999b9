/** How a scripted reply looks on the wire of each protocol: the events of a stream, or the one JSON answer. */

export interface ScriptedUsage {
  /** Uncached prompt tokens. */
  readonly input?: number;
  readonly output?: number;
  readonly cacheRead?: number;
  readonly cacheWrite?: number;
  readonly reasoning?: number;
}

export interface ScriptedCall {
  readonly name: string;
  /** An object, or a string sent as it is (also when it is not JSON). */
  readonly args?: unknown;
  readonly id?: string;
}

export interface ScriptedAnswer {
  readonly text?: string;
  readonly reasoning?: string;
  readonly toolCalls?: readonly ScriptedCall[];
  readonly usage?: ScriptedUsage;
  /** Replaces the usage object of the protocol as it is. */
  readonly rawUsage?: unknown;
  /** Finish reason in the protocol's own spelling. */
  readonly finish?: string;
  /** Characters per streamed piece. Default 16. */
  readonly chunk?: number;
  readonly model?: string;
}

export type Protocol = 'chat' | 'responses' | 'anthropic';

export interface WireEvent {
  /** Name of the SSE event; undefined for protocols that do not name them. */
  readonly event?: string;
  readonly data: unknown;
}

function pieces(text: string, size: number): string[] {
  const chars = Array.from(text);
  const out: string[] = [];
  for (let i = 0; i < chars.length; i += size) out.push(chars.slice(i, i + size).join(''));
  return out;
}

const argumentText = (call: ScriptedCall): string =>
  typeof call.args === 'string' ? call.args : JSON.stringify(call.args ?? {});

const withDefaults = (answer: ScriptedAnswer) => ({
  input: 10,
  output: 5,
  cacheRead: 0,
  cacheWrite: 0,
  ...answer.usage,
});

let counter = 0;
const callId = (call: ScriptedCall, prefix: string): string => call.id ?? `${prefix}${++counter}`;

/** @param model the name the request asked for, echoed when the script names none */
export function streamOf(protocol: Protocol, answer: ScriptedAnswer, model: string): WireEvent[] {
  const named = { ...answer, model: answer.model ?? model };
  if (protocol === 'anthropic') return anthropicStream(named);
  return protocol === 'responses' ? responsesStream(named) : chatStream(named);
}

export function jsonOf(protocol: Protocol, answer: ScriptedAnswer, model: string): unknown {
  const named = { ...answer, model: answer.model ?? model };
  if (protocol === 'anthropic') return anthropicJson(named);
  return protocol === 'responses' ? responsesJson(named) : chatJson(named);
}

// Chat completions

function chatUsage(answer: ScriptedAnswer): unknown {
  if (answer.rawUsage !== undefined) return answer.rawUsage;
  const usage = withDefaults(answer);
  const prompt = usage.input + usage.cacheRead + usage.cacheWrite;
  return {
    prompt_tokens: prompt,
    completion_tokens: usage.output,
    total_tokens: prompt + usage.output,
    prompt_tokens_details: {
      cached_tokens: usage.cacheRead,
      ...(usage.cacheWrite > 0 ? { cache_write_tokens: usage.cacheWrite } : {}),
    },
    ...(usage.reasoning === undefined ? {} : { completion_tokens_details: { reasoning_tokens: usage.reasoning } }),
  };
}

const chatFinish = (answer: ScriptedAnswer): string =>
  answer.finish ?? (answer.toolCalls?.length ? 'tool_calls' : 'stop');

function chatStream(answer: ScriptedAnswer): WireEvent[] {
  const size = answer.chunk ?? 16;
  const base = { id: 'chatcmpl-1', object: 'chat.completion.chunk', created: 1, model: answer.model };
  const delta = (value: unknown, finish: string | null = null): WireEvent => ({
    data: { ...base, choices: [{ index: 0, delta: value, finish_reason: finish }] },
  });
  const events = [delta({ role: 'assistant', content: '' })];
  for (const piece of pieces(answer.reasoning ?? '', size)) events.push(delta({ reasoning_content: piece }));
  for (const piece of pieces(answer.text ?? '', size)) events.push(delta({ content: piece }));
  answer.toolCalls?.forEach((call, index) => {
    const head = { index, id: callId(call, 'call_'), type: 'function' };
    events.push(delta({ tool_calls: [{ ...head, function: { name: call.name, arguments: '' } }] }));
    for (const piece of pieces(argumentText(call), size))
      events.push(delta({ tool_calls: [{ index, function: { arguments: piece } }] }));
  });
  events.push(delta({}, chatFinish(answer)), { data: { ...base, choices: [], usage: chatUsage(answer) } });
  return events;
}

function chatJson(answer: ScriptedAnswer): unknown {
  const toolCalls = answer.toolCalls?.map((call) => ({
    id: callId(call, 'call_'),
    type: 'function',
    function: { name: call.name, arguments: argumentText(call) },
  }));
  const message = {
    role: 'assistant',
    content: answer.text ?? null,
    ...(answer.reasoning === undefined ? {} : { reasoning_content: answer.reasoning }),
    ...(toolCalls === undefined ? {} : { tool_calls: toolCalls }),
  };
  const choices = [{ index: 0, message, finish_reason: chatFinish(answer) }];
  return {
    id: 'chatcmpl-1',
    object: 'chat.completion',
    created: 1,
    model: answer.model,
    choices,
    usage: chatUsage(answer),
  };
}

// Responses

function responsesItems(answer: ScriptedAnswer): Record<string, unknown>[] {
  const items: Record<string, unknown>[] = [];
  if (answer.reasoning !== undefined)
    items.push({
      id: 'rs_1',
      type: 'reasoning',
      summary: [{ type: 'summary_text', text: answer.reasoning }],
      encrypted_content: 'sealed',
    });
  if (answer.text !== undefined)
    items.push({
      id: 'msg_1',
      type: 'message',
      role: 'assistant',
      status: 'completed',
      content: [{ type: 'output_text', text: answer.text, annotations: [] }],
    });
  for (const call of answer.toolCalls ?? []) {
    const id = callId(call, 'call_');
    items.push({
      id: `fc_${id}`,
      type: 'function_call',
      call_id: id,
      name: call.name,
      arguments: argumentText(call),
      status: 'completed',
    });
  }
  return items;
}

function responsesUsage(answer: ScriptedAnswer): unknown {
  if (answer.rawUsage !== undefined) return answer.rawUsage;
  const usage = withDefaults(answer);
  const prompt = usage.input + usage.cacheRead + usage.cacheWrite;
  return {
    input_tokens: prompt,
    input_tokens_details: { cached_tokens: usage.cacheRead },
    output_tokens: usage.output,
    output_tokens_details: { reasoning_tokens: usage.reasoning ?? 0 },
    total_tokens: prompt + usage.output,
  };
}

function responsesJson(answer: ScriptedAnswer): Record<string, unknown> {
  const status = answer.finish ?? 'completed';
  return {
    id: 'resp_1',
    object: 'response',
    created_at: 1,
    model: answer.model,
    status,
    ...(status === 'incomplete' ? { incomplete_details: { reason: 'max_output_tokens' } } : {}),
    output: responsesItems(answer),
    usage: responsesUsage(answer),
  };
}

function responsesStream(answer: ScriptedAnswer): WireEvent[] {
  const size = answer.chunk ?? 16;
  const final = responsesJson(answer);
  const events: WireEvent[] = [];
  const push = (type: string, more: object): void => {
    events.push({ event: type, data: { type, sequence_number: events.length, ...more } });
  };
  push('response.created', { response: { ...final, status: 'in_progress', output: [], usage: null } });
  responsesItems(answer).forEach((item, index) => {
    const at = { item_id: item.id, output_index: index };
    if (item.type === 'reasoning') {
      push('response.output_item.added', {
        output_index: index,
        item: { ...item, summary: [], encrypted_content: null },
      });
      const part = { ...at, summary_index: 0 };
      push('response.reasoning_summary_part.added', { ...part, part: { type: 'summary_text', text: '' } });
      for (const delta of pieces(answer.reasoning ?? '', size))
        push('response.reasoning_summary_text.delta', { ...part, delta });
      push('response.reasoning_summary_part.done', { ...part, part: { type: 'summary_text', text: answer.reasoning } });
    } else if (item.type === 'message') {
      push('response.output_item.added', {
        output_index: index,
        item: { ...item, status: 'in_progress', content: [] },
      });
      const part = { ...at, content_index: 0 };
      push('response.content_part.added', { ...part, part: { type: 'output_text', text: '', annotations: [] } });
      for (const delta of pieces(answer.text ?? '', size)) push('response.output_text.delta', { ...part, delta });
      push('response.output_text.done', { ...part, text: answer.text });
    } else {
      push('response.output_item.added', {
        output_index: index,
        item: { ...item, arguments: '', status: 'in_progress' },
      });
      for (const delta of pieces(String(item.arguments), size))
        push('response.function_call_arguments.delta', { ...at, delta });
      push('response.function_call_arguments.done', { ...at, arguments: item.arguments });
    }
    push('response.output_item.done', { output_index: index, item });
  });
  push(final.status === 'incomplete' ? 'response.incomplete' : 'response.completed', { response: final });
  return events;
}

// Anthropic messages

function anthropicUsage(answer: ScriptedAnswer): unknown {
  if (answer.rawUsage !== undefined) return answer.rawUsage;
  const usage = withDefaults(answer);
  return {
    input_tokens: usage.input,
    output_tokens: usage.output,
    cache_read_input_tokens: usage.cacheRead,
    cache_creation_input_tokens: usage.cacheWrite,
  };
}

const anthropicFinish = (answer: ScriptedAnswer): string =>
  answer.finish ?? (answer.toolCalls?.length ? 'tool_use' : 'end_turn');

function anthropicJson(answer: ScriptedAnswer): unknown {
  const content: unknown[] = [];
  if (answer.reasoning !== undefined) content.push({ type: 'thinking', thinking: answer.reasoning, signature: 'sig' });
  if (answer.text !== undefined) content.push({ type: 'text', text: answer.text });
  for (const call of answer.toolCalls ?? [])
    content.push({ type: 'tool_use', id: callId(call, 'toolu_'), name: call.name, input: call.args ?? {} });
  return {
    id: 'msg_1',
    type: 'message',
    role: 'assistant',
    model: answer.model,
    content,
    stop_reason: anthropicFinish(answer),
    stop_sequence: null,
    usage: anthropicUsage(answer),
  };
}

function anthropicStream(answer: ScriptedAnswer): WireEvent[] {
  const size = answer.chunk ?? 16;
  const events: WireEvent[] = [];
  const push = (type: string, more: object = {}): void => {
    events.push({ event: type, data: { type, ...more } });
  };
  let index = -1;
  const block = (start: object, deltas: readonly object[]): void => {
    index += 1;
    push('content_block_start', { index, content_block: start });
    for (const delta of deltas) push('content_block_delta', { index, delta });
    push('content_block_stop', { index });
  };
  const usage = anthropicUsage(answer);
  const opening = typeof usage === 'object' && usage !== null ? { ...usage, output_tokens: 1 } : usage;
  push('message_start', {
    message: {
      id: 'msg_1',
      type: 'message',
      role: 'assistant',
      model: answer.model,
      content: [],
      stop_reason: null,
      stop_sequence: null,
      usage: opening,
    },
  });
  push('ping');
  if (answer.reasoning !== undefined)
    block({ type: 'thinking', thinking: '', signature: '' }, [
      ...pieces(answer.reasoning, size).map((thinking) => ({ type: 'thinking_delta', thinking })),
      { type: 'signature_delta', signature: 'sig' },
    ]);
  if (answer.text !== undefined)
    block(
      { type: 'text', text: '' },
      pieces(answer.text, size).map((text) => ({ type: 'text_delta', text })),
    );
  for (const call of answer.toolCalls ?? [])
    block(
      { type: 'tool_use', id: callId(call, 'toolu_'), name: call.name, input: {} },
      pieces(argumentText(call), size).map((partial_json) => ({ type: 'input_json_delta', partial_json })),
    );
  push('message_delta', { delta: { stop_reason: anthropicFinish(answer), stop_sequence: null }, usage });
  push('message_stop');
  return events;
}
