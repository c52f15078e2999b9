/** One tool call: what it does, its live output, how it ended. */
import { truncateToWidth, wrapTextWithAnsi } from '@earendil-works/pi-tui';
import type { ToolCallView, ToolResultView } from '../../contracts/turn.ts';
import { visibleLine, visibleText } from '../sanitize.ts';
import type { Theme } from '../theme.ts';
import { Block } from './block.ts';
import { drawDiff, isDiff } from './diff.ts';

const LIVE_LINES = 3;
const LIVE_CHARS = 4000;
const EMOJI: Readonly<Record<string, string>> = {
  terminal: '💻',
  process: '⚙️',
  execute_code: '🐍',
  read_file: '📖',
  write_file: '✍️',
  patch: '🔧',
  search_files: '🔎',
  session_search: '🔍',
  web_search: '🌐',
  web_extract: '📄',
  memory: '🧠',
  todo: '📋',
  clarify: '❓',
  skill_manage: '📚',
  skill_view: '📚',
  skills_list: '📚',
  delegate_task: '🔀',
  cronjob: '⏰',
};

export interface ToolBlockOptions {
  readonly theme: Theme;
  readonly diffs: boolean;
  /** Everything the call gave, unabridged. */
  readonly verbose: boolean;
}

export class ToolBlock extends Block {
  readonly #options: ToolBlockOptions;
  #call: ToolCallView;
  #live = '';
  #result: ToolResultView | undefined;

  constructor(call: ToolCallView, options: ToolBlockOptions) {
    super();
    this.#call = call;
    this.#options = options;
  }

  update(call: ToolCallView): void {
    this.#call = call;
    this.invalidate();
  }

  output(text: string): void {
    this.#live = (this.#live + text).slice(-LIVE_CHARS);
    this.invalidate();
  }

  end(call: ToolCallView, result: ToolResultView): void {
    this.#call = call;
    this.#result = result;
    this.#live = '';
    this.invalidate();
  }

  protected override draw(width: number): readonly string[] {
    return [this.#headline(width), ...this.#below(width)];
  }

  #headline(width: number): string {
    const { theme } = this.#options;
    const summary = visibleLine(this.#call.summary) || this.#call.tool;
    const head = `┊ ${EMOJI[this.#call.tool] ?? '🔹'} `;
    const result = this.#result;
    if (result === undefined) return theme.dim(head) + truncateToWidth(`${summary} …`, Math.max(1, width - 6), '…');
    const outcome = visibleLine(result.summary);
    const note = outcome === '' || outcome === summary ? '' : outcome;
    const time = ` ${seconds(result.durationMs)}`;
    const room = Math.max(1, width - 6 - time.length);
    if (!result.ok) {
      const text = truncateToWidth(`✗ ${summary}${note === '' ? '' : ` – ${note}`}`, room, '…');
      return theme.dim(head) + theme.error(text) + theme.dim(time);
    }
    return (
      theme.dim(head) +
      truncateToWidth(summary + theme.dim(note === '' ? '' : `  ${note}`), room, '…') +
      theme.dim(time)
    );
  }

  #below(width: number): readonly string[] {
    const { theme, diffs, verbose } = this.#options;
    const indent = (line: string) => theme.dim('┊   ') + line;
    const wrap = (text: string) => wrapTextWithAnsi(text, Math.max(1, width - 4));
    if (this.#result === undefined) {
      const lines = visibleText(this.#live)
        .trimEnd()
        .split('\n')
        .filter((line) => line !== '');
      return lines
        .slice(-LIVE_LINES)
        .map((line) => indent(theme.dim(truncateToWidth(line, Math.max(1, width - 4), '…'))));
    }
    const detail = this.#result.detail ?? '';
    if (detail === '') return [];
    if (isDiff(detail)) return diffs ? drawDiff(detail, theme, verbose).flatMap(wrap).map(indent) : [];
    return verbose ? visibleText(detail).trimEnd().split('\n').flatMap(wrap).map(theme.dim).map(indent) : [];
  }
}

function seconds(ms: number): string {
  if (ms < 1000) return `${Math.max(0, Math.round(ms))}ms`;
  return ms < 60_000
    ? `${(ms / 1000).toFixed(1)}s`
    : `${Math.floor(ms / 60_000)}m ${Math.round((ms % 60_000) / 1000)}s`;
}
