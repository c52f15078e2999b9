/** Finds processes that left the group of their starter (`setsid`, daemons), where the system tells. */
import { readdirSync, readFileSync } from 'node:fs';

interface Stat {
  /** Ended, and only waiting for its parent to notice. */
  readonly zombie: boolean;
  readonly parent: number;
  readonly group: number;
  /** Clock ticks since boot: with the id, it tells a process from a later one of the same id. */
  readonly startedTicks: number;
}

function readStat(pid: number): Stat | undefined {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
    return {
      zombie: fields[0] === 'Z' || fields[0] === 'X',
      parent: Number(fields[1]),
      group: Number(fields[2]),
      startedTicks: Number(fields[19]),
    };
  } catch {
    return undefined; // ended meanwhile, or no /proc here
  }
}

/** Undefined when the process is gone or the system does not say. */
export function startedTicks(pid: number): number | undefined {
  return readStat(pid)?.startedTicks;
}

/** Whether a group holds more than zombies, which nobody may ever collect in a container; true when unknown. */
export function groupLives(groupId: number): boolean {
  const names = processNames();
  return (
    names.length === 0 ||
    names.some((name) => {
      const stat = readStat(Number(name));
      return stat?.group === groupId && !stat.zombie;
    })
  );
}

/** The groups of all processes below `pid`, its own excluded. Empty where there is no `/proc`. */
export function groupsBelow(pid: number): number[] {
  const byParent = new Map<number, number[]>();
  const groups = new Map<number, number>();
  for (const name of processNames()) {
    const id = Number(name);
    const stat = readStat(id);
    if (stat === undefined) continue;
    groups.set(id, stat.group);
    byParent.set(stat.parent, [...(byParent.get(stat.parent) ?? []), id]);
  }
  const found = new Set<number>();
  const open = [pid];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    for (const child of byParent.get(next) ?? []) {
      open.push(child);
      const group = groups.get(child);
      if (group !== undefined && group > 1) found.add(group);
    }
  }
  found.delete(pid);
  const own = readStat(process.pid)?.group;
  if (own !== undefined) found.delete(own);
  return [...found];
}

function processNames(): string[] {
  try {
    return readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  } catch {
    return []; // not this system's way
  }
}
