/** The default form: tool feed and answer on standard output as they come, notices and footer on standard error. */
import type { AgentEvent, ToolCallView, ToolResultView, TurnResult } from '../../contracts/turn.ts';
import { troubleOf } from './error-line.ts';
import { grouped } from './number.ts';
import type { PrintContext, Printer, PrintOptions } from './printer.ts';
import { createStyle, type Style } from './style.ts';
import { visible, visibleLine } from './visible.ts';

const EMOJI: Readonly<Record<string, string>> = {
  terminal: '💻',
  process: '⏳',
  read_file: '📖',
  write_file: '✍️',
  patch: '🔧',
  search_files: '🔎',
  memory: '🧠',
  session_search: '🗂️',
  todo: '📋',
  clarify: '❓',
  web_search: '🌐',
  web_extract: '🌐',
  delegate_task: '🤝',
  skill_view: '📚',
  skill_manage: '📚',
  skills_list: '📚',
};

export function createFeedPrinter(ctx: PrintContext, options: PrintOptions): Printer {
  return new FeedPrinter(ctx, options);
}

class FeedPrinter implements Printer {
  readonly #ctx: PrintContext;
  readonly #verbose: boolean;
  readonly #startedAt = performance.now();
  #atLineStart = true;
  #last: 'nothing' | 'tool' | 'text' | 'reasoning' = 'nothing';
  #printedText = '';
  #model = '';
  #demo = false;
  #began = false;

  constructor(ctx: PrintContext, options: PrintOptions) {
    this.#ctx = ctx;
    this.#verbose = options.verbose;
  }

  emit(event: AgentEvent): void {
    if (event.type === 'turn_start') {
      this.#began = true;
      this.#model = event.model;
      this.#demo = event.provider === 'demo';
    } else if (event.type === 'text_delta') this.#text(event.text);
    else if (event.type === 'text_end') this.#endLine();
    else if (event.type === 'toolcall_end') this.#tool(event.call, event.result);
    else if (event.type === 'status') this.notice(event.text);
    else if (this.#verbose) this.#more(event);
  }

  notice(text: string): void {
    this.#endLine();
    this.#ctx.stderr.write(`${this.#errorStyle().dim(`hermes: ${visible(text)}`)}\n`);
  }

  end(result: TurnResult): void {
    this.#endLine();
    // A model that does not stream, or a text that the turn put together itself.
    if (!this.#printedText.includes(result.text.trim())) this.#text(result.text);
    this.#endLine();
    const trouble = troubleOf(result);
    if (trouble !== undefined) this.#ctx.stderr.write(`hermes: ${trouble}\n`);
    if (this.#began) this.#footer(result); // otherwise nothing was stored that one could go on with
  }

  #text(text: string): void {
    const shown = this.#ctx.stdout.isTTY ? visible(text) : text;
    if (shown === '') return;
    if (this.#last === 'tool' || this.#last === 'reasoning') this.#write('\n');
    this.#last = 'text';
    this.#printedText += text;
    this.#write(shown);
  }

  #tool(call: ToolCallView, result: ToolResultView): void {
    this.#endLine();
    if (this.#last === 'text') this.#write('\n');
    this.#last = 'tool';
    const style = createStyle(this.#ctx.stdout, this.#ctx.env);
    const mark = result.ok ? '' : ` ${style.red(`✗ ${visibleLine(result.summary, 120)}`)}`;
    const summary = visibleLine(call.summary || call.tool);
    this.#write(
      `${style.dim('┊')} ${EMOJI[call.tool] ?? '⚡'} ${summary}${mark} ${style.dim(seconds(result.durationMs))}\n`,
    );
    if (result.detail !== undefined && (this.#verbose || this.#ctx.stdout.isTTY))
      this.#write(diff(result.detail, style));
  }

  #more(event: AgentEvent): void {
    if (event.type === 'reasoning_delta') {
      if (this.#last === 'text') this.#endLine();
      this.#last = 'reasoning';
      this.#write(createStyle(this.#ctx.stdout, this.#ctx.env).dim(visible(event.text)));
    } else if (event.type === 'toolcall_start') {
      this.#endLine();
      this.#ctx.stderr.write(`${this.#errorStyle().dim(`… ${visibleLine(event.call.summary || event.call.tool)}`)}\n`);
    } else if (event.type === 'toolcall_delta') this.#ctx.stderr.write(visible(event.text));
    else if (event.type === 'usage') {
      const { usage, contextTokens, contextWindow } = event;
      this.notice(
        `in ${usage.input} (cached ${usage.cacheRead}) out ${usage.output}, context ${contextTokens}/${contextWindow}`,
      );
    } else if (event.type === 'session_changed') this.notice(`session ${event.from} goes on as ${event.to}`);
  }

  #footer(result: TurnResult): void {
    const { usage } = result;
    const cost = usage.cost.total > 0 ? [`$${usage.cost.total.toFixed(4)}`] : [];
    const parts = [
      `session ${result.sessionId}`,
      this.#model,
      ...(usage.totalTokens > 0 ? [`${grouped(usage.totalTokens)} tokens`] : []),
      ...cost,
      seconds(performance.now() - this.#startedAt),
    ];
    const style = this.#errorStyle();
    this.#ctx.stderr.write(`\n${style.dim(`${parts.join(' · ')}\ngo on with: hermes -r ${result.sessionId}`)}\n`);
    if (this.#demo)
      this.#ctx.stderr.write(
        `${style.yellow('demo model: rule-based, not an AI; set up a real one with `hermes setup`')}\n`,
      );
  }

  #endLine(): void {
    if (!this.#atLineStart) this.#write('\n');
  }

  #write(text: string): void {
    this.#atLineStart = text.endsWith('\n');
    this.#ctx.stdout.write(text);
  }

  #errorStyle(): Style {
    return createStyle(this.#ctx.stderr, this.#ctx.env);
  }
}

function seconds(milliseconds: number): string {
  return `${(milliseconds / 1000).toFixed(1)}s`;
}

function diff(text: string, style: Style): string {
  const lines = visible(text).trimEnd().split('\n');
  const colour = (line: string) =>
    line.startsWith('+') ? style.green(line) : line.startsWith('-') ? style.red(line) : line;
  return `${lines.map((line) => `  ${colour(line)}`).join('\n')}\n`;
}
