/** What a search passes over unless it is asked for: folders of other people's code, and what .gitignore names. */

const SKIPPED_FOLDERS = new Set([
  'node_modules',
  'bower_components',
  '.git',
  '.hg',
  '.svn',
  '.jj',
  '.venv',
  'venv',
  '__pycache__',
  '.mypy_cache',
  '.pytest_cache',
  '.ruff_cache',
  '.tox',
  '.gradle',
  '.idea',
  '.next',
  '.nuxt',
  '.cache',
  '.terraform',
  '.yarn',
  '.pnpm-store',
]);

export function isSkippedFolder(name: string): boolean {
  return SKIPPED_FOLDERS.has(name);
}

interface Rule {
  readonly pattern: RegExp;
  readonly negated: boolean;
  readonly folderOnly: boolean;
}

/** Rules of one .gitignore; the last that fits decides. */
export interface IgnoreFile {
  /** @param path relative to the file's folder, with `/` */
  test(path: string, isFolder: boolean): 'ignored' | 'kept' | undefined;
}

export function parseIgnore(text: string): IgnoreFile {
  const rules = text.split(/\r?\n/).flatMap((line) => toRule(line) ?? []);
  return {
    test(path, isFolder) {
      const rule = rules.findLast(({ pattern, folderOnly }) => (isFolder || !folderOnly) && pattern.test(path));
      if (rule === undefined) return undefined;
      return rule.negated ? 'kept' : 'ignored';
    },
  };
}

function toRule(line: string): Rule | undefined {
  const trimmed = line.replace(/(?<!\\)\s+$/, '');
  if (trimmed === '' || trimmed.startsWith('#')) return undefined;
  const negated = trimmed.startsWith('!');
  const body = negated ? trimmed.slice(1) : trimmed;
  const folderOnly = body.endsWith('/');
  const path = folderOnly ? body.slice(0, -1) : body;
  const anchored = path.includes('/');
  const source = globSource(path.replace(/^\//, '').replace(/^\\(?=[#!])/, ''));
  return { pattern: new RegExp(`^${anchored ? '' : '(?:.*/)?'}${source}$`), negated, folderOnly };
}

/** A glob of names or paths; one without a slash fits the name at any depth. Braces are understood. */
export function globMatcher(glob: string): (path: string) => boolean {
  const patterns = braces(glob.replace(/^\.\//, '')).map(
    (one) => new RegExp(`^${one.includes('/') ? '' : '(?:.*/)?'}${globSource(one.replace(/^\//, ''))}$`),
  );
  return (path) => patterns.some((pattern) => pattern.test(path));
}

const MAX_BRACES = 200;

function braces(glob: string): readonly string[] {
  let open = [glob];
  for (;;) {
    const next = open.flatMap((one) => {
      const found = /\{([^{}]*)\}/.exec(one);
      if (found === null) return [one];
      const [whole, inner = ''] = found;
      return inner
        .split(',')
        .map((choice) => one.slice(0, found.index) + choice + one.slice(found.index + whole.length));
    });
    if (next.length === open.length && next.every((one, index) => one === open[index])) return open;
    if (next.length > MAX_BRACES) return [glob];
    open = next;
  }
}

function globSource(glob: string): string {
  let source = '';
  for (let at = 0; at < glob.length; at++) {
    const sign = glob.charAt(at);
    if (glob.startsWith('**/', at)) {
      source += '(?:.*/)?';
      at += 2;
    } else if (glob.startsWith('**', at)) {
      source += '.*';
      at += 1;
    } else if (sign === '*') source += '[^/]*';
    else if (sign === '?') source += '[^/]';
    else if (sign === '[') {
      const end = glob.indexOf(']', at + 2);
      if (end < 0) source += '\\[';
      else {
        source += `[${glob
          .slice(at + 1, end)
          .replace(/^!/, '^')
          .replace(/[\\[\]]/g, '\\$&')}]`;
        at = end;
      }
    } else if (sign === '\\' && at + 1 < glob.length) {
      at++;
      source += literal(glob.charAt(at));
    } else source += literal(sign);
  }
  try {
    new RegExp(source);
    return source;
  } catch {
    return [...glob].map(literal).join(''); // a class that is none, such as [z-a]: taken to the letter
  }
}

function literal(sign: string): string {
  return sign.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&');
}
