import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from 'rolldown';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { endpointOf, type Heard, listen, requestOf } from '../../../test/support/model-endpoint.ts';
import { type ModelServer, type ScriptedReply, startModelServer } from '../../../test/support/model-server.ts';
import type { LibraryApi } from '../endpoint.ts';
import { createHttpFetch } from '../http/http-fetch.ts';
import { type LoadProtocol, loadProtocol } from '../library.ts';
import { createPiClient } from '../pi-client.ts';

/** The library on our stand-ins, as the shipped build has it. */
let bundled: LoadProtocol;
let folder: string;
let server: ModelServer;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'bundle-'));
  const here = import.meta.dirname;
  await build({
    input: { core: join(here, '../library-core.ts') },
    resolve: { alias: { openai: join(here, 'openai.ts'), '@anthropic-ai/sdk': join(here, 'anthropic.ts') } },
    output: { dir: folder, format: 'esm', entryFileNames: '[name].js' },
    platform: 'node',
    logLevel: 'silent',
  });
  await writeFile(join(folder, 'package.json'), '{"type":"module"}');
  const core = await import(pathToFileURL(join(folder, 'core.js')).href);
  const names: Partial<Record<LibraryApi, string>> = {
    'openai-completions': 'openaiCompletions',
    'openai-responses': 'openaiResponses',
    'anthropic-messages': 'anthropicMessages',
  };
  bundled = async (api) => core[names[api] ?? ''];
});
afterAll(() => rm(folder, { recursive: true }));
beforeEach(async () => {
  server = await startModelServer();
});
afterEach(() => server.close());

const TOOLS = [
  { name: 'read_file', description: 'Reads', parameters: { type: 'object', properties: { path: { type: 'string' } } } },
];
const error = (message: string, type = 'invalid_request_error') => ({ type: 'error', error: { type, message } });

const CASES: Readonly<Record<string, ScriptedReply>> = {
  'text, reasoning and a call': {
    text: 'Hello 駅',
    reasoning: 'hm',
    toolCalls: [{ name: 'read_file', args: { path: 'a' }, id: 'c1' }],
    chunk: 3,
    writeBytes: 50,
  },
  'cut short by the limit': { text: 'too lo', finish: 'length' },
  'a refusal with a body': { status: 400, body: error('prompt is too long: 9 tokens') },
  'a refusal without one': { status: 500 },
  'a refusal in plain text': { status: 503, body: 'upstream connect error' },
  'a limit': { status: 429, body: error('slow down', 'rate_limit_error'), headers: { 'retry-after': '7' } },
  'a page': { html: '<html>hi</html>' },
  'a cut stream': { text: 'The three steps', chunk: 4, cutAfter: 5 },
  'a reset stream': { text: 'The three steps', chunk: 4, cutAfter: 5, cut: 'reset' },
  'a plain answer': { raw: '' },
};

describe.each(['openai-completions', 'openai-responses', 'anthropic-messages'] as const)(
  '%s on the stand-in',
  (api) => {
    const hear = async (load: LoadProtocol, reply: ScriptedReply): Promise<Heard> => {
      server.script([reply]);
      const client = createPiClient(endpointOf(server, api), {
        fetch: createHttpFetch(),
        userAgent: 'hermes-test',
        loadProtocol: load,
      });
      return listen(client, requestOf({ tools: TOOLS }));
    };
    const outcome = ({ text, reasoning, end }: Heard) => {
      const { usage, stopReason, content } = end.message;
      return { text, reasoning, usage, stopReason, content, failure: end.failure };
    };
    const finishOf = (reply: ScriptedReply): ScriptedReply => {
      if (reply.finish !== 'length') return reply;
      return {
        ...reply,
        finish: {
          'openai-completions': 'length',
          'openai-responses': 'incomplete',
          'anthropic-messages': 'max_tokens',
        }[api],
      };
    };

    it.each(Object.keys(CASES))('%s: the same as on the vendor’s package', async (name) => {
      const reply = finishOf(CASES[name] ?? {});
      const own = await hear(bundled, reply);
      const theirs = await hear(loadProtocol, reply);
      expect(outcome(own)).toEqual(outcome(theirs));
      const [mine, other] = server.requests;
      expect(mine?.raw).toBe(other?.raw);
      for (const header of [
        'authorization',
        'x-api-key',
        'anthropic-version',
        'anthropic-beta',
        'content-type',
        'user-agent',
        'accept',
      ])
        expect(mine?.headers[header], header).toEqual(other?.headers[header]);
    });
  },
);
