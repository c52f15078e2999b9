/** The search itself: every file in scope looked through, all hits counted, one page of them shown. */
import { readFile, stat } from 'node:fs/promises';
import { basename } from 'node:path';
import { decodeText } from '../files/text-format.ts';
import { globMatcher } from './ignore.ts';
import { type WalkedFile, walkFiles } from './walk.ts';

export interface SearchRequest {
  readonly pattern: string;
  readonly target: 'content' | 'files';
  /** Absolute file or folder. */
  readonly path: string;
  readonly fileGlob: string | undefined;
  readonly limit: number;
  readonly offset: number;
  readonly mode: 'content' | 'files_only' | 'count';
  /** Lines shown before and after a match. */
  readonly context: number;
  /** Also dependency folders and what .gitignore names. */
  readonly everything: boolean;
}

export interface FileHits {
  readonly path: string;
  /** Of the whole file; empty when it lies behind the page that is shown. */
  readonly lines: readonly string[];
  /** Indexes of matching lines, from 0. */
  readonly matches: readonly number[];
}

export interface SearchResult {
  /** Files with a hit, in order. */
  readonly files: readonly FileHits[];
  /** Files looked at. */
  readonly searched: number;
  /** Hits that were left out because the files hold credentials. */
  readonly omitted: number;
  /** The time limit came first. */
  readonly partial: boolean;
}

const MAX_FILE_BYTES = 10 * 1024 * 1024;
const AT_ONCE = 16;

export type LinePattern = (line: string) => boolean;

/** A regular expression; what is none is searched to the letter. */
export function compilePattern(pattern: string): { readonly test: LinePattern; readonly literal: boolean } {
  try {
    const expression = new RegExp(stripInlineFlags(pattern), /^\(\?i\)/.test(pattern) ? 'i' : '');
    return { test: (line) => expression.test(line), literal: false };
  } catch {
    return { test: (line) => line.includes(pattern), literal: true };
  }
}

function stripInlineFlags(pattern: string): string {
  return pattern.replace(/^\(\?i\)/, '');
}

/** Stops at the signal or after `timeLimitMs` with what it has. @throws when the start cannot be read */
export async function searchContent(
  request: SearchRequest,
  options: { readonly signal: AbortSignal; readonly timeLimitMs: number; readonly isDenied: (path: string) => boolean },
): Promise<SearchResult> {
  const { signal, partial, stop } = timeLimit(options.signal, options.timeLimitMs);
  const { test } = compilePattern(request.pattern);
  const bytes = plainBytes(request.pattern);
  const wanted = request.mode === 'content' ? request.offset + request.limit : 0;
  let matches = 0;
  const files: FileHits[] = [];
  let searched = 0;
  let omitted = 0;
  try {
    for await (const batch of batches(filesInScope(request, signal), AT_ONCE)) {
      if (signal.aborted) break;
      const found = await Promise.all(batch.map((file) => hitsIn(file, test, bytes)));
      searched += batch.length;
      for (const hits of found) {
        if (hits === undefined) continue;
        if (options.isDenied(hits.path)) omitted++;
        else files.push(matches < wanted ? hits : { ...hits, lines: [] });
        matches += hits.matches.length;
      }
    }
  } finally {
    stop();
  }
  options.signal.throwIfAborted();
  return { files, searched, omitted, partial: partial() };
}

/** Newest first. */
export async function searchNames(
  request: SearchRequest,
  options: { readonly signal: AbortSignal; readonly timeLimitMs: number; readonly isDenied: (path: string) => boolean },
): Promise<{ readonly paths: readonly string[]; readonly searched: number; readonly partial: boolean }> {
  const { signal, partial, stop } = timeLimit(options.signal, options.timeLimitMs);
  const matches = nameMatcher(request.pattern);
  const found: { path: string; mtimeMs: number }[] = [];
  let searched = 0;
  try {
    for await (const batch of batches(filesInScope(request, signal), AT_ONCE)) {
      if (signal.aborted) break;
      searched += batch.length;
      const chosen = batch.filter(({ relative, path }) => matches(relative) && !options.isDenied(path));
      const times = await Promise.all(chosen.map(({ path }) => stat(path).catch(() => undefined))); // gone meanwhile
      chosen.forEach(({ path }, index) => {
        const mtimeMs = times[index]?.mtimeMs;
        if (mtimeMs !== undefined) found.push({ path, mtimeMs });
      });
    }
  } finally {
    stop();
  }
  options.signal.throwIfAborted();
  found.sort((a, b) => b.mtimeMs - a.mtimeMs || (a.path < b.path ? -1 : 1));
  return { paths: found.map(({ path }) => path), searched, partial: partial() };
}

/** A glob; a plain word fits any name that holds it. */
function nameMatcher(pattern: string): (path: string) => boolean {
  if (/[*?[{]/.test(pattern)) return globMatcher(pattern);
  const wanted = pattern.toLowerCase();
  return (path) => path.toLowerCase().includes(wanted);
}

async function* filesInScope(request: SearchRequest, signal: AbortSignal): AsyncGenerator<WalkedFile> {
  const found = await stat(request.path);
  if (found.isFile()) {
    yield { path: request.path, relative: basename(request.path) };
    return;
  }
  const fits = request.fileGlob === undefined ? () => true : globMatcher(request.fileGlob);
  for await (const file of walkFiles(request.path, { signal, everything: request.everything })) {
    if (fits(file.relative)) yield file;
  }
}

/** A pattern without any sign of its own, as it stands in a file of nearly every encoding. */
function plainBytes(pattern: string): Buffer | undefined {
  return /^[\w \-:;,'"=<>/@#%&~`!]+$/.test(pattern) ? Buffer.from(pattern) : undefined;
}

async function hitsIn(file: WalkedFile, test: LinePattern, bytes: Buffer | undefined): Promise<FileHits | undefined> {
  const lines = await textLines(file.path, bytes);
  if (lines === undefined) return undefined;
  const matches = lines.flatMap((line, index) => (test(line) ? [index] : []));
  return matches.length === 0 ? undefined : { path: file.path, lines, matches };
}

/** Undefined for what does not hold the bytes, is no text, is too large, or cannot be read. */
async function textLines(path: string, wanted: Buffer | undefined): Promise<readonly string[] | undefined> {
  try {
    const { size } = await stat(path);
    if (size === 0 || size > MAX_FILE_BYTES) return undefined;
    const bytes = await readFile(path);
    // Most files hold no hit: seen in the bytes, they need no decoding. UTF-16 has a zero in every sign.
    if (wanted !== undefined && !bytes.subarray(0, 1_024).includes(0) && !bytes.includes(wanted)) return undefined;
    const decoded = await decodeText(bytes);
    if (decoded === undefined) return undefined;
    const lines = decoded.text.split('\n').map((line) => (line.endsWith('\r') ? line.slice(0, -1) : line));
    if (lines.at(-1) === '') lines.pop();
    return lines;
  } catch {
    return undefined; // no right to read it, or gone meanwhile
  }
}

async function* batches<T>(source: AsyncIterable<T>, size: number): AsyncGenerator<readonly T[]> {
  let batch: T[] = [];
  for await (const item of source) {
    batch.push(item);
    if (batch.length < size) continue;
    yield batch;
    batch = [];
  }
  if (batch.length > 0) yield batch;
}

function timeLimit(outer: AbortSignal, ms: number): { signal: AbortSignal; partial: () => boolean; stop: () => void } {
  const own = new AbortController();
  const timer = setTimeout(() => own.abort(), ms);
  return {
    signal: AbortSignal.any([outer, own.signal]),
    partial: () => own.signal.aborted,
    stop: () => clearTimeout(timer),
  };
}
