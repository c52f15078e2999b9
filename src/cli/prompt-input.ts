/** The user's input of a one-turn run: the prompt, what is piped in after it, and images. */
import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { ImageContent } from '../contracts/message.ts';
import type { UserInput } from '../contracts/turn.ts';
import { AppError, errorCode } from '../lib/errors.ts';
import { type CliContext, inputKind } from './context.ts';
import { usageError } from './usage-error.ts';

export interface InputSources {
  readonly prompt: string | undefined;
  /** A path, or `-` for standard input. */
  readonly queryFile: string | undefined;
  readonly images: readonly string[];
}

/**
 * Programs that start another one often leave it an input that they never write to nor close. When a question is
 * already there, and nothing comes within this time, it is asked without. A shell's pipe is always read to its end.
 */
const SILENT_SOCKET_MS = 2_000;
const MAX_IMAGE_BYTES = 20 * 1024 * 1024;

/** @throws AppError `usage` when there is nothing to ask, or a file cannot be read */
export async function readInput(
  sources: InputSources,
  ctx: CliContext,
  options: { readonly quiet: boolean },
): Promise<UserInput> {
  const images = await Promise.all(sources.images.map((path) => readImage(resolve(ctx.cwd, path), path)));
  const text = await readText(sources, ctx, options.quiet);
  if (text.trim() === '' && images.length === 0)
    throw usageError(
      'There is nothing to ask: no question was given, and this is no terminal to talk in.',
      'Use `hermes -q "…"`, or pipe the question in.',
    );
  return { content: [...(text === '' ? [] : [{ type: 'text' as const, text }]), ...images] };
}

async function readText(sources: InputSources, ctx: CliContext, quiet: boolean): Promise<string> {
  if (sources.queryFile === '-') return decode(await readAll(ctx), 'Standard input');
  const asked =
    sources.queryFile === undefined
      ? sources.prompt
      : await readQuestion(resolve(ctx.cwd, sources.queryFile), sources.queryFile);
  const kind = inputKind(ctx);
  if (kind === 'terminal' || kind === 'none') return asked ?? '';
  const mayBeSilent = kind === 'socket' && asked !== undefined;
  const piped = decode(await readAll(ctx, mayBeSilent ? { quiet } : undefined), 'Standard input').trimEnd();
  if (piped.trim() === '') return asked ?? '';
  return asked === undefined ? piped : `${asked}\n\n${piped}`;
}

async function readQuestion(path: string, shown: string): Promise<string> {
  try {
    return decode(await readFile(path), shown);
  } catch (error) {
    if (error instanceof AppError) throw error;
    throw usageError(`The question file ${shown} cannot be read (${errorCode(error) ?? 'unknown error'}).`);
  }
}

function readAll(ctx: CliContext, silence?: { readonly quiet: boolean }): Promise<Buffer> {
  const { stdin, signal } = ctx;
  return new Promise((done, failed) => {
    const chunks: Buffer[] = [];
    const timer = silence && setTimeout(giveUp, SILENT_SOCKET_MS);
    const onData = (chunk: Buffer | string) => {
      clearTimeout(timer);
      chunks.push(typeof chunk === 'string' ? Buffer.from(chunk) : chunk);
    };
    const onAbort = () => settle(() => failed(signal.reason));
    const onEnd = () => settle(() => done(Buffer.concat(chunks)));
    const onError = (error: Error) =>
      settle(() =>
        failed(new AppError('stdin', `Standard input cannot be read (${errorCode(error) ?? error.message}).`)),
      );
    function settle(finish: () => void): void {
      clearTimeout(timer);
      signal.removeEventListener('abort', onAbort);
      stdin.off('data', onData).off('end', onEnd).off('close', onEnd).off('error', onError);
      finish();
    }
    function giveUp(): void {
      if (!silence?.quiet)
        ctx.stderr.write('hermes: nothing came on standard input, so the question is asked without it.\n');
      stdin.pause();
      settle(() => done(Buffer.alloc(0)));
    }
    if (signal.aborted) return onAbort();
    if (stdin.readableEnded || stdin.destroyed) return onEnd();
    signal.addEventListener('abort', onAbort, { once: true });
    stdin.on('data', onData).on('end', onEnd).on('close', onEnd).on('error', onError);
  });
}

function decode(bytes: Buffer, what: string): string {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    if (!text.includes('\0')) return text;
  } catch {
    // said below
  }
  throw usageError(
    `${what} holds bytes that are not UTF-8 text.`,
    'Give binary files by name, and let Hermes open them.',
  );
}

const SIGNATURES: readonly (readonly [string, string])[] = [
  ['89504e47', 'image/png'],
  ['ffd8ff', 'image/jpeg'],
  ['47494638', 'image/gif'],
];

async function readImage(path: string, shown: string): Promise<ImageContent> {
  let bytes: Buffer;
  try {
    bytes = await readFile(path);
  } catch (error) {
    throw usageError(`The image ${shown} cannot be read (${errorCode(error) ?? 'unknown error'}).`);
  }
  if (bytes.length > MAX_IMAGE_BYTES)
    throw usageError(`The image ${shown} is larger than 20 MB.`, 'Make it smaller first.');
  const mimeType = imageType(bytes);
  if (mimeType === undefined) throw usageError(`${shown} is not a PNG, JPEG, GIF or WebP image.`);
  return { type: 'image', data: bytes.toString('base64'), mimeType };
}

function imageType(bytes: Buffer): string | undefined {
  const start = bytes.toString('hex', 0, 4);
  if (start === '52494646' && bytes.toString('latin1', 8, 12) === 'WEBP') return 'image/webp';
  return SIGNATURES.find(([signature]) => start.startsWith(signature))?.[1];
}
