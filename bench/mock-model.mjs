#!/usr/bin/env node
import fs from 'node:fs';
// mock-llm: a scripted, dependency-free LLM endpoint for measuring terminal agents.
//
//   node mock-llm.mjs [--port 0] [--host 127.0.0.1] [--log requests.jsonl] [--ttfb 0]
//                     [--script final|tools-N] [--cmd 'echo step-{k}'] [--dump DIR]
//
// Speaks: OpenAI chat/completions (stream + not), OpenAI Responses (stream + not),
//         Anthropic messages (stream + not) + count_tokens, Gemini generateContent (stream + not),
//         GET .../models.  Any path prefix is accepted (/v1, /api/v1, ...).
//
// Script, first match wins: 1. [[final]] / [[tools-N]] anywhere in the last real user prompt
//         2. the model name contains `final` or `tools-N`   3. the run's / --script default.
//   final    -> a short fixed text at once
//   tools-N  -> N shell tool calls in a row, then the text. The step is counted from the tool results
//               in the request, so the server holds no conversation state. The tool is the client's own
//               shell-like tool, its schema filled in from its JSON Schema.
// A request that offers no tools (titles, summaries, routing) is answered with text (or, if it asks for
// a JSON schema, with a minimal object of that schema) and is logged as kind "aux".
//
// Control: POST /__run {"id","script","ttfb","cmd"} starts a run; GET /__run ends it and returns its rows.
// The hot path only parses and answers; sizes and prefix comparison are worked out at the end of a run
// (or after 400 ms of silence), so that the mock's own cost does not sit between two rounds.
//
// Times are CLOCK_MONOTONIC nanoseconds (process.hrtime), comparable across processes on one machine.
import http from 'node:http';
import { pathToFileURL } from 'node:url';
import zlib from 'node:zlib';

const FINAL_TEXT = 'Done. All steps finished.';
const now = () => process.hrtime.bigint();

// ---------------------------------------------------------------- reading a request, per dialect
const J = (x) => JSON.stringify(x);
const textOf = (c) =>
  typeof c === 'string'
    ? c
    : Array.isArray(c)
      ? c.map((p) => (typeof p === 'string' ? p : (p?.text ?? ''))).join('')
      : '';

const dialects = {
  chat: {
    match: (p) => p.endsWith('/chat/completions'),
    tools: (b) =>
      (b.tools ?? []).map((t) => ({
        name: t.function?.name ?? t.name ?? t.type,
        schema: t.function?.parameters ?? {},
        kind: t.type,
      })),
    rawTools: (b) => b.tools,
    results: (b) => (b.messages ?? []).filter((m) => m.role === 'tool').length,
    system: (b) =>
      (b.messages ?? [])
        .filter((m) => m.role === 'system' || m.role === 'developer')
        .map((m) => textOf(m.content))
        .join('\n'),
    items: (b) => b.messages ?? [],
    userText: (b) =>
      (b.messages ?? [])
        .filter((m) => m.role === 'user')
        .map((m) => textOf(m.content))
        .join('\n'),
    lastResult: (b) => textOf((b.messages ?? []).filter((m) => m.role === 'tool').pop()?.content),
    stream: (b) => !!b.stream,
    jsonSchema: (b) =>
      b.response_format?.json_schema?.schema ?? (b.response_format?.type === 'json_object' ? {} : null),
  },
  responses: {
    match: (p) => p.endsWith('/responses'),
    tools: (b) => flattenRespTools(respTools(b)),
    rawTools: (b) => respTools(b),
    results: (b) => (Array.isArray(b.input) ? b.input : []).filter((m) => /_call_output$/.test(m.type ?? '')).length,
    system: (b) =>
      [
        b.instructions ?? '',
        ...(Array.isArray(b.input) ? b.input : [])
          .filter((m) => m.role === 'system' || m.role === 'developer')
          .map((m) => textOf(m.content)),
      ]
        .filter(Boolean)
        .join('\n'),
    items: (b) => [
      ...(b.instructions ? [{ instructions: b.instructions }] : []),
      ...(Array.isArray(b.input) ? b.input : [b.input]).filter((m) => m?.type !== 'additional_tools'),
    ],
    userText: (b) =>
      typeof b.input === 'string'
        ? b.input
        : (b.input ?? [])
            .filter((m) => m.role === 'user')
            .map((m) => textOf(m.content))
            .join('\n'),
    lastResult: (b) => {
      const m = (b.input ?? []).filter((m) => /_call_output$/.test(m.type ?? '')).pop();
      return m ? (typeof m.output === 'string' ? m.output : J(m.output)) : '';
    },
    stream: (b) => !!b.stream,
    jsonSchema: (b) => b.text?.format?.schema ?? null,
  },
  anthropic: {
    match: (p) => p.endsWith('/messages'),
    tools: (b) =>
      (b.tools ?? []).map((t) => ({ name: t.name, schema: t.input_schema ?? {}, kind: t.type ?? 'custom' })),
    rawTools: (b) => b.tools,
    results: (b) =>
      (b.messages ?? []).reduce(
        (n, m) => n + (Array.isArray(m.content) ? m.content.filter((c) => c.type === 'tool_result').length : 0),
        0,
      ),
    system: (b) => textOf(b.system),
    items: (b) => [...(b.system ? [{ system: b.system }] : []), ...(b.messages ?? [])],
    userText: (b) =>
      (b.messages ?? [])
        .filter((m) => m.role === 'user')
        .map((m) => textOf(m.content))
        .join('\n'),
    lastResult: (b) =>
      textOf(
        (b.messages ?? [])
          .flatMap((m) => (Array.isArray(m.content) ? m.content.filter((c) => c.type === 'tool_result') : []))
          .pop()?.content,
      ),
    stream: (b) => !!b.stream,
    jsonSchema: (b) => b.output_config?.format?.schema ?? b.output_format?.schema ?? null,
  },
  gemini: {
    match: (p) => /:(stream)?[gG]enerateContent$/.test(p),
    tools: (b) =>
      (b.tools ?? [])
        .flatMap((t) => t.functionDeclarations ?? [])
        .map((t) => ({ name: t.name, schema: t.parametersJsonSchema ?? t.parameters ?? {}, kind: 'function' })),
    rawTools: (b) => b.tools,
    results: (b) =>
      (b.contents ?? []).reduce((n, m) => n + (m.parts ?? []).filter((c) => c.functionResponse).length, 0),
    system: (b) => textOf(b.systemInstruction?.parts ?? b.systemInstruction),
    items: (b) => [...(b.systemInstruction ? [{ system: b.systemInstruction }] : []), ...(b.contents ?? [])],
    userText: (b) =>
      (b.contents ?? [])
        .filter((m) => m.role === 'user')
        .map((m) => textOf(m.parts))
        .join('\n'),
    lastResult: (b) =>
      J(
        (b.contents ?? [])
          .flatMap((m) => m.parts ?? [])
          .filter((c) => c.functionResponse)
          .pop()?.functionResponse ?? '',
      ),
    stream: (_b, p) => /:streamGenerateContent$/.test(p),
    jsonSchema: (b) => b.generationConfig?.responseJsonSchema ?? b.generationConfig?.responseSchema ?? null,
  },
};
const respTools = (b) => [
  ...(b.tools ?? []),
  ...(Array.isArray(b.input) ? b.input : []).filter((m) => m.type === 'additional_tools').flatMap((m) => m.tools ?? []),
];
function flattenRespTools(ts) {
  const out = [];
  for (const t of ts) {
    if (t.type === 'namespace' && Array.isArray(t.tools))
      out.push(...flattenRespTools(t.tools).map((x) => ({ ...x, ns: t.name })));
    else out.push({ name: t.name ?? t.type, schema: t.parameters ?? {}, kind: t.type });
  }
  return out;
}

// ---------------------------------------------------------------- choosing and filling the shell tool
const EXACT = [
  'bash',
  'shell',
  'shell_command',
  'exec_command',
  'run_shell_command',
  'terminal',
  'local_shell',
  'exec',
  'execute_command',
  'run_command',
  'run_terminal_cmd',
  'execute_bash',
  'process',
  'developer__shell',
];
function pickShell(tools) {
  for (const n of EXACT) {
    const t = tools.find((t) => (t.name ?? '').toLowerCase() === n && t.kind !== 'custom_grammar');
    if (t) return t;
  }
  return (
    tools.find((t) => /bash|shell|terminal|exec|command/i.test(t.name ?? '') && findCmdKey(t.schema)) ??
    tools.find((t) => findCmdKey(t.schema)) ??
    null
  );
}
const CMD_KEYS = ['command', 'cmd', 'script', 'commands', 'shell_command', 'input', 'code'];
function findCmdKey(s) {
  const p = s?.properties ?? {};
  return CMD_KEYS.find((k) => k in p) ?? null;
}
function typeOf(s) {
  const t = s?.type;
  const u = Array.isArray(t) ? t.find((x) => x !== 'null') : t;
  return (u ?? (s?.properties ? 'object' : s?.items ? 'array' : s?.enum ? 'string' : 'string')).toLowerCase();
}
export function fillSchema(s, depth = 0, key = '') {
  // a minimal valid value of a JSON Schema
  if (!s || depth > 6) return {};
  if ('default' in s) return s.default;
  if (s.const !== undefined) return s.const;
  if (s.enum) return s.enum[0];
  const alt = s.anyOf ?? s.oneOf;
  if (alt) return fillSchema(alt.find((x) => x.type !== 'null') ?? alt[0], depth + 1);
  switch (typeOf(s)) {
    case 'object': {
      const o = {};
      for (const k of s.required ?? []) o[k] = fillSchema(s.properties?.[k] ?? {}, depth + 1, k);
      return o;
    }
    case 'array':
      return s.minItems ? [fillSchema(s.items, depth + 1)] : [];
    case 'number':
    case 'integer':
      return s.minimum ?? (/confidence|score|probab/i.test(key) ? 0 : 1); // a judge (loop detection) that is asked must say no
    case 'boolean':
      return false;
    default:
      return 'bench';
  }
}
function shellArgs(tool, command) {
  const s = tool.schema ?? {},
    key = findCmdKey(s) ?? 'command',
    prop = s.properties?.[key];
  const a = {};
  for (const k of s.required ?? [])
    if (k !== key) {
      const p = s.properties?.[k];
      a[k] = /time.?out/i.test(k)
        ? Math.max(p?.minimum ?? 0, 10000)
        : /dir|cwd|path/i.test(k) && typeOf(p) === 'string'
          ? '.'
          : /desc|reason|explan|purpose|summary|title/i.test(k)
            ? 'Print the step'
            : fillSchema(p);
    }
  a[key] = prop && typeOf(prop) === 'array' ? ['bash', '-lc', command] : command;
  return a;
}

// ---------------------------------------------------------------- answers
let seq = 0;
const id = (p) => `${p}_${(++seq).toString(36).padStart(12, '0')}`;
const sse = (events, named) =>
  events.map((e) => `${named ? `event: ${e.type}\n` : ''}data: ${typeof e === 'string' ? e : J(e)}\n\n`).join('');
const tok = (n) => Math.max(1, Math.round(n / 4));

function answer(dialect, b, streaming, act, inBytes) {
  const model = b.model ?? 'mock',
    pt = tok(inBytes),
    ct = 12,
    created = Math.floor(Date.now() / 1000);
  if (dialect === 'chat') {
    const usage = {
        prompt_tokens: pt,
        completion_tokens: ct,
        total_tokens: pt + ct,
        prompt_tokens_details: { cached_tokens: 0 },
      },
      cid = id('chatcmpl');
    const call = act.call && {
      id: id('call'),
      type: 'function',
      function: { name: act.call.name, arguments: J(act.call.args) },
    };
    if (!streaming)
      return J({
        id: cid,
        object: 'chat.completion',
        created,
        model,
        choices: [
          {
            index: 0,
            finish_reason: call ? 'tool_calls' : 'stop',
            message: { role: 'assistant', content: call ? null : act.text, ...(call ? { tool_calls: [call] } : {}) },
          },
        ],
        usage,
      });
    const ch = (delta, fr = null) => ({
      id: cid,
      object: 'chat.completion.chunk',
      created,
      model,
      choices: [{ index: 0, delta, finish_reason: fr }],
    });
    const ev = [ch({ role: 'assistant', content: '' })];
    if (call)
      ev.push(
        ch({
          tool_calls: [
            { index: 0, id: call.id, type: 'function', function: { name: call.function.name, arguments: '' } },
          ],
        }),
        ch({ tool_calls: [{ index: 0, function: { arguments: call.function.arguments } }] }),
        ch({}, 'tool_calls'),
      );
    else ev.push(...words(act.text).map((w) => ch({ content: w })), ch({}, 'stop'));
    ev.push({ id: cid, object: 'chat.completion.chunk', created, model, choices: [], usage }, '[DONE]');
    return sse(ev);
  }
  if (dialect === 'responses') {
    const rid = id('resp'),
      usage = {
        input_tokens: pt,
        input_tokens_details: { cached_tokens: 0 },
        output_tokens: ct,
        output_tokens_details: { reasoning_tokens: 0 },
        total_tokens: pt + ct,
      };
    const base = {
      id: rid,
      object: 'response',
      created_at: created,
      status: 'in_progress',
      model,
      output: [],
      parallel_tool_calls: true,
      tool_choice: 'auto',
      tools: [],
      error: null,
      incomplete_details: null,
      instructions: null,
      metadata: {},
      usage: null,
    };
    let item,
      mid = [];
    if (act.call) {
      const custom = act.call.kind === 'custom',
        args = custom ? act.call.raw : J(act.call.args),
        iid = id(custom ? 'ctc' : 'fc');
      item =
        act.call.kind === 'local_shell'
          ? {
              id: id('lsh'),
              type: 'local_shell_call',
              call_id: id('call'),
              status: 'completed',
              action: { type: 'exec', command: ['bash', '-lc', act.call.command], env: {}, timeout_ms: 10000 },
            }
          : custom
            ? {
                id: iid,
                type: 'custom_tool_call',
                call_id: id('call'),
                name: act.call.name,
                input: args,
                status: 'completed',
              }
            : {
                id: iid,
                type: 'function_call',
                call_id: id('call'),
                name: act.call.name,
                arguments: args,
                status: 'completed',
                ...(act.call.ns ? { namespace: act.call.ns } : {}),
              };
      if (item.type === 'function_call')
        mid = [
          { type: 'response.function_call_arguments.delta', item_id: item.id, output_index: 0, delta: args },
          { type: 'response.function_call_arguments.done', item_id: item.id, output_index: 0, arguments: args },
        ];
    } else {
      item = {
        id: id('msg'),
        type: 'message',
        role: 'assistant',
        status: 'completed',
        content: [{ type: 'output_text', text: act.text, annotations: [] }],
      };
      mid = [
        {
          type: 'response.content_part.added',
          item_id: item.id,
          output_index: 0,
          content_index: 0,
          part: { type: 'output_text', text: '', annotations: [] },
        },
        ...words(act.text).map((w) => ({
          type: 'response.output_text.delta',
          item_id: item.id,
          output_index: 0,
          content_index: 0,
          delta: w,
        })),
        { type: 'response.output_text.done', item_id: item.id, output_index: 0, content_index: 0, text: act.text },
        {
          type: 'response.content_part.done',
          item_id: item.id,
          output_index: 0,
          content_index: 0,
          part: item.content[0],
        },
      ];
    }
    const done = { ...base, status: 'completed', output: [item], usage };
    if (!streaming) return J(done);
    const start =
      item.type === 'message'
        ? { ...item, status: 'in_progress', content: [] }
        : item.type === 'function_call'
          ? { ...item, status: 'in_progress', arguments: '' }
          : { ...item, status: 'in_progress' };
    const ev = [
      { type: 'response.created', response: base },
      { type: 'response.in_progress', response: base },
      { type: 'response.output_item.added', output_index: 0, item: start },
      ...mid,
      { type: 'response.output_item.done', output_index: 0, item },
      { type: 'response.completed', response: done },
    ];
    ev.forEach((e, i) => {
      e.sequence_number = i;
    });
    return sse(ev, true);
  }
  if (dialect === 'anthropic') {
    const mid = id('msg'),
      block = act.call
        ? { type: 'tool_use', id: id('toolu'), name: act.call.name, input: act.call.args }
        : { type: 'text', text: act.text };
    const usage = { input_tokens: pt, cache_creation_input_tokens: 0, cache_read_input_tokens: 0, output_tokens: ct };
    const msg = {
      id: mid,
      type: 'message',
      role: 'assistant',
      model,
      content: [block],
      stop_reason: act.call ? 'tool_use' : 'end_turn',
      stop_sequence: null,
      usage,
    };
    if (!streaming) return J(msg);
    return sse(
      [
        {
          type: 'message_start',
          message: { ...msg, content: [], stop_reason: null, usage: { ...usage, output_tokens: 1 } },
        },
        {
          type: 'content_block_start',
          index: 0,
          content_block: act.call ? { ...block, input: {} } : { type: 'text', text: '' },
        },
        ...(act.call
          ? [
              {
                type: 'content_block_delta',
                index: 0,
                delta: { type: 'input_json_delta', partial_json: J(act.call.args) },
              },
            ]
          : words(act.text).map((w) => ({
              type: 'content_block_delta',
              index: 0,
              delta: { type: 'text_delta', text: w },
            }))),
        { type: 'content_block_stop', index: 0 },
        {
          type: 'message_delta',
          delta: { stop_reason: msg.stop_reason, stop_sequence: null },
          usage: { output_tokens: ct },
        },
        { type: 'message_stop' },
      ],
      true,
    );
  }
  // gemini
  const part = act.call
    ? { functionCall: { id: id('fc'), name: act.call.name, args: act.call.args } }
    : { text: act.text };
  const r = {
    candidates: [{ index: 0, content: { role: 'model', parts: [part] }, finishReason: 'STOP' }],
    usageMetadata: { promptTokenCount: pt, candidatesTokenCount: ct, totalTokenCount: pt + ct },
    modelVersion: model,
    responseId: id('g'),
  };
  return streaming ? `data: ${J(r)}\r\n\r\n` : J(r);
}
const words = (t) => t.match(/\S+\s*/g) ?? [t];

// ---------------------------------------------------------------- analysis (off the hot path)
const strip = (k, v) => (k === 'cache_control' || k === 'cachePoint' ? undefined : v);
function commonPrefix(a, b) {
  // Buffers
  const n = Math.min(a.length, b.length);
  let lo = 0;
  while (lo + 4096 <= n && a.compare(b, lo, lo + 4096, lo, lo + 4096) === 0) lo += 4096;
  while (lo < n && a[lo] === b[lo]) lo++;
  return lo;
}
// What a provider's prompt cache sees, in order: tools, then system, then the messages.
// Last request's serialisation (without its closing) must be a byte prefix of this one's.
function serialise(d, b) {
  const norm = (x) => JSON.stringify(x, strip);
  return Buffer.from(
    (norm(d.rawTools(b) ?? []) ?? '') +
      '\n' +
      d
        .items(b)
        .map((m) => norm(m))
        .join('\n') +
      '\n',
  );
}
function analyse(run, rec) {
  if (rec.done) return;
  rec.done = true;
  const { d, b, row } = rec;
  const sys = d.system(b),
    raw = d.rawTools(b);
  row.system_bytes = Buffer.byteLength(sys);
  row.tools_bytes = raw ? Buffer.byteLength(J(raw)) : 0;
  row.messages = d.items(b).length;
  row.tool_names = d.tools(b).map((t) => t.name);
  // A request with another tool set AND another system prompt than the run's first is a conversation of its
  // own (memory extraction, a sub-agent), not an unstable prefix of the main one.
  if (row.kind === 'main') {
    const key = [row.tool_names.join(), sys.slice(0, 400)];
    if (!run.key) run.key = key;
    else if (run.key[0] !== key[0] && run.key[1] !== key[1]) row.kind = 'side';
  }
  if (row.kind === 'main') {
    if (row.step > 0) {
      // did the client run the command? (the text of the newest tool result must hold its output)
      const want = run.cmd.replace('{k}', String(row.step)).replace(/^echo /, ''),
        got = d.lastResult(b);
      row.result_ok = got.includes(want);
      row.result_bytes = Buffer.byteLength(got);
      if (!row.result_ok) row.result_text = got.slice(0, 300);
    }
    const cur = serialise(d, b),
      prev = run.prev;
    if (prev) {
      const c = commonPrefix(prev, cur);
      row.prefix_stable = c === prev.length;
      row.prefix_common = c;
      row.prefix_prev = prev.length;
      row.prefix_ratio = +(c / prev.length).toFixed(4);
      if (!row.prefix_stable)
        row.prefix_break = {
          was: prev.subarray(Math.max(0, c - 60), c + 80).toString(),
          now: cur.subarray(Math.max(0, c - 60), c + 80).toString(),
        };
    }
    run.prev = cur;
  }
}

// ---------------------------------------------------------------- server
export function startMock(opt = {}) {
  const o = { port: 0, host: '127.0.0.1', ttfb: 0, script: 'final', cmd: 'echo step-{k}', ...opt };
  const logfd = o.log ? fs.openSync(o.log, 'a') : null;
  let run = newRun({ id: 'default' }),
    idle = null,
    total = 0;
  function newRun(x) {
    return {
      id: 'default',
      script: o.script,
      ttfb: o.ttfb,
      cmd: o.cmd,
      ...x,
      recs: [],
      prev: null,
      key: null,
      flushed: 0,
    };
  }
  function flush() {
    clearTimeout(idle);
    idle = null;
    let out = '';
    for (; run.flushed < run.recs.length; run.flushed++) {
      const rec = run.recs[run.flushed];
      if (rec.d)
        try {
          analyse(run, rec);
        } catch (e) {
          rec.row.error = String(e);
        }
      out += `${J(rec.row)}\n`;
      if (o.dump && rec.b)
        fs.writeFileSync(
          `${o.dump}/${run.id.replace(/\W+/g, '_')}-${String(rec.row.n).padStart(3, '0')}.json`,
          JSON.stringify(rec.b, null, 1),
        );
    }
    if (out && logfd !== null) fs.writeSync(logfd, out);
    return run.recs.map((r) => r.row);
  }
  const bump = () => {
    if (idle) clearTimeout(idle);
    idle = setTimeout(flush, 400);
    idle.unref();
  };

  const server = http.createServer((req, res) => {
    const t = now(),
      path = new URL(req.url, 'http://x').pathname.replace(/\/+$/, '');
    const chunks = [];
    req.on('data', (c) => chunks.push(c));
    req.on('end', () => {
      let buf = Buffer.concat(chunks);
      if (path === '/__run') {
        if (req.method === 'POST') {
          flush();
          run = newRun(JSON.parse(buf.toString() || '{}'));
          res.end('{}');
        } else {
          const rows = flush();
          res.setHeader('content-type', 'application/json');
          res.end(J(rows));
          run = newRun({ id: 'default' });
        }
        return;
      }
      if (path === '/__ping') return void res.end('ok');
      const row = {
        run: run.id,
        n: run.recs.length,
        seq: total++,
        wall: new Date().toISOString(),
        t_ns: String(t),
        method: req.method,
        path,
        wire_bytes: buf.length,
        kind: 'other',
        ua: req.headers['user-agent'],
      };
      const rec = { row };
      run.recs.push(rec);
      bump();
      const enc = req.headers['content-encoding'];
      try {
        if (enc === 'gzip') buf = zlib.gunzipSync(buf);
        else if (enc === 'br') buf = zlib.brotliDecompressSync(buf);
        else if (enc === 'deflate') buf = zlib.inflateSync(buf);
        else if (enc === 'zstd') buf = zlib.zstdDecompressSync(buf);
      } catch (e) {
        row.error = String(e);
      }
      row.bytes = buf.length;
      const send = (status, type, body) => {
        row.status = status;
        row.t_reply_ns = String(now());
        res.writeHead(status, {
          'content-type': type,
          'cache-control': 'no-cache',
          'content-length': Buffer.byteLength(body),
        });
        res.end(body);
      };
      const json = (x, s = 200) => send(s, 'application/json', J(x));
      let b;
      try {
        b = buf.length ? JSON.parse(buf.toString()) : {};
      } catch {
        return json({ error: { message: 'bad json' } }, 400);
      }
      const name = Object.keys(dialects).find((k) => dialects[k].match(path));
      if (req.method !== 'POST' || !name) {
        if (/\/messages\/count_tokens$/.test(path)) {
          row.kind = 'count';
          return json({ input_tokens: tok(buf.length) });
        }
        if (/:countTokens$/.test(path)) {
          row.kind = 'count';
          return json({ totalTokens: tok(buf.length) });
        }
        if (/\/models$/.test(path)) {
          row.kind = 'models';
          return json({
            object: 'list',
            data: ['final', 'tools-10', 'tools-50'].map((m) => ({
              id: m,
              object: 'model',
              created: 0,
              owned_by: 'mock',
              type: 'model',
              display_name: m,
              context_length: 400000,
              max_model_len: 400000,
            })),
            has_more: false,
          });
        }
        if (/\/models\/[^/]+$/.test(path)) {
          row.kind = 'models';
          const m = path.split('/').pop();
          return json({ id: m, object: 'model', created: 0, owned_by: 'mock', type: 'model', display_name: m });
        }
        return json({ error: { type: 'not_found_error', message: `mock: no ${req.method} ${path}` } }, 404);
      }
      const d = dialects[name];
      rec.d = d;
      rec.b = b;
      const streaming = d.stream(b, path),
        tools = d.tools(b),
        schema = d.jsonSchema(b);
      row.api = name;
      row.stream = streaming;
      row.tools = tools.length;
      row.model = b.model ?? path.match(/models\/([^:]+):/)?.[1];
      row.kind = tools.length && !schema ? 'main' : 'aux';
      const user = d.userText(b),
        tag = [...user.matchAll(/\[\[(final|tools-\d+)\]\]/g)].pop();
      const script = tag?.[1] ?? String(row.model ?? '').match(/tools-\d+|final/)?.[0] ?? run.script;
      row.script = script;
      const N = +(script.match(/^tools-(\d+)/)?.[1] ?? 0),
        step = d.results(b);
      row.step = step;
      let act = { text: FINAL_TEXT };
      if (schema) act = { text: J(fillSchema(schema)) };
      else if (row.kind === 'main' && step < N) {
        const tool = pickShell(tools),
          command = run.cmd.replace('{k}', String(step + 1));
        if (tool) {
          row.tool = tool.name;
          act = {
            call: {
              name: tool.name,
              ns: tool.ns,
              kind: tool.kind,
              command,
              args: shellArgs(tool, command),
              raw: customInput(tool, command),
            },
          };
        } else {
          row.error = `no shell-like tool among: ${tools.map((t) => t.name).join(',')}`;
          act = { text: FINAL_TEXT };
        }
      } else if (row.kind === 'aux' && /title|タイトル/i.test(d.system(b) + user)) act = { text: 'Benchmark run' };
      const body = answer(name, b, streaming, act, buf.length);
      const type = streaming ? 'text/event-stream; charset=utf-8' : 'application/json';
      const go = () => {
        row.status = 200;
        row.t_reply_ns = String(now());
        res.writeHead(200, {
          'content-type': type,
          'cache-control': 'no-cache',
          'x-request-id': id('req'),
          ...(streaming ? {} : { 'content-length': Buffer.byteLength(body) }),
        });
        res.end(body);
        bump();
      };
      if (run.ttfb > 0) setTimeout(go, run.ttfb);
      else go();
    });
  });
  server.keepAliveTimeout = 120000;
  server.headersTimeout = 130000;
  return new Promise((ok) =>
    server.listen(o.port, o.host, () =>
      ok({
        server,
        port: server.address().port,
        url: `http://${o.host}:${server.address().port}`,
        begin: (x) => {
          flush();
          run = newRun(x);
        },
        end: () => {
          const r = flush();
          run = newRun({ id: 'default' });
          return r;
        },
        close: () => {
          flush();
          server.closeAllConnections();
          server.close();
        },
      }),
    ),
  );
}
// freeform ("custom") tools take raw text; a JavaScript code-mode `exec` tool gets a call of its nested shell
function customInput(tool, command) {
  if (tool.name === 'exec') return `const r = await tools.exec_command({cmd: ${J(command)}}); text(r.output);`;
  return command;
}

if (process.argv[1] && import.meta.url === pathToFileURL(fs.realpathSync(process.argv[1])).href) {
  const a = process.argv.slice(2),
    get = (k, dflt) => {
      const i = a.indexOf(`--${k}`);
      return i < 0 ? dflt : a[i + 1];
    };
  const m = await startMock({
    port: +get('port', 8787),
    host: get('host', '127.0.0.1'),
    log: get('log', null),
    ttfb: +get('ttfb', 0),
    script: get('script', 'final'),
    cmd: get('cmd', 'echo step-{k}'),
    dump: get('dump', null),
  });
  console.log(J({ url: m.url, pid: process.pid }));
  for (const s of ['SIGINT', 'SIGTERM'])
    process.on(s, () => {
      m.close();
      process.exit(0);
    });
}
