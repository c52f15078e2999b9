/** From nodes of the grammar to words, doing what the shell would do with quotes, variables and braces. */
import { type SimpleCommand, UNKNOWN, type Word } from './model.ts';
import type { Node } from './parser.ts';

export interface Scope {
  readonly home: string;
  readonly variables: Map<string, string>;
  cwd: string | undefined;
}

interface Piece {
  text: string;
  glob: boolean;
  brace: boolean;
  /** Unquoted expansion: the shell splits it at blanks. */
  splits: boolean;
  inner: SimpleCommand[];
}

/** Walks the commands of a substitution. */
export type WalkInner = (node: Node) => SimpleCommand[];

/** Nodes that touch are one word; it may become several (`$X` with blanks, `{a,b}`) or none (`$EMPTY`). */
export function resolveWords(nodes: readonly Node[], scope: Scope, walk: WalkInner): Word[] {
  const piece = plain('');
  for (const node of nodes) append(piece, resolve(node, scope, walk));
  const texts = piece.brace ? expandBraces(piece.text) : [piece.text];
  const parts = piece.splits ? texts.flatMap((text) => text.split(/\s+/).filter((part) => part !== '')) : texts;
  return parts.map((text) => ({ text, glob: piece.glob, inner: piece.inner }));
}

export function resolveWord(node: Node, scope: Scope, walk: WalkInner): Word {
  const { text, glob, inner } = resolve(node, scope, walk);
  return { text, glob, inner };
}

function plain(text: string): Piece {
  return { text, glob: false, brace: false, splits: false, inner: [] };
}

function resolve(node: Node, scope: Scope, walk: WalkInner): Piece {
  switch (node.type) {
    case 'word':
    case 'number':
    case 'variable_name':
    case 'special_variable_name':
    case 'test_operator':
    case 'extglob_pattern':
    case 'regex':
    case 'brace_expression':
      return bare(node.text);
    case 'raw_string':
      return plain(node.text.slice(1, -1));
    case 'ansi_c_string':
      return plain(decodeAnsiC(node.text.slice(2, -1)));
    case 'string':
      return { ...join(node, scope, walk, 1, unquoteDouble), splits: false, glob: false, brace: false };
    case 'translated_string':
    case 'concatenation':
    case 'command_name':
      return join(node, scope, walk, 0, (text) => text);
    case 'simple_expansion':
      return { ...plain(lookUp(node.text.slice(1), scope)), splits: true };
    case 'expansion':
      return { ...expandBraced(node, scope, walk), splits: true };
    case 'command_substitution': {
      const inner = walk(node);
      return { ...plain(substitute(inner, scope)), splits: true, inner };
    }
    case 'process_substitution':
      return { ...plain(UNKNOWN), inner: walk(node) };
    default: {
      const inner = walk(node);
      return { ...plain(node.namedChildCount === 0 ? node.text : UNKNOWN), inner };
    }
  }
}

function bare(source: string): Piece {
  const text = source.replace(/\\\n/g, '').replace(/\\([\s\S])/g, '$1');
  const unescaped = source.replace(/\\[\s\S]/g, '');
  return { ...plain(text), glob: /[*?[]/.test(unescaped), brace: unescaped.includes('{') };
}

/** The children's texts and what lies between them: the grammar drops some blanks inside strings. */
function join(node: Node, scope: Scope, walk: WalkInner, margin: number, between: (text: string) => string): Piece {
  const piece = plain('');
  const source = node.text;
  let at = margin;
  for (const child of node.namedChildren) {
    if (child === null || child.type === 'string_content') continue;
    const start = child.startIndex - node.startIndex;
    const gap = source.slice(at, start);
    const part = resolve(child, scope, walk);
    piece.text += between(gap);
    piece.brace ||= gap.includes('{');
    append(piece, part);
    at = child.endIndex - node.startIndex;
  }
  piece.text += between(source.slice(at, source.length - margin));
  return piece;
}

function append(piece: Piece, part: Piece): void {
  piece.text += part.text;
  piece.glob ||= part.glob;
  piece.brace ||= part.brace;
  piece.splits ||= part.splits;
  piece.inner.push(...part.inner);
}

function unquoteDouble(text: string): string {
  return text.replace(/\\\n/g, '').replace(/\\(["$`\\])/g, '$1');
}

function decodeAnsiC(text: string): string {
  const letters: Record<string, string> = {
    n: '\n',
    t: '\t',
    r: '\r',
    a: '\x07',
    b: '\b',
    e: '\x1b',
    E: '\x1b',
    f: '\f',
    v: '\v',
  };
  return text.replace(
    /\\(?:x([0-9a-fA-F]{1,2})|u([0-9a-fA-F]{1,4})|U([0-9a-fA-F]{1,8})|([0-7]{1,3})|c(.)|([\s\S]))/g,
    (_all, hex, short, long, octal, control, letter) => {
      const digits = hex ?? short ?? long;
      if (digits !== undefined) return String.fromCodePoint(Math.min(Number.parseInt(digits, 16), 0x10ffff));
      if (octal !== undefined) return String.fromCharCode(Number.parseInt(octal, 8) & 255);
      if (control !== undefined) return String.fromCharCode(control.charCodeAt(0) & 31);
      return letters[letter] ?? letter;
    },
  );
}

function lookUp(name: string, scope: Scope): string {
  const value = scope.variables.get(name);
  if (value !== undefined) return value;
  if (name === 'HOME') return scope.home;
  if (name === 'PWD') return scope.cwd ?? UNKNOWN;
  if (name === 'IFS') return ' ';
  return UNKNOWN;
}

function expandBraced(node: Node, scope: Scope, walk: WalkInner): Piece {
  const inner = walk(node);
  const simple = /^\$\{(\w+)\}$/.exec(node.text);
  if (simple?.[1] !== undefined) return { ...plain(lookUp(simple[1], scope)), inner };
  const fallback = /^\$\{(\w+):?[-=]([^${}`]*)\}$/.exec(node.text);
  const value = fallback?.[1] === undefined ? UNKNOWN : lookUp(fallback[1], scope);
  return { ...plain(value), inner };
}

/** What a substitution that only prints a literal comes to. */
function substitute(inner: readonly SimpleCommand[], scope: Scope): string {
  const [command, more] = inner;
  if (
    command === undefined ||
    more !== undefined ||
    command.redirects.some((redirect) => redirect.operator.startsWith('>'))
  )
    return UNKNOWN;
  const texts = command.args.map((word) => word.text);
  if (command.name === 'echo') return texts.filter((text, at) => at > 0 || !/^-[neE]+$/.test(text)).join(' ');
  if (command.name === 'printf') return printf(texts);
  if (command.name === 'pwd') return scope.cwd ?? UNKNOWN;
  if (command.name === 'which') return texts.at(-1) ?? UNKNOWN;
  if ((command.name === 'command' || command.name === 'type') && /^-[vpP]$/.test(texts[0] ?? ''))
    return texts[1] ?? UNKNOWN;
  return UNKNOWN;
}

/** What `printf` prints for literal arguments. */
export function printf(texts: readonly string[]): string {
  const [format = '', ...values] = texts[0] === '--' ? texts.slice(1) : texts;
  let at = 0;
  return decodeAnsiC(format).replace(/%(?:%|[-0-9.]*([a-zA-Z]))/g, (all, kind) =>
    all === '%%' ? '%' : kind === 's' || kind === 'b' ? (values[at++] ?? '') : UNKNOWN,
  );
}

/** At most 64 words; nested braces expanded. Text without a comma list stays as it is. */
export function expandBraces(text: string): string[] {
  const done: string[] = [];
  const open = [text];
  while (open.length > 0 && done.length + open.length <= 64) {
    const next = open.shift() ?? '';
    const found = /\{([^{}]*,[^{}]*)\}/.exec(next);
    if (found === null) done.push(next);
    else {
      const [all, list = ''] = found;
      for (const item of list.split(','))
        open.push(next.slice(0, found.index) + item + next.slice(found.index + all.length));
    }
  }
  return [...done, ...open].filter((word) => word !== '');
}
