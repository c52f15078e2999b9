/** What a list of operations makes of the entries. Pure: nothing is written here, and all is refused if one is. */
import { breaksFormat, countCharacters, group, usageOf } from './entries.ts';
import type { MemoryOperation } from './prompt-memory.ts';

export type Applied =
  | { readonly ok: true; readonly entries: readonly string[]; readonly notes: readonly string[] }
  | {
      readonly ok: false;
      readonly code: 'over-limit' | 'no-match' | 'ambiguous' | 'threat' | 'invalid';
      readonly message: string;
      readonly showEntries: boolean;
      /** Instead of all entries: the ones that matched. */
      readonly matches?: readonly string[];
    };

type Refused = Extract<Applied, { ok: false }>;

export interface OperationRules {
  readonly limit: number;
  /** Ids of what is wrong with a text; empty when nothing is. */
  readonly scan: (text: string) => readonly string[];
}

const PREVIEW_CHARS = 80;

export function applyOperations(
  before: readonly string[],
  operations: readonly MemoryOperation[],
  rules: OperationRules,
): Applied {
  if (operations.length === 0) return refuse('invalid', 'No operation was given: use add, replace or remove.');
  let entries = before;
  const notes: string[] = [];
  for (const [index, operation] of operations.entries()) {
    const step = applyOne(entries, operation, rules);
    if (!step.ok) return operations.length === 1 ? step : inBatch(step, index, operations.length);
    entries = step.entries;
    notes.push(...step.notes);
  }
  return overLimit(before, entries, operations, rules.limit) ?? { ok: true, entries, notes };
}

function applyOne(entries: readonly string[], operation: MemoryOperation, rules: OperationRules): Applied {
  if (operation.action === 'remove')
    return withMatch(entries, operation.oldText, (at) => done(without(entries, at), 'Entry removed.'));
  const content = operation.content.trim().replace(/\r\n?/g, '\n');
  const problem = contentProblem(operation.action, content, rules);
  if (problem !== undefined) return problem;
  if (operation.action === 'replace') {
    return withMatch(entries, operation.oldText, (at) => replaced(entries, at, content));
  }
  if (entries.includes(content)) return done(entries, 'That entry is already there; nothing was added.');
  return done([...entries, content], 'Entry added.');
}

function without(entries: readonly string[], at: number): readonly string[] {
  return entries.filter((_, index) => index !== at);
}

function replaced(entries: readonly string[], at: number, content: string): Applied {
  if (without(entries, at).includes(content)) return done(without(entries, at), 'Entry merged with an equal one.');
  return done(entries.with(at, content), 'Entry replaced.');
}

function done(entries: readonly string[], note: string): Applied {
  return { ok: true, entries, notes: [note] };
}

function contentProblem(action: 'add' | 'replace', content: string, { scan }: OperationRules): Refused | undefined {
  if (content === '') {
    return refuse(
      'invalid',
      `${action} needs content.${action === 'replace' ? ' To delete an entry use remove.' : ''}`,
    );
  }
  if (breaksFormat(content)) {
    return refuse(
      'invalid',
      'The content has a line that holds only "§", which separates entries. Write it differently.',
    );
  }
  const threats = scan(content);
  if (threats.length === 0) return undefined;
  return refuse(
    'threat',
    `Not saved: the content matches threat pattern(s) ${threats.join(', ')}. Notes are for facts.`,
  );
}

/** The one entry that holds `oldText`; an entry equal to it wins, equal entries count as one. */
function withMatch(entries: readonly string[], oldText: string, use: (index: number) => Applied): Applied {
  const wanted = oldText.trim();
  if (wanted === '') return refuse('invalid', 'old_text is needed: a part of the entry that is meant.', true);
  const exact = entries.indexOf(wanted);
  if (exact >= 0) return use(exact);
  const found = entries.flatMap((entry, index) => (entry.includes(wanted) ? [index] : []));
  const [first] = found;
  if (first === undefined) {
    return refuse(
      'no-match',
      `No entry holds ${JSON.stringify(cut(wanted))}. Copy a part of one of these entries.`,
      true,
    );
  }
  const different = [...new Set(found.map((index) => entries[index] ?? ''))];
  if (different.length === 1) return use(first);
  const message = `${different.length} entries hold ${JSON.stringify(cut(wanted))}. Give a longer part of the one that is meant.`;
  return { ...refuse('ambiguous', message), matches: different.map(cut) };
}

/** Only the end counts. What was over the limit before may stay so as long as it shrinks. */
function overLimit(
  before: readonly string[],
  after: readonly string[],
  operations: readonly MemoryOperation[],
  limit: number,
): Refused | undefined {
  const had = usageOf(before, limit).used;
  const { used } = usageOf(after, limit);
  if (used <= limit || used <= had) return undefined;
  const asked = operations.reduce((sum, one) => sum + ('content' in one ? countCharacters(one.content.trim()) : 0), 0);
  return refuse(
    'over-limit',
    `Over the limit: ${group(had)} of ${group(limit)} characters are used, the new text has ${group(asked)}, and ` +
      `${group(used - limit)} are missing. Nothing was changed. Shorten, merge or remove entries now, in this turn, ` +
      'best in one batch of operations together with this write.',
    true,
  );
}

function inBatch(refused: Refused, index: number, count: number): Refused {
  return { ...refused, message: `Operation ${index + 1} of ${count}: ${refused.message} None was carried out.` };
}

function refuse(code: Refused['code'], message: string, showEntries = false): Refused {
  return { ok: false, code, message, showEntries };
}

function cut(text: string): string {
  return text.length <= PREVIEW_CHARS ? text : `${[...text].slice(0, PREVIEW_CHARS).join('')}...`;
}
