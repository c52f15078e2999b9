/** Syntax errors that an edit brought in, found with what is at hand. A file that was broken before is not held against it. */
import { spawn } from 'node:child_process';
import { extname } from 'node:path';
import { errorText } from '../../lib/errors.ts';

type Check = (text: string, signal: AbortSignal) => Promise<readonly string[]>;

const CHECKS: Readonly<Record<string, Check>> = {
  '.json': checkJson,
  '.yaml': checkYaml,
  '.yml': checkYaml,
  '.py': (text, signal) => checkWithPython('import ast,sys\nast.parse(sys.stdin.buffer.read())', text, signal),
  '.toml': (text, signal) =>
    checkWithPython('import sys,tomllib\ntomllib.loads(sys.stdin.buffer.read().decode())', text, signal),
  '.js': checkScript,
  '.mjs': checkScript,
  '.cjs': checkScript,
  '.ts': checkScript,
  '.mts': checkScript,
  '.cts': checkScript,
};

const MAX_CHARS = 1_000_000;
const PYTHON_MS = 10_000;

/**
 * Errors of `after` that `before` did not have; undefined when nothing can check such a file.
 * @param before undefined for a new file
 */
export async function newSyntaxErrors(
  path: string,
  before: string | undefined,
  after: string,
  signal: AbortSignal,
): Promise<readonly string[] | undefined> {
  const check = CHECKS[extname(path).toLowerCase()];
  if (check === undefined || after.length > MAX_CHARS) return undefined;
  try {
    const found = await check(after, signal);
    if (found.length === 0) return [];
    const old = before === undefined ? [] : (await check(before, signal)).map(withoutPlace);
    return found.filter((error) => !old.includes(withoutPlace(error)));
  } catch {
    return undefined; // the checker itself failed or is not installed: that says nothing about the file
  }
}

/** Two errors are the same when they differ only in where they are. */
function withoutPlace(error: string): string {
  return error.replace(/\d+/g, '#');
}

async function checkJson(text: string): Promise<readonly string[]> {
  try {
    JSON.parse(text);
    return [];
  } catch (error) {
    return [errorText(error)];
  }
}

async function checkYaml(text: string): Promise<readonly string[]> {
  const { parseAllDocuments } = await import('yaml');
  const documents = parseAllDocuments(text, { logLevel: 'silent' });
  return Array.isArray(documents)
    ? documents.flatMap((document) => document.errors.map(({ message }) => firstLine(message)))
    : [];
}

/** TypeScript's erasable syntax and plain JavaScript; JSX and Flow are beyond it. */
async function checkScript(text: string): Promise<readonly string[]> {
  if (/<\/?[A-Za-z][\w.]*(\s[^<>]*)?\/?>|@flow/.test(text)) return [];
  const { stripTypeScriptTypes } = await import('node:module');
  try {
    quietly(() => stripTypeScriptTypes(text, { mode: 'strip' }));
    return [];
  } catch (error) {
    if (isSyntaxProblem(error)) return [firstLine(errorText(error))];
    return []; // syntax that is right but cannot be stripped, such as enums
  }
}

function isSyntaxProblem(error: unknown): boolean {
  return (
    typeof error === 'object' && error !== null && 'code' in error && error.code === 'ERR_INVALID_TYPESCRIPT_SYNTAX'
  );
}

/** The platform warns once on stderr that stripping is experimental; stderr belongs to the door. */
function quietly(work: () => void): void {
  const { emitWarning } = process;
  process.emitWarning = () => {};
  try {
    work();
  } finally {
    process.emitWarning = emitWarning;
  }
}

function checkWithPython(program: string, text: string, signal: AbortSignal): Promise<readonly string[]> {
  const { promise, resolve, reject } = Promise.withResolvers<readonly string[]>();
  const child = spawn('python3', ['-I', '-c', program], {
    stdio: ['pipe', 'ignore', 'pipe'],
    timeout: PYTHON_MS,
    signal,
  });
  let stderr = '';
  child.stderr.on('data', (data: Buffer) => {
    stderr += data.toString();
  });
  child.on('error', reject);
  child.stdin.on('error', () => {}); // it may end before it has read all
  child.on('close', (code) => {
    if (code === 0) resolve([]);
    else if (/^\s*(?:\w+\.)?\w*(SyntaxError|IndentationError|TabError|TOMLDecodeError|ValueError)\b/m.test(stderr)) {
      resolve([pythonMessage(stderr)]);
    } else reject(new Error('python could not check the file'));
  });
  child.stdin.end(text);
  return promise;
}

function pythonMessage(stderr: string): string {
  const lines = stderr.trim().split('\n');
  const line = /File "<unknown>", line (\d+)/.exec(stderr)?.[1];
  return `${line === undefined ? '' : `line ${line}: `}${lines.at(-1) ?? ''}`;
}

function firstLine(text: string): string {
  return text.split('\n')[0] ?? '';
}
