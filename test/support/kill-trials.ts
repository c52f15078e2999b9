/** Kills real conversations at random instants and looks whether anything that was said is missing. */
import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect } from 'vitest';
import type { ChatMessage } from '../../src/contracts/message.ts';
import { openSessionStore } from '../../src/state/sqlite-store.ts';
import { type ModelServer, startModelServer } from './model-server.ts';
import { hermesCommand } from './run-hermes.ts';

/** The build: random instants are to fall into the work, not into the reading of sources. */
const [NODE = process.execPath, ...ENTRY] = hermesCommand(
  process.env.HERMES_TEST_ENTRY === undefined ? 'dist' : undefined,
);
const ROUNDS = 5;

interface Place {
  readonly dir: string;
  readonly home: string;
  readonly server: ModelServer;
}

interface Run {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
  readonly ms: number;
}

/** @returns how many of the kills hit a conversation that had already begun */
export async function runKillTrials(count: number): Promise<number> {
  const place = await setUp();
  try {
    const whole = await converse(place, 'marker-0');
    expect(whole.code, whole.stderr).toBe(0);
    let begun = 0;
    for (let trial = 1; trial <= count; trial++) if (await killTrial(place, trial, whole.ms)) begun++;
    return begun;
  } finally {
    await place.server.close();
    rmSync(place.dir, { recursive: true, force: true });
  }
}

async function setUp(): Promise<Place> {
  const dir = mkdtempSync(join(tmpdir(), 'hermes-kill-'));
  const home = join(dir, 'home');
  mkdirSync(home, { recursive: true });
  const server = await startModelServer();
  server.script(({ body }) => {
    const done = body.messages.filter(({ role }: { role: string }) => role === 'tool').length % (ROUNDS + 1);
    const last = body.messages.at(-1);
    if (last.role === 'user' && String(last.content).includes('go on')) return { text: 'Going on.' };
    if (done >= ROUNDS) return { text: 'All rounds are done.' };
    const call = (n: number) => ({
      name: 'terminal',
      args: { command: `echo round-${done}-${n}` },
      id: `call_${done}_${n}_${server.requests.length}`,
    });
    return { text: `Round ${done}.`, toolCalls: done % 2 === 0 ? [call(0)] : [call(0), call(1)] };
  });
  writeFileSync(
    join(home, 'config.yaml'),
    `model:\n  default: mock-model\n  provider: custom\n  base_url: ${server.baseUrl}\n  api_key: test-key-123456\n  context_length: 131072\napprovals:\n  mode: "off"\n`,
  );
  return { dir, home, server };
}

function converse(
  place: Place,
  text: string,
  options: { killAfterMs?: number; args?: readonly string[] } = {},
): Promise<Run> {
  const started = performance.now();
  const child = spawn(NODE, [...ENTRY, 'chat', ...(options.args ?? []), '--json', '-q', text], {
    cwd: place.dir,
    env: { PATH: process.env.PATH, HOME: place.dir, HERMES_HOME: place.home },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  });
  let stdout = '';
  let stderr = '';
  child.stdout.setEncoding('utf8').on('data', (part) => {
    stdout += part;
  });
  child.stderr.setEncoding('utf8').on('data', (part) => {
    stderr += part;
  });
  const timer =
    options.killAfterMs === undefined ? undefined : setTimeout(() => child.kill('SIGKILL'), options.killAfterMs);
  return new Promise((resolve) => {
    child.on('close', (code) => {
      clearTimeout(timer);
      resolve({ code, stdout, stderr, ms: performance.now() - started });
    });
  });
}

async function killTrial(place: Place, trial: number, wholeMs: number): Promise<boolean> {
  const marker = `marker-${trial}`;
  const before = place.server.requests.length;
  const killed = await converse(place, marker, { killAfterMs: Math.random() * wholeMs * 1.05 });
  expectIntegrity(place);
  const store = await openSessionStore({ path: join(place.home, 'state.db') });
  try {
    const id = (await store.list({ all: true })).find(({ preview }) => preview === marker)?.id;
    const requests = place.server.requests.slice(before);
    if (id === undefined) {
      expect(requests, `trial ${trial}: the server was asked before the message was stored`).toEqual([]);
      return false;
    }
    const history = (await store.load(id)).messages.map(({ message }) => message);
    expectComplete(history, requests.at(-1)?.body.messages ?? [], killed.stdout, `trial ${trial}`);
    await expectGoesOn(place, id);
    return true;
  } finally {
    await store.close();
  }
}

function expectIntegrity(place: Place): void {
  const db = new DatabaseSync(join(place.home, 'state.db'), { readOnly: true });
  expect(db.prepare('PRAGMA integrity_check').get()).toEqual({ integrity_check: 'ok' });
  db.close();
}

/** Every message that the server had been sent or the user had been shown is in the history; every call has one result. */
function expectComplete(
  history: readonly ChatMessage[],
  sent: readonly { role: string; content: unknown }[],
  stdout: string,
  where: string,
): void {
  const text = JSON.stringify(history);
  for (const { role, content } of sent) {
    if (role === 'system' || typeof content !== 'string') continue;
    expect(text, `${where}: sent ${role}`).toContain(JSON.stringify(content).slice(1, -1));
  }
  const events = stdout.split('\n').flatMap((line) => (line.endsWith('}') ? [JSON.parse(line)] : []));
  for (const event of events)
    if (event.type === 'toolcall_end')
      expect(text, `${where}: shown result`).toContain(`"toolCallId":"${event.call.callId}"`);
  const calls = history.flatMap((message) =>
    message.role === 'assistant' ? message.content.filter((block) => block.type === 'toolCall') : [],
  );
  const results = history.filter((message) => message.role === 'toolResult');
  expect(results.map(({ toolCallId }) => toolCallId).sort()).toEqual(calls.map(({ id }) => id).sort());
  expect(new Set(results.map(({ toolCallId }) => toolCallId)).size).toBe(results.length);
}

async function expectGoesOn(place: Place, id: string): Promise<void> {
  const run = await converse(place, 'go on', { args: ['-r', id] });
  expect(run.code, run.stderr).toBe(0);
  expect(run.stdout).toContain('Going on.');
  const { messages } = place.server.requests.at(-1)?.body ?? { messages: [] };
  const calls = messages.flatMap(
    (message: { tool_calls?: { id: string }[] }) => message.tool_calls?.map((call) => call.id) ?? [],
  );
  const answers = messages
    .filter(({ role }: { role: string }) => role === 'tool')
    .map((row: { tool_call_id: string }) => row.tool_call_id);
  expect([...answers].sort()).toEqual([...calls].sort());
}
