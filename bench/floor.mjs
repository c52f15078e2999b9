#!/usr/bin/env node
// floor: the least a Node agent can do - no config, no persistence, one tool. The lower bound for `run.mjs --peer floor`.
// Not `import http from 'node:http'`: the ESM facade of that module touches its lazy getters and so loads undici, ~70 ms.
const http = process.getBuiltinModule('node:http'),
  { spawn } = process.getBuiltinModule('node:child_process');
const base = new URL(process.env.FLOOR_URL),
  model = 'mock-model',
  agent = new http.Agent({ keepAlive: true });
const messages = [
  { role: 'system', content: 'You are a helpful agent.' },
  { role: 'user', content: process.argv[2] },
];
const tools = [
  {
    type: 'function',
    function: {
      name: 'bash',
      description: 'Run a shell command',
      parameters: { type: 'object', properties: { command: { type: 'string' } }, required: ['command'] },
    },
  },
];
const call = () =>
  new Promise((ok, no) => {
    const body = JSON.stringify({ model, tools, messages, stream: true });
    const req = http.request(
      {
        agent,
        host: base.hostname,
        port: base.port,
        path: `${base.pathname}/chat/completions`,
        method: 'POST',
        headers: { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) },
      },
      (res) => {
        let buf = '',
          text = '',
          tc = null;
        res.setEncoding('utf8');
        res.on('data', (c) => {
          buf += c;
          for (let i = buf.indexOf('\n\n'); i >= 0; i = buf.indexOf('\n\n')) {
            const l = buf.slice(6, i);
            buf = buf.slice(i + 2);
            if (l === '[DONE]') continue;
            const d = JSON.parse(l).choices[0]?.delta;
            if (d?.content) text += d.content;
            for (const t of d?.tool_calls ?? []) {
              tc ??= { id: '', name: '', arguments: '' };
              if (t.id) tc.id = t.id;
              if (t.function?.name) tc.name = t.function.name;
              tc.arguments += t.function?.arguments ?? '';
            }
          }
        });
        res.on('end', () => ok({ text, tc }));
      },
    );
    req.on('error', no);
    req.end(body);
  });
const sh = (cmd) =>
  new Promise((ok) => {
    const p = spawn('bash', ['-c', cmd], { stdio: ['ignore', 'pipe', 'pipe'] });
    let o = '';
    p.stdout.on('data', (d) => (o += d));
    p.stderr.on('data', (d) => (o += d));
    p.on('close', () => ok(o));
  });
for (;;) {
  const { text, tc } = await call();
  if (!tc) {
    console.log(text);
    break;
  }
  messages.push(
    {
      role: 'assistant',
      content: null,
      tool_calls: [{ id: tc.id, type: 'function', function: { name: tc.name, arguments: tc.arguments } }],
    },
    { role: 'tool', tool_call_id: tc.id, content: await sh(JSON.parse(tc.arguments).command) },
  );
}
agent.destroy();
