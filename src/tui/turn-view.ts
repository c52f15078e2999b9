/** Draws the events of one turn into the transcript. */
import type { Component } from '@earendil-works/pi-tui';
import type { Preferences } from '../commands/command.ts';
import type { AgentEvent, TurnResult } from '../contracts/turn.ts';
import { countChanges, isDiff } from './blocks/diff.ts';
import { MarkdownBlock } from './blocks/markdown-block.ts';
import { NoteBlock } from './blocks/text-blocks.ts';
import { ThinkingBlock } from './blocks/thinking-block.ts';
import { ToolBlock } from './blocks/tool-block.ts';
import type { TuiSettings } from './settings.ts';
import type { Theme } from './theme.ts';
import { failedEdits, turnSummary } from './turn-summary.ts';

export interface Transcript {
  /** @param gap a blank line before it */
  append(block: Component, gap?: boolean): void;
}

export interface TurnViewOptions {
  readonly transcript: Transcript;
  readonly theme: Theme;
  readonly settings: TuiSettings;
  readonly preferences: Preferences;
  /** What it is doing now, for the activity line. */
  onActivity(text: string): void;
}

export interface TurnView {
  event(event: AgentEvent): void;
  finish(result: TurnResult, elapsedMs: number): void;
}

export function createTurnView(options: TurnViewOptions): TurnView {
  const { transcript, theme, settings, preferences, onActivity } = options;
  const tools = new Map<string, ToolBlock>();
  const ended: { tool: string; summary: string; ok: boolean }[] = [];
  const changes = { added: 0, removed: 0 };
  let answer: MarkdownBlock | undefined;
  let thinking: ThinkingBlock | undefined;
  let answered = false;
  let lastTool = '';
  let afterTool = false;

  const note = (text: string, paint = theme.dim, gap = false) => transcript.append(new NoteBlock(text, paint), gap);

  const onText = (text: string) => {
    if (answer === undefined) {
      if (text.trim() === '') return;
      answer = new MarkdownBlock('', theme);
      transcript.append(answer, true);
      afterTool = false;
      onActivity('answering');
    }
    thinking = undefined;
    answered = true;
    answer.append(text);
  };

  const onReasoning = (text: string) => {
    if (thinking === undefined) {
      if (text.trim() === '') return;
      thinking = new ThinkingBlock(theme, () => preferences.reasoningView);
      transcript.append(thinking, preferences.reasoningView !== 'hide');
      onActivity('thinking');
      afterTool = false;
    }
    thinking.append(text);
  };

  const toolBlock = (call: { callId: string; tool: string; summary: string }): ToolBlock | undefined => {
    const known = tools.get(call.callId);
    if (known !== undefined) return known;
    if (settings.toolProgress === 'off') return undefined;
    if (settings.toolProgress === 'new' && call.tool === lastTool) return undefined;
    const block = new ToolBlock(call, {
      theme,
      diffs: settings.inlineDiffs,
      verbose: settings.toolProgress === 'verbose',
    });
    tools.set(call.callId, block);
    transcript.append(block, !afterTool);
    afterTool = true;
    lastTool = call.tool;
    return block;
  };

  const onEvent = (event: AgentEvent) => {
    switch (event.type) {
      case 'turn_start':
        onActivity('waiting for the model');
        break;
      case 'text_delta':
        onText(event.text);
        break;
      case 'reasoning_delta':
        onReasoning(event.text);
        break;
      case 'text_end':
        answer = undefined;
        thinking = undefined;
        break;
      case 'toolcall_start':
        onActivity(
          event.call.summary === event.call.tool ? event.call.tool : `${event.call.tool}: ${event.call.summary}`,
        );
        toolBlock(event.call)?.update(event.call);
        break;
      case 'toolcall_delta':
        tools.get(event.callId)?.output(event.text);
        break;
      case 'toolcall_end':
        toolBlock(event.call)?.end(event.call, event.result);
        ended.push({ tool: event.call.tool, summary: event.call.summary, ok: event.result.ok });
        if (event.result.ok && event.result.detail !== undefined && isDiff(event.result.detail)) {
          const counted = countChanges(event.result.detail);
          changes.added += counted.added;
          changes.removed += counted.removed;
        }
        onActivity('waiting for the model');
        break;
      case 'status':
        note(
          `${event.kind === 'warning' ? '⚠ ' : '· '}${event.text}`,
          event.kind === 'warning' ? theme.warn : theme.dim,
        );
        afterTool = true;
        break;
      default:
        break; // usage, session change and the end belong to the conversation
    }
  };

  return {
    event: onEvent,
    finish(result, elapsedMs) {
      if (!answered && result.text.trim() !== '') onText(result.text);
      const ending = endingOf(result, answered);
      if (ending !== undefined) note(ending, result.stop === 'error' ? theme.error : theme.warn, true);
      const failed = failedEdits(ended);
      if (failed.length > 0) note(`Not written: ${failed.join(', ')}`, theme.error);
      const summary = settings.turnSummary ? turnSummary(result.receipts, changes, elapsedMs) : '';
      if (summary !== '') note(summary, theme.dim, true);
    },
  };
}

/** A sentence for a turn that did not simply answer. */
function endingOf(result: TurnResult, answered: boolean): string | undefined {
  const { stop, error } = result;
  if (error !== undefined) return error.hint === undefined ? error.message : `${error.message} ${error.hint}`;
  if (stop === 'interrupted') return 'Interrupted. What was done so far is kept.';
  if (stop === 'budget') return 'Stopped: the iteration budget of this turn is used up. Send “continue” to go on.';
  if (stop === 'cap') return 'Stopped at a limit before the work was done. Send “continue” to go on.';
  if (stop === 'error') return 'The turn failed. /retry sends the message again.';
  return answered ? undefined : 'The model gave no answer. /retry sends the message again, /model picks another one.';
}
