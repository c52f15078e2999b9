/** A command line context whose streams are plain memory, for tests that run a command in this process. */
import { PassThrough, Readable } from 'node:stream';
import type { CliContext } from '../../src/cli/context.ts';

export interface TestContext {
  readonly ctx: CliContext;
  stdout(): string;
  stderr(): string;
}

export function testContext(more: Partial<CliContext> & { readonly input?: string } = {}): TestContext {
  const out = collector();
  const err = collector();
  const { input, ...rest } = more;
  const ctx: CliContext = {
    env: {},
    cwd: process.cwd(),
    profile: undefined,
    stdin: Readable.from(input === undefined ? [] : [Buffer.from(input)]),
    stdout: out.stream,
    stderr: err.stream,
    inputKind: input === undefined ? 'none' : 'pipe',
    signal: new AbortController().signal,
    ...rest,
  };
  return { ctx, stdout: out.text, stderr: err.text };
}

function collector(): { stream: PassThrough; text(): string } {
  const stream = new PassThrough();
  const chunks: Buffer[] = [];
  stream.on('data', (chunk: Buffer) => chunks.push(chunk));
  return { stream, text: () => Buffer.concat(chunks).toString('utf8') };
}
