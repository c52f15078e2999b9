/** From what was typed to a command. */
import type { Command, CommandDoor } from './command.ts';

export interface SlashLine {
  /** Normalised: lower case, `_` as `-`. */
  readonly name: string;
  readonly args: string;
}

export type Match =
  | { readonly kind: 'command'; readonly command: Command; readonly args: string }
  | { readonly kind: 'unknown'; readonly name: string; readonly near: readonly string[] };

/** A line that names a command. `/usr/bin is full` and `//x` are messages, not commands. */
export function parseSlash(line: string): SlashLine | undefined {
  const match = /^\/([A-Za-z][A-Za-z0-9_-]*)(?:\s+([\s\S]*))?$/.exec(line.trim());
  if (match === null) return undefined;
  return { name: normalise(match[1] ?? ''), args: (match[2] ?? '').trim() };
}

/** Exact name or alias, else a prefix that fits; the first of the list wins when several fit. */
export function matchCommand(line: SlashLine, commands: readonly Command[]): Match {
  const command =
    commands.find((candidate) => namesOf(candidate).includes(line.name)) ??
    commands.find((candidate) => namesOf(candidate).some((name) => name.startsWith(line.name)));
  if (command !== undefined) return { kind: 'command', command, args: line.args };
  return { kind: 'unknown', name: line.name, near: nearest(line.name, commands) };
}

export function availableAt(door: CommandDoor, commands: readonly Command[]): readonly Command[] {
  return commands.filter((command) => command.where === 'both' || command.where === door);
}

export function namesOf(command: Command): readonly string[] {
  return [command.name, ...(command.aliases ?? [])];
}

function normalise(name: string): string {
  return name.toLowerCase().replaceAll('_', '-');
}

function nearest(name: string, commands: readonly Command[]): readonly string[] {
  return commands
    .map((command) => ({ name: command.name, far: Math.min(...namesOf(command).map((each) => distance(name, each))) }))
    .filter((each) => each.far <= Math.max(1, Math.floor(name.length / 3)))
    .sort((a, b) => a.far - b.far)
    .slice(0, 3)
    .map((each) => each.name);
}

/** Edits (insert, delete, replace) between two words. */
function distance(a: string, b: string): number {
  let previous = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let row = 1; row <= a.length; row++) {
    const current = [row];
    for (let column = 1; column <= b.length; column++) {
      const replaced = (previous[column - 1] ?? 0) + (a[row - 1] === b[column - 1] ? 0 : 1);
      current.push(Math.min(replaced, (previous[column] ?? 0) + 1, (current[column - 1] ?? 0) + 1));
    }
    previous = current;
  }
  return previous[b.length] ?? a.length;
}
