import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { assertStablePrefix, type ModelServer, startModelServer } from '../support/model-server.ts';
import { runHermes } from '../support/run-hermes.ts';

let dir: string;
let server: ModelServer;
beforeEach(async () => {
  dir = mkdtempSync(join(tmpdir(), 'hermes-protocols-'));
  mkdirSync(join(dir, 'home'));
  server = await startModelServer();
});
afterEach(async () => {
  await server.close();
  rmSync(dir, { recursive: true, force: true });
});

const hermes = (args: readonly string[]) => runHermes(args, { home: join(dir, 'home'), cwd: dir });

describe.each(['chat_completions', 'anthropic_messages', 'codex_responses'])('%s', (mode) => {
  it('ends a conversation of ten tool rounds right, streamed, with one unchanging prefix', async () => {
    writeFileSync(
      join(dir, 'home', 'config.yaml'),
      `model:\n  default: mock-model\n  provider: custom\n  base_url: ${mode === 'anthropic_messages' ? server.url : server.baseUrl}\n  api_mode: ${mode}\n  api_key: test-key-123456\n  context_length: 131072\napprovals:\n  mode: "off"\n`,
    );
    server.script((_request, index) =>
      index < 10
        ? {
            text: `Step ${index}.`,
            toolCalls: [{ name: 'terminal', args: { command: `echo out-${index}` }, id: `call_${index}` }],
            chunk: 5,
          }
        : { text: `Everything is finished (${index}).`, chunk: 5 },
    );
    const first = await hermes(['chat', '-q', 'do ten steps', '--json']);
    expect(first.code, first.stderr).toBe(0);
    const events = first.stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(events.filter(({ type }) => type === 'text_delta').length).toBeGreaterThan(20);
    expect(events.at(-1)).toMatchObject({
      type: 'turn_end',
      result: { stop: 'done', text: 'Everything is finished (10).' },
    });
    expect(server.requests).toHaveLength(11);
    for (let round = 0; round < 10; round++) expect(server.requests[10]?.raw).toContain(`out-${round}`);
    const second = await hermes(['-c', '-z', 'and now?']);
    expect(second.stdout).toBe('Everything is finished (11).\n');
    expect(server.requests).toHaveLength(12);
    assertStablePrefix(server.requests);
  });
});
