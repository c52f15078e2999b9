/** Completion scripts, written out of the tree of commands. Each is self-contained and calls nothing of Hermes. */

export interface CompletionNode {
  readonly name: string;
  readonly summary: string;
  readonly flags: readonly {
    readonly name: string;
    readonly short: string | undefined;
    readonly summary: string;
    readonly takesValue: boolean;
  }[];
  readonly children: readonly CompletionNode[];
}

export const scripts: Readonly<Record<string, (root: CompletionNode) => string>> = { bash, zsh, fish };

/** Every node with the words that lead to it: `sessions export`. */
function* walk(node: CompletionNode, path = ''): Generator<{ path: string; node: CompletionNode }> {
  yield { path, node };
  for (const child of node.children) yield* walk(child, path === '' ? child.name : `${path} ${child.name}`);
}

const words = (node: CompletionNode): string =>
  [...node.children.map((child) => child.name), ...node.flags.map((flag) => flag.name)].join(' ');

/** Two levels of commands are all there are; a flag before a command does not hide it. */
function findPath(root: CompletionNode, shell: 'bash' | 'zsh'): string {
  const groups = root.children.filter((child) => child.children.length > 0);
  const cases = groups
    .map(
      (group) =>
        `      ${group.name}) case "$word" in ${group.children.map((child) => child.name).join('|')}) path="$path $word";; esac;;`,
    )
    .join('\n');
  const tops = root.children.map((child) => child.name).join('|');
  const list = shell === 'bash' ? `"\${COMP_WORDS[@]:1:COMP_CWORD-1}"` : `"\${(@)words[2,CURRENT-1]}"`;
  return `  local word path=""
  for word in ${list}; do
    case "$path" in
      "") case "$word" in ${tops}) path="$word";; esac;;
${cases}
    esac
  done`;
}

function bash(root: CompletionNode): string {
  const cases = [...walk(root)].map(({ path, node }) => `    "${path}") list="${words(node)}";;`).join('\n');
  return `# bash completion for hermes
_hermes() {
${findPath(root, 'bash')}
  local list=""
  case "$path" in
${cases}
  esac
  local current="\${COMP_WORDS[COMP_CWORD]}"
  COMPREPLY=($(compgen -W "$list" -- "$current"))
  if [ \${#COMPREPLY[@]} -eq 0 ]; then COMPREPLY=($(compgen -f -- "$current")); fi
}
complete -o filenames -F _hermes hermes
`;
}

function zsh(root: CompletionNode): string {
  const describe = (name: string, summary: string) => `'${`${name}:${summary}`.replace(/'/g, "'\\''")}'`;
  const cases = [...walk(root)]
    .map(({ path, node }) => {
      const items = [...node.children, ...node.flags].map((item) => describe(item.name, item.summary)).join(' ');
      return `    "${path}") list=(${items});;`;
    })
    .join('\n');
  return `#compdef hermes
# zsh completion for hermes
_hermes() {
${findPath(root, 'zsh')}
  local -a list
  case "$path" in
${cases}
  esac
  _describe 'hermes' list || _files
}
if [ "$funcstack[1]" = "_hermes" ]; then _hermes "$@"; else compdef _hermes hermes; fi
`;
}

function fish(root: CompletionNode): string {
  const quote = (text: string) => `'${text.replace(/\\/g, '\\\\').replace(/'/g, "\\'")}'`;
  const lines = ['# fish completion for hermes'];
  const tops = root.children.map((child) => child.name).join(' ');
  for (const { path, node } of walk(root)) {
    const [top, sub] = path.split(' ');
    const seen = `__fish_seen_subcommand_from`;
    const names = root.children
      .find((child) => child.name === top)
      ?.children.map((child) => child.name)
      .join(' ');
    let condition = `not ${seen} ${tops}`;
    if (sub !== undefined) condition = `${seen} ${top}; and ${seen} ${sub}`;
    else if (top !== '') condition = names ? `${seen} ${top}; and not ${seen} ${names}` : `${seen} ${top}`;
    for (const child of node.children)
      lines.push(`complete -c hermes -f -n ${quote(condition)} -a ${child.name} -d ${quote(child.summary)}`);
    for (const flag of node.flags) {
      const short = flag.short === undefined ? '' : ` -s ${flag.short}`;
      lines.push(
        `complete -c hermes -n ${quote(condition)} -l ${flag.name.slice(2)}${short}${flag.takesValue ? ' -r' : ''} -d ${quote(flag.summary)}`,
      );
    }
  }
  return `${lines.join('\n')}\n`;
}
