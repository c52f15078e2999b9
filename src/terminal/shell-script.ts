/**
 * The text that surrounds a command: restore what the session carries, run the command, save what it carries
 * on. It is one line, so that the shell's own messages count the command's lines from 1, and it uses builtins
 * only, so that a call costs one process.
 *
 * Arguments: command file, state to restore ('' = none), state to write ('' = none), working directory.
 * The command comes in a file: it has no size limit there, and `pkill -f` cannot meet it in our own argv.
 * The folder is written last: where it is missing or empty, the state beside it is incomplete.
 */
const bashScript = [
  'exec 2>&1',
  'builtin shopt -s expand_aliases',
  '__hermes_o=$3',
  '__hermes_end() { { builtin set +xeuC; } 2>/dev/null; builtin unset -f __hermes_end; { builtin export -p; builtin declare -f; builtin declare -Fx; builtin alias -p; } >"$__hermes_o" 2>/dev/null; builtin pwd -P >"$__hermes_o.cwd" 2>/dev/null; }',
  'if [ -n "$3" ]; then builtin trap __hermes_end EXIT; else builtin unset -f __hermes_end; fi',
  'if [ -n "$2" ]; then builtin source "$2" 2>/dev/null; fi',
  'if [ "$PWD" != "$4" ]; then builtin cd -- "$4" || builtin exit 126; fi',
  'IFS= builtin read -r -d "" __hermes_c <"$1"',
  'builtin set --',
  'builtin eval "$__hermes_c"',
].join('; ');

/** Where bash is missing: variables and the folder carry over, functions and aliases do not. */
const shScript = [
  'exec 2>&1',
  '__hermes_f=$1 __hermes_o=$3',
  '__hermes_end() { { set +xeuC; } 2>/dev/null; export -p >"$__hermes_o" 2>/dev/null; pwd -P >"$__hermes_o.cwd" 2>/dev/null; }',
  'if [ -n "$3" ]; then trap __hermes_end EXIT; fi',
  'if [ -n "$2" ]; then . "$2" 2>/dev/null; fi',
  'cd -- "$4" || exit 126',
  'set --',
  '. "$__hermes_f"',
].join('; ');

export type ShellKind = 'bash' | 'sh';

export interface ShellCall {
  readonly commandFile: string;
  readonly stateIn: string;
  readonly stateOut: string;
  readonly cwd: string;
}

export function shellArguments(kind: ShellKind, call: ShellCall): string[] {
  const script = kind === 'bash' ? bashScript : shScript;
  return ['-c', script, kind, call.commandFile, call.stateIn, call.stateOut, call.cwd];
}
