/** Which tool a model meant by a name that is nearly right. */

/** Names that other releases used, still accepted. */
const ALIASES: Readonly<Record<string, string>> = {
  process_manage: 'process',
  todo_list: 'todo',
  cronjob_manage: 'cronjob',
};

const CUT_OFF = 0.75;

/** The name itself, the one tool it clearly stands for, or undefined. */
export function repairToolName(given: string, names: readonly string[]): string | undefined {
  if (names.includes(given)) return given;
  const plain = given
    .trim()
    .toLowerCase()
    .replace(/[-\s]+/g, '_');
  const direct = [plain, ALIASES[plain], plain.replace(/^functions?[._]/, ''), plain.replace(/_tool$/, '')];
  const found = direct.find((name) => name !== undefined && names.includes(name));
  if (found !== undefined) return found;
  const [best, second] = rank(plain, names);
  if (best === undefined || best.score < CUT_OFF || best.score === second?.score) return undefined;
  return best.name;
}

/** The names most like `given`, best first. */
export function nearestNames(given: string, names: readonly string[], count: number): readonly string[] {
  return rank(given.toLowerCase(), names)
    .slice(0, count)
    .map(({ name }) => name);
}

function rank(given: string, names: readonly string[]): { name: string; score: number }[] {
  return names
    .map((name) => ({ name, score: similarity(given, name) }))
    .sort((a, b) => b.score - a.score || (a.name < b.name ? -1 : 1));
}

/** 1 for equal texts, 0 for texts that share nothing. */
export function similarity(a: string, b: string): number {
  const longest = Math.max(a.length, b.length);
  return longest === 0 ? 1 : 1 - distance(a, b) / longest;
}

function distance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 0; i < a.length; i++) {
    const next = [i + 1];
    for (let j = 0; j < b.length; j++) {
      const change = (row[j] ?? 0) + (a[i] === b[j] ? 0 : 1);
      next.push(Math.min(change, (row[j + 1] ?? 0) + 1, (next[j] ?? 0) + 1));
    }
    row = next;
  }
  return row[b.length] ?? 0;
}
