/** Tab: slash commands, their arguments, paths. */
import {
  type AutocompleteItem,
  type AutocompleteProvider,
  type AutocompleteSuggestions,
  CombinedAutocompleteProvider,
  fuzzyFilter,
} from '@earendil-works/pi-tui';
import type { App } from '../app.ts';
import type { Command } from '../commands/command.ts';
import { matchCommand, namesOf } from '../commands/match.ts';
import type { SessionRef } from '../contracts/turn.ts';

export interface CompletionOptions {
  readonly commands: readonly Command[];
  /** Folder that relative paths start in. */
  cwd(): string;
  /** Undefined until the app is open; arguments that need it are then not completed. */
  context(): { readonly app: App; readonly session: SessionRef } | undefined;
}

export function createCompletion(options: CompletionOptions): AutocompleteProvider {
  const paths = () => new CombinedAutocompleteProvider([], options.cwd());
  return {
    async getSuggestions(lines, cursorLine, cursorCol, request) {
      const typed = (lines[cursorLine] ?? '').slice(0, cursorCol);
      const slash = cursorLine === 0 ? /^\/([A-Za-z0-9_-]*)$/.exec(typed) : null;
      if (slash !== null) return names(slash[1] ?? '', options.commands);
      const args = cursorLine === 0 ? /^\/([A-Za-z][A-Za-z0-9_-]*)\s+([\s\S]*)$/.exec(typed) : null;
      if (args !== null) return argumentsOf(args[1] ?? '', args[2] ?? '', options);
      // Prose is not completed by itself; Tab asks for paths, and so does `@`.
      if (request.force !== true && !/(^|\s)@\S*$/.test(typed)) return null;
      return mentions(typed, paths, lines, cursorLine, cursorCol, request);
    },
    applyCompletion(lines, cursorLine, cursorCol, item, prefix) {
      if (!prefix.startsWith('/') || cursorLine !== 0 || !item.value.startsWith('/') || prefix.includes(' ')) {
        return replacePrefix(lines, cursorLine, cursorCol, item, prefix);
      }
      return replacePrefix(lines, cursorLine, cursorCol, { ...item, value: `${item.value} ` }, prefix);
    },
    shouldTriggerFileCompletion: () => true,
  };
}

function names(typed: string, commands: readonly Command[]): AutocompleteSuggestions | null {
  const word = typed.toLowerCase().replaceAll('_', '-');
  const exact = commands.find((command) => namesOf(command).includes(word));
  const fitting = commands.filter((command) => namesOf(command).some((name) => name.startsWith(word)));
  const ordered = [...new Set([...(exact === undefined ? [] : [exact]), ...fitting])];
  if (ordered.length === 0) return null;
  return {
    prefix: `/${typed}`,
    items: ordered.map((command) => ({
      value: `/${command.name}`,
      label: `/${command.name}${command.args === undefined ? '' : ` ${command.args}`}`,
      description: command.summary,
    })),
  };
}

async function argumentsOf(
  name: string,
  typed: string,
  { commands, context }: CompletionOptions,
): Promise<AutocompleteSuggestions | null> {
  const match = matchCommand({ name: name.toLowerCase().replaceAll('_', '-'), args: '' }, commands);
  const open = context();
  if (match.kind !== 'command' || match.command.complete === undefined || open === undefined) return null;
  const word = /\S*$/.exec(typed)?.[0] ?? '';
  // A list that cannot be had (no network, no store) is no reason to disturb who types.
  const known = await match.command.complete(typed, open).catch(() => []);
  const items = known.map((each) => ({ value: each.value, label: each.value, description: each.detail }));
  const fitting = word === '' ? items : fuzzyFilter(items, word, (item) => item.value);
  if (fitting.length === 0 || (fitting.length === 1 && fitting[0]?.value === word)) return null;
  return { prefix: word, items: fitting };
}

/** `@` only opens the list; what is put into the text is the plain path. */
async function mentions(
  typed: string,
  paths: () => CombinedAutocompleteProvider,
  lines: string[],
  cursorLine: number,
  cursorCol: number,
  request: { signal: AbortSignal; force?: boolean },
): Promise<AutocompleteSuggestions | null> {
  const mention = /(?:^|\s)@(\S*)$/.exec(typed)?.[1];
  if (mention === undefined) return paths().getSuggestions(lines, cursorLine, cursorCol, request);
  const found = await paths().getSuggestions([mention], 0, mention.length, { ...request, force: true });
  return found === null ? null : { items: found.items, prefix: `@${mention}` };
}

function replacePrefix(
  lines: string[],
  cursorLine: number,
  cursorCol: number,
  item: AutocompleteItem,
  prefix: string,
): { lines: string[]; cursorLine: number; cursorCol: number } {
  const line = lines[cursorLine] ?? '';
  const before = line.slice(0, cursorCol - prefix.length) + item.value;
  const next = [...lines];
  next[cursorLine] = before + line.slice(cursorCol);
  return { lines: next, cursorLine, cursorCol: before.length };
}
