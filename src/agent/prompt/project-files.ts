/**
 * Project context files: one kind only, first match wins. A file with a prompt injection is left out whole and
 * named; a long one is cut in the middle with a marker.
 */
import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { errorCode } from '../../lib/errors.ts';

export interface ProjectFilesOptions {
  readonly cwd: string;
  readonly home: string;
  /** Characters per file and in total. */
  readonly maxChars: number;
  readonly readTimeoutMs: number;
  /** Ids of the injection patterns found. */
  readonly scan: (text: string) => readonly string[];
}

export interface ProjectFiles {
  /** '' when there is none. */
  readonly text: string;
  readonly warnings: readonly string[];
}

interface Candidate {
  readonly path: string;
  readonly text: string;
}

export async function loadProjectFiles(options: ProjectFilesOptions): Promise<ProjectFiles> {
  const { cwd } = options;
  const root = gitRoot(cwd);
  const upwards = root === undefined ? [cwd] : chain(cwd, root);
  const warnings: string[] = [];
  const read = (path: string): Promise<Candidate | undefined> => readCandidate(path, options, warnings);
  const kinds: readonly (() => Promise<readonly Candidate[]>)[] = [
    async () =>
      firstOf(
        upwards.flatMap((dir) => [join(dir, '.hermes.md'), join(dir, 'HERMES.md')]),
        read,
      ),
    async () => agentsChain([...upwards].reverse(), read),
    async () => firstOf([join(cwd, 'CLAUDE.md'), join(cwd, 'claude.md')], read),
    async () => cursorRules(cwd, read),
  ];
  for (const kind of kinds) {
    const found = await kind();
    if (found.length > 0) return { text: render(found, options, root ?? cwd, warnings), warnings };
  }
  return { text: '', warnings };
}

/** The nearest folder at or above `cwd` that holds `.git`. */
function gitRoot(cwd: string): string | undefined {
  for (let dir = cwd; ; dir = dirname(dir)) {
    if (existsSync(join(dir, '.git'))) return dir;
    if (dir === dirname(dir)) return undefined;
  }
}

/** From `cwd` up to `root`, both included. */
function chain(cwd: string, root: string): string[] {
  const dirs: string[] = [];
  for (let dir = cwd; ; dir = dirname(dir)) {
    dirs.push(dir);
    if (dir === root || dir === dirname(dir)) return dirs;
  }
}

type Read = (path: string) => Promise<Candidate | undefined>;

async function firstOf(paths: readonly string[], read: Read): Promise<readonly Candidate[]> {
  for (const path of paths) {
    const found = await read(path);
    if (found !== undefined) return [{ ...found, text: withoutFrontMatter(found.text) }];
  }
  return [];
}

async function agentsChain(dirsFromRoot: readonly string[], read: Read): Promise<readonly Candidate[]> {
  const found: Candidate[] = [];
  for (const dir of dirsFromRoot) {
    for (const name of ['AGENTS.override.md', 'AGENTS.md', 'agents.md']) {
      const file = await read(join(dir, name));
      if (file === undefined) continue;
      if (!found.some(({ text }) => text === file.text)) found.push(file);
      break;
    }
  }
  return found;
}

async function cursorRules(cwd: string, read: Read): Promise<readonly Candidate[]> {
  const folder = join(cwd, '.cursor', 'rules');
  const names = await readdir(folder).catch(() => []); // no such folder: no rules
  const rules = names.filter((name) => name.endsWith('.mdc')).sort();
  const files = await Promise.all([join(cwd, '.cursorrules'), ...rules.map((name) => join(folder, name))].map(read));
  return files.filter((file) => file !== undefined);
}

async function readCandidate(
  path: string,
  options: ProjectFilesOptions,
  warnings: string[],
): Promise<Candidate | undefined> {
  if (!existsSync(path)) return undefined;
  try {
    const signal = AbortSignal.timeout(options.readTimeoutMs);
    const text = (await readFile(path, { encoding: 'utf8', signal })).replace(/^\uFEFF/, '').trim();
    return text === '' ? undefined : { path, text };
  } catch (error) {
    if (errorCode(error) !== 'EISDIR') warnings.push(`Project file ${path} could not be read and was left out.`);
    return undefined;
  }
}

function withoutFrontMatter(text: string): string {
  return text.replace(/^---\r?\n[\s\S]*?\r?\n---\r?\n?/, '').trim();
}

function render(files: readonly Candidate[], options: ProjectFilesOptions, base: string, warnings: string[]): string {
  let left = options.maxChars;
  const sections: string[] = [];
  for (const { path, text } of files) {
    const name = relative(base, path) || path;
    const ids = options.scan(text);
    if (ids.length > 0) {
      warnings.push(
        `Project file ${path} was not loaded: it holds what looks like a prompt injection (${ids.join(', ')}).`,
      );
      sections.push(
        `## ${name}\n[BLOCKED: ${name} contained potential prompt injection (${ids.join(', ')}). Content not loaded.]`,
      );
      continue;
    }
    const capped = capMiddle(text, left, path);
    if (capped !== text)
      warnings.push(`Project file ${path} is longer than ${options.maxChars} characters; its middle was left out.`);
    left = Math.max(0, left - capped.length);
    sections.push(`## ${name}\n${capped}`);
  }
  return ['# Project Context', ...sections].join('\n\n');
}

/** 70 % head, 20 % tail, and a marker that says what was cut and where to read it. */
export function capMiddle(text: string, maxChars: number, path: string): string {
  if (text.length <= maxChars) return text;
  const head = Math.floor(maxChars * 0.7);
  const tail = Math.floor(maxChars * 0.2);
  const marker = `\n\n[... ${text.length - head - tail} of ${text.length} characters left out; read ${path} for the rest ...]\n\n`;
  return text.slice(0, head).toWellFormed() + marker + text.slice(text.length - tail).toWellFormed();
}
