/** The `*** Begin Patch` format: read into operations. Nothing touches the disk here. */

export interface Hunk {
  /** Text after `@@`: a line above the place, '' for none. */
  readonly hint: string;
  /** Context and removed lines. */
  readonly before: readonly string[];
  /** Context and added lines. */
  readonly after: readonly string[];
}

export type FileOperation =
  | { readonly kind: 'update'; readonly path: string; readonly moveTo?: string; readonly hunks: readonly Hunk[] }
  | { readonly kind: 'add'; readonly path: string; readonly text: string }
  | { readonly kind: 'delete'; readonly path: string }
  | { readonly kind: 'move'; readonly path: string; readonly moveTo: string };

export type ParsedPatch =
  | { readonly ok: true; readonly operations: readonly FileOperation[] }
  | { readonly ok: false; readonly message: string };

const HEADER = /^\*\*\*\s*(Update File|Add File|Delete File|Move File|Move to)\s*:\s*(.+?)\s*$/i;
const BEGIN = /^\*\*\*\s*Begin Patch\s*$/i;
const END = /^\*\*\*\s*End Patch\s*$/i;

interface Section {
  readonly title: string;
  readonly path: string;
  readonly body: string[];
  moveTo?: string;
}

/** Never throws. The begin and end lines may be missing; a missing space after the asterisks is fine. */
export function parsePatch(patch: string): ParsedPatch {
  const sections: Section[] = [];
  for (const [index, line] of patch.replace(/\r\n/g, '\n').split('\n').entries()) {
    if (BEGIN.test(line)) continue;
    if (END.test(line)) break;
    const header = HEADER.exec(line);
    const current = sections.at(-1);
    if (header !== null) {
      const [, title = '', path = ''] = header;
      if (/^move to$/i.test(title) && current !== undefined) current.moveTo = path;
      else sections.push({ title: title.toLowerCase(), path, body: [] });
    } else if (current !== undefined) {
      current.body.push(line);
    } else if (line.trim() !== '') {
      return { ok: false, message: `Line ${index + 1} stands before any "*** Update File: path" header.` };
    }
  }
  if (sections.length === 0)
    return { ok: false, message: 'The patch has no "*** Update|Add|Delete File: path" header.' };
  return toOperations(sections);
}

function toOperations(sections: readonly Section[]): ParsedPatch {
  const operations: FileOperation[] = [];
  for (const section of sections) {
    const operation = toOperation(section);
    if (typeof operation === 'string') return { ok: false, message: operation };
    operations.push(operation);
  }
  const climbing = operations.flatMap(pathsOf).find((path) => path.split(/[/\\]/).includes('..'));
  if (climbing !== undefined) return { ok: false, message: `".." is not allowed in a header: ${climbing}.` };
  return { ok: true, operations };
}

export function pathsOf(operation: FileOperation): readonly string[] {
  return 'moveTo' in operation && operation.moveTo !== undefined
    ? [operation.path, operation.moveTo]
    : [operation.path];
}

function toOperation({ title, path, body, moveTo }: Section): FileOperation | string {
  switch (title) {
    case 'add file':
      return addition(path, body);
    case 'delete file':
      return { kind: 'delete', path };
    case 'move file':
    case 'move to':
      return movement(path);
    default: {
      const hunks = parseHunks(body);
      if (typeof hunks === 'string') return `${path}: ${hunks}`;
      if (hunks.length === 0 && moveTo !== undefined) return { kind: 'move', path, moveTo };
      if (hunks.length === 0) return `${path}: the update holds no changed line.`;
      return { kind: 'update', path, hunks, ...(moveTo !== undefined && { moveTo }) };
    }
  }
}

function movement(header: string): FileOperation | string {
  const [path, moveTo, ...rest] = header.split(/\s+->\s+/);
  if (path === undefined || moveTo === undefined || rest.length > 0) return `Write a move as "*** Move File: a -> b".`;
  return { kind: 'move', path, moveTo };
}

function addition(path: string, body: readonly string[]): FileOperation | string {
  const lines = [...body];
  while (lines.length > 0 && lines.at(-1)?.trim() === '') lines.pop();
  const odd = lines.findIndex((line) => line !== '' && !line.startsWith('+'));
  if (odd >= 0) return `${path}: line ${odd + 1} of the new file must start with "+".`;
  return { kind: 'add', path, text: lines.map((line) => `${line.slice(1)}\n`).join('') };
}

function parseHunks(body: readonly string[]): readonly Hunk[] | string {
  const hunks: { hint: string; before: string[]; after: string[]; changes: number }[] = [];
  const current = () => {
    const last = hunks.at(-1);
    if (last !== undefined) return last;
    const made = { hint: '', before: [], after: [], changes: 0 };
    hunks.push(made);
    return made;
  };
  const lines = [...body];
  while (lines.length > 0 && lines.at(-1)?.trim() === '') lines.pop();
  for (const line of lines) {
    if (line.startsWith('@@')) {
      const hint = line
        .slice(2)
        .replace(/\s*@@\s*$/, '')
        .trim();
      // Line numbers of a unified diff say less than the lines themselves.
      hunks.push({ hint: /^-\d+(,\d+)? \+\d+/.test(hint) ? '' : hint, before: [], after: [], changes: 0 });
      continue;
    }
    if (/^\*\*\*\s*End of File/i.test(line) || line.startsWith('\\ No newline')) continue;
    const hunk = current();
    const rest = line.slice(1);
    if (line.startsWith('+')) hunk.after.push(rest);
    else if (line.startsWith('-')) hunk.before.push(rest);
    else if (line === '' || line.startsWith(' ')) {
      hunk.before.push(rest);
      hunk.after.push(rest);
    } else return `a line must start with a space, "+", "-" or "@@": ${JSON.stringify(line.slice(0, 80))}.`;
    if (line.startsWith('+') || line.startsWith('-')) hunk.changes++;
  }
  return hunks.filter(({ changes }) => changes > 0).map(({ hint, before, after }) => ({ hint, before, after }));
}
