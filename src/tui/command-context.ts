/** What slash commands get of this door. */
import type { App } from '../app.ts';
import type { ChoiceOption, CommandContext, Preferences } from '../commands/command.ts';
import type { SessionRef } from '../contracts/turn.ts';
import type { Conversation } from './conversation.ts';
import type { Modals } from './panels/modals.ts';
import { PickerPanel } from './panels/picker-panel.ts';
import type { Theme } from './theme.ts';

export interface CommandContextOptions {
  readonly app: App;
  readonly conversation: Conversation;
  readonly preferences: Preferences;
  readonly modals: Modals;
  readonly theme: Theme;
  say(markdown: string): void;
  enter(session: SessionRef): Promise<void>;
  /** Ends the running turn and gives what waited back to the input line. */
  stopTurn(): Promise<boolean>;
  titleWhenStored(title: string): void;
  quit(): void;
  readonly saveSetting: ((key: string, value: unknown) => Promise<void>) | undefined;
}

export function createCommandContext(options: CommandContextOptions, signal: AbortSignal): CommandContext {
  const { app, conversation, modals, theme } = options;

  const choose = (title: string, choices: readonly ChoiceOption[], guarded = false) =>
    modals.ask<string | undefined>({
      fallback: undefined,
      signal,
      guarded,
      create: (settle) => new PickerPanel({ title, options: choices, freeText: false, theme, settle }),
    });

  return {
    app,
    get session() {
      return conversation.session;
    },
    door: 'terminal',
    preferences: options.preferences,
    get busy() {
      return conversation.busy;
    },
    signal,
    async setSession(session) {
      await options.stopTurn();
      await options.enter(session);
    },
    titleWhenStored: options.titleWhenStored,
    say(markdown) {
      if (!signal.aborted) options.say(markdown);
    },
    choose: (title, choices) => choose(title, choices),
    async confirm(question, mayRemember = false) {
      const choices: ChoiceOption[] = [
        { value: 'cancel', label: 'Cancel' },
        { value: 'once', label: 'Yes' },
        ...(mayRemember ? [{ value: 'always', label: 'Yes, and never ask again' }] : []),
      ];
      const answer = await choose(question, choices, true);
      return answer === 'once' || answer === 'always' ? answer : 'cancel';
    },
    submit: (text) => conversation.enqueue(text),
    stopTurn: options.stopTurn,
    quit: options.quit,
    saveSetting: options.saveSetting,
    facts() {
      return conversation.queued === 0 ? [] : [`Waiting messages: ${conversation.queued}`];
    },
  };
}
