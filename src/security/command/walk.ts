/** Walks a parsed command line and lists every simple command that would run, the hidden ones too. */
import type { AssessContext } from './assessment.ts';
import { isInterpreter, printed, shellPayloads, shells, writtenFiles } from './interpreters.ts';
import { type Origin, type Redirect, type SimpleCommand, UNKNOWN, type Word } from './model.ts';
import type { Node, ParseShell } from './parser.ts';
import { resolvePath } from './paths.ts';
import { findActions, nameOf, unwrap } from './unwrap.ts';
import { resolveWord, resolveWords, type Scope } from './words.ts';

export interface Walk {
  readonly commands: readonly SimpleCommand[];
  /** Texts that the grammar could not read, or nested too deep to follow. */
  readonly unread: readonly string[];
  /** A function that multiplies itself. */
  readonly forkBomb: boolean;
}

interface Place {
  readonly scope: Scope;
  readonly depth: number;
  readonly upstream: readonly SimpleCommand[];
  readonly redirects: readonly Redirect[];
  readonly stdin: string | undefined;
  readonly extraArgs: readonly Word[];
  readonly detached: boolean;
}

interface WrittenFile {
  readonly origin: Origin | 'text';
  readonly text: string | undefined;
}

const maxDepth = 6;
/** A line that multiplies beyond this is not followed: it counts as unread. */
const maxCommands = 2000;
/** The grammar needs time in the square of these. */
const maxHeredocs = 200;

export function walkCommand(parse: ParseShell, source: string, context: AssessContext): Walk {
  const unread: string[] = [];
  const written = new Map<string, WrittenFile>();
  let forkBomb = false;
  let total = 0;

  const visitText = (text: string, place: Place): SimpleCommand[] => {
    const shellText = text.replaceAll(UNKNOWN, '$__unknown__');
    const readings = [shellText];
    // The grammar splits a word at a continued line; joining lines would lengthen a comment. So both are read.
    if (/\\\n/.test(shellText)) readings.push(shellText.replace(/(^|[^\\])((?:\\\\)*)\\\n/g, '$1$2'));
    return readings.flatMap((reading) => visitReading(reading, place));
  };

  const visitReading = (shellText: string, place: Place): SimpleCommand[] => {
    const root =
      place.depth > maxDepth || total > maxCommands || shellText.split('<<').length > maxHeredocs
        ? undefined
        : parse(`${shellText}\n`);
    if (root === undefined || root.hasError) unread.push(shellText);
    return root === undefined ? [] : visit(root, { ...place, depth: place.depth + 1 });
  };

  const children = (node: Node, place: Place): SimpleCommand[] => {
    const commands: SimpleCommand[] = [];
    for (const child of node.namedChildren) {
      if (child === null) continue;
      const detached = place.detached || child.nextSibling?.type === '&';
      commands.push(...visit(child, detached ? { ...place, detached } : place));
    }
    return commands;
  };

  const subshell = (node: Node, place: Place): SimpleCommand[] =>
    children(node, { ...place, scope: { ...place.scope, variables: new Map(place.scope.variables) } });

  /** Substitutions have their own input and output. */
  const inner = (place: Place) => (node: Node) => {
    const own: Place = { ...place, upstream: [], redirects: [], stdin: undefined, extraArgs: [], detached: false };
    return node.type === 'arithmetic_expansion' ? visit(node, own) : subshell(node, own);
  };

  const visit = (node: Node, place: Place): SimpleCommand[] => {
    switch (node.type) {
      case 'command':
        return visitCommand(node, place);
      case 'declaration_command':
        return [
          ...children(node, place),
          simple([wordOf(node.child(0)?.text ?? ''), ...plainArgs(node, place)], place),
        ];
      case 'variable_assignment':
        return visitAssignment(node, place);
      case 'pipeline':
        return visitPipeline(node, place);
      case 'redirected_statement':
        return visitRedirected(node, place);
      case 'for_statement':
        return visitFor(node, place);
      case 'function_definition':
        forkBomb ||= isForkBomb(node);
        return children(node, { ...place, upstream: [], detached: false });
      case 'subshell':
      case 'command_substitution':
      case 'process_substitution':
        return subshell(node, place);
      case 'arithmetic_expansion':
      case 'compound_statement':
        return [...children(node, place), ...visitArithmetic(node, place)];
      default:
        return children(node, place);
    }
  };

  /** `((a) | b)` is arithmetic for one shell and nested subshells for another. */
  const visitArithmetic = (node: Node, place: Place): SimpleCommand[] => {
    const text = /^\$?\(\(([\s\S]*)\)\)$/.exec(node.text)?.[1];
    return text === undefined ? [] : quietly(text, place);
  };

  const plainArgs = (node: Node, place: Place): Word[] =>
    node.namedChildren.flatMap((child) =>
      child === null || child.type === 'variable_assignment' ? [] : resolveWords([child], place.scope, () => []),
    );

  const visitAssignment = (node: Node, place: Place): SimpleCommand[] => {
    const name = node.childForFieldName('name');
    const value = node.childForFieldName('value');
    if (value === null) {
      if (name !== null) place.scope.variables.set(name.text, '');
      return [];
    }
    const word = resolveWord(value, place.scope, inner(place));
    if (name !== null) place.scope.variables.set(name.text, node.text.includes('+=') ? UNKNOWN : word.text);
    return [...word.inner];
  };

  const visitPipeline = (node: Node, place: Place): SimpleCommand[] => {
    const commands: SimpleCommand[] = [];
    let upstream = place.upstream;
    for (const child of node.namedChildren) {
      if (child === null) continue;
      const stage = visit(child, {
        ...place,
        upstream,
        stdin: upstream.length > place.upstream.length ? undefined : place.stdin,
      });
      upstream = [...upstream, ...stage];
      commands.push(...stage);
    }
    return commands;
  };

  const visitRedirected = (node: Node, place: Place): SimpleCommand[] => {
    const read = readRedirects(node.childrenForFieldName('redirect'), place);
    const body = node.childForFieldName('body');
    const here: Place = {
      ...place,
      redirects: [...place.redirects, ...read.redirects],
      stdin: read.stdin ?? place.stdin,
      extraArgs: [...place.extraArgs, ...read.extraArgs],
    };
    const commands = body === null ? [] : visit(body, here);
    if (body === null || commands.length === 0) commands.push(simple([wordOf(':')], here));
    for (const next of read.downstream)
      commands.push(...visit(next, { ...place, upstream: [...place.upstream, ...commands] }));
    for (const next of read.after) commands.push(...visit(next, place));
    return [...read.inner, ...commands];
  };

  interface Redirects {
    redirects: Redirect[];
    stdin: string | undefined;
    extraArgs: Word[];
    downstream: Node[];
    after: Node[];
    inner: SimpleCommand[];
  }

  const readRedirects = (nodes: readonly (Node | null)[], place: Place): Redirects => {
    const read: Redirects = { redirects: [], stdin: undefined, extraArgs: [], downstream: [], after: [], inner: [] };
    for (const node of nodes) {
      if (node === null) continue;
      if (node.type === 'heredoc_redirect') readHeredoc(node, place, read);
      else if (node.type === 'herestring_redirect') {
        const value = node.namedChildren.find((child) => child !== null && child.type !== 'file_descriptor');
        if (value) {
          const word = resolveWord(value, place.scope, inner(place));
          read.stdin = word.text;
          read.inner.push(...word.inner);
        }
      } else {
        const operator = node.children.find((child) => child !== null && !child.isNamed)?.type ?? '>';
        const first = node.childForFieldName('destination');
        for (const destination of node.childrenForFieldName('destination')) {
          if (destination === null) continue;
          const [target, ...more] = resolveWords([destination], place.scope, inner(place));
          if (target === undefined) continue;
          read.inner.push(...target.inner);
          // The grammar hangs words that follow a redirect on the redirect.
          if (destination.id === first?.id) read.redirects.push({ operator, target });
          else read.extraArgs.push(target);
          read.extraArgs.push(...more);
        }
      }
    }
    return read;
  };

  const readHeredoc = (node: Node, place: Place, read: Redirects): void => {
    for (const argument of node.childrenForFieldName('argument'))
      if (argument !== null) read.extraArgs.push(...resolveWords([argument], place.scope, inner(place)));
    const nested = readRedirects(node.childrenForFieldName('redirect'), place);
    read.redirects.push(...nested.redirects);
    read.inner.push(...nested.inner);
    const right = node.childForFieldName('right');
    for (const child of node.namedChildren) {
      if (child === null) continue;
      if (child.type === 'pipeline') read.downstream.push(child);
      else if (child.type === 'heredoc_body') {
        read.stdin = child.text;
        read.inner.push(...inner(place)(child));
      } else if (right !== null && child.id === right.id) read.after.push(child);
    }
  };

  const visitFor = (node: Node, place: Place): SimpleCommand[] => {
    const name = node.childForFieldName('variable')?.text ?? '';
    const values = node
      .childrenForFieldName('value')
      .flatMap((value) => (value === null ? [] : resolveWords([value], place.scope, inner(place))));
    const body = node.childForFieldName('body');
    const commands = values.flatMap((value) => [...value.inner]);
    const tried = values.length === 0 || values.length > 8 ? [wordOf(UNKNOWN)] : values;
    for (const value of tried) {
      place.scope.variables.set(name, value.text);
      if (body !== null) commands.push(...visit(body, place));
    }
    return commands;
  };

  const visitCommand = (node: Node, place: Place): SimpleCommand[] => {
    const nameNode = node.childForFieldName('name');
    // The grammar forgives a stray keyword, the shell does not: what is left of the line is not understood.
    if (/^(?:do|done|then|else|elif|fi|esac)$/.test(nameNode?.text ?? '')) unread.push(node.text);
    const nodes = [nameNode, ...node.childrenForFieldName('argument')];
    const read = readRedirects(node.childrenForFieldName('redirect'), place);
    const settings = new Map<string, string>();
    const hidden: SimpleCommand[] = [...read.inner];
    for (const child of node.namedChildren) {
      if (child?.type === 'subshell') hidden.push(...subshell(child, place));
      if (child?.type !== 'variable_assignment') continue;
      const value = child.childForFieldName('value');
      const word = value === null ? wordOf('') : resolveWord(value, place.scope, inner(place));
      settings.set(child.childForFieldName('name')?.text ?? '', word.text);
      hidden.push(...word.inner);
    }
    const words = joined(nodes).flatMap((parts) => resolveWords(parts, place.scope, inner(place)));
    for (const part of new Set(words.map((word) => word.inner))) hidden.push(...part);
    const here: Place = {
      ...place,
      redirects: [...place.redirects, ...read.redirects],
      stdin: read.stdin ?? place.stdin,
    };
    const all = [...words, ...read.extraArgs, ...place.extraArgs];
    if (all.length === 0) return hidden;
    return [...hidden, ...open(simple(all, here, settings), here)];
  };

  const simple = (
    words: readonly Word[],
    place: Place,
    settings: ReadonlyMap<string, string> = new Map(),
  ): SimpleCommand => {
    const [first, ...args] = words;
    const { redirects, upstream, stdin, detached } = place;
    const base = {
      redirects,
      upstream,
      stdin,
      detached,
      settings,
      cwd: place.scope.cwd,
      via: undefined,
      runs: undefined,
    };
    return { ...base, name: nameOf(first), path: first?.text ?? '', args };
  };

  /** The command, and what it runs in turn. */
  const open = (command: SimpleCommand, place: Place): SimpleCommand[] => {
    total += 1;
    const { scope } = place;
    const file = executedFile(command);
    const source = file === undefined ? undefined : written.get(resolvePath(file, scope.cwd, context.home));
    const origin = source === undefined || source.origin === 'text' ? undefined : source.origin;
    const commands: SimpleCommand[] = [origin === undefined ? command : { ...command, runs: origin }];
    remember(command, scope);
    const wrapped = unwrap(command);
    if (wrapped !== undefined) commands.push(...open(wrapped, place));
    if (command.name === 'find') for (const action of findActions(command)) commands.push(...open(action, place));
    const texts = source?.text === undefined ? shellPayloads(command) : [source.text, ...shellPayloads(command)];
    const fresh: Place = { ...place, upstream: [], redirects: [], stdin: undefined, extraArgs: [], detached: false };
    for (const text of texts) {
      // A program's string literals are read as commands too: what does not parse there is no command.
      if (isInterpreter(command.name) || command.name.endsWith('awk')) commands.push(...quietly(text, fresh));
      else if (text.trim() !== '' && text.trim() !== '-') commands.push(...visitText(text, fresh));
    }
    return commands;
  };

  const quietly = (text: string, place: Place): SimpleCommand[] => {
    const before = unread.length;
    const commands = visitText(text, {
      ...place,
      scope: { ...place.scope, variables: new Map(place.scope.variables) },
    });
    unread.length = before;
    return commands.map((command) => ({ ...command, redirects: [] })).filter((command) => command.name !== '');
  };

  const remember = (command: SimpleCommand, scope: Scope): void => {
    if (command.name === 'cd' || command.name === 'pushd') {
      const target =
        command.args.find((word) => !/^-./.test(word.text))?.text ?? (command.name === 'cd' ? context.home : UNKNOWN);
      const path = resolvePath(target, scope.cwd, context.home);
      scope.cwd = target === '-' || path.includes(UNKNOWN) || !path.startsWith('/') ? undefined : path;
    }
    if (command.name === 'popd') scope.cwd = undefined;
    if (command.name === 'read') for (const word of command.args) scope.variables.set(word.text, UNKNOWN);
    for (const { path, origin } of writtenFiles(command)) {
      written.set(resolvePath(path.text, scope.cwd, context.home), {
        origin,
        text: origin === 'text' ? printed(command) : undefined,
      });
    }
    if (command.name === 'mv' || command.name === 'cp') {
      const [from, to] = command.args
        .filter((word) => !word.text.startsWith('-'))
        .map((word) => resolvePath(word.text, scope.cwd, context.home));
      const moved = from === undefined ? undefined : written.get(from);
      if (moved !== undefined && to !== undefined) written.set(to, moved);
    }
  };

  const variables = new Map([['HERMES_HOME', context.hermesHome ?? `${context.home}/.hermes`]]);
  const scope: Scope = { home: context.home, variables, cwd: context.cwd };
  const start: Place = {
    scope,
    depth: 0,
    upstream: [],
    redirects: [],
    stdin: undefined,
    extraArgs: [],
    detached: false,
  };
  const commands = visitText(source, start);
  return { commands, unread, forkBomb };
}

/** The grammar takes `"r"\\m` for two words; for the shell, nodes without a gap are one. */
function joined(nodes: readonly (Node | null)[]): Node[][] {
  const groups: Node[][] = [];
  for (const node of nodes) {
    if (node === null) continue;
    const last = groups.at(-1);
    if (last?.at(-1)?.endIndex === node.startIndex) last.push(node);
    else groups.push([node]);
  }
  return groups;
}

function wordOf(text: string): Word {
  return { text, glob: false, inner: [] };
}

/** The file that a command executes, if any: itself, or the script it is given. */
function executedFile(command: SimpleCommand): string | undefined {
  if (command.path.includes('/')) return command.path;
  const runsScript =
    shells.has(command.name) || isInterpreter(command.name) || command.name === '.' || command.name === 'source';
  if (!runsScript) return undefined;
  const redirected = command.redirects.find((redirect) => redirect.operator === '<')?.target.text;
  return command.args.find((word) => !/^[-+]/.test(word.text))?.text ?? redirected;
}

/** `f() { f | f & }`: a function that starts itself at least twice over, or in the background. */
function isForkBomb(node: Node): boolean {
  const name = node.childForFieldName('name')?.text;
  const body = node.childForFieldName('body');
  if (name === undefined || body === null) return false;
  return body.descendantsOfType('pipeline').some((pipeline) => {
    const calls = pipeline
      ?.descendantsOfType('command')
      .filter((command) => command?.childForFieldName('name')?.text === name);
    return (calls?.length ?? 0) >= 2;
  });
}
