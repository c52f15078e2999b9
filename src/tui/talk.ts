/** What the open app adds to the desk: turns, questions, commands, sessions. */
import type { App } from '../app.ts';
import type { Preferences } from '../commands/command.ts';
import { commands, dispatch } from '../commands/index.ts';
import type { AgentEvent, AnswerTo, Question, SessionRef, TurnResult } from '../contracts/turn.ts';
import { describeError } from '../lib/errors.ts';
import { createBackground } from './background.ts';
import type { Banner } from './banner.ts';
import { NoteBlock, UserBlock } from './blocks/text-blocks.ts';
import { createCommandContext } from './command-context.ts';
import { createConversation, type TurnInput } from './conversation.ts';
import type { Desk, Guest } from './desk.ts';
import type { TuiOptions, TuiStreams } from './options.ts';
import { createQuestions } from './questions.ts';
import { showRecap } from './recap.ts';
import { clampMiddle } from './sanitize.ts';
import type { Activity } from './screen.ts';
import type { TuiSettings } from './settings.ts';
import { createShellApproval } from './shell-approval.ts';
import { createShellRuns } from './shell-runs.ts';
import { createTurnView, type TurnView } from './turn-view.ts';

const SETTLE_MS = 250;
const WAITING = 'waiting for you';
const STARTS_PROCESSES = new Set(['terminal', 'process']);

export interface TalkOptions {
  readonly desk: Desk;
  readonly banner: Banner;
  readonly app: App;
  readonly session: SessionRef;
  readonly settings: TuiSettings;
  readonly options: TuiOptions;
  readonly streams: TuiStreams;
}

export interface Talk extends Guest {
  readonly session: SessionRef;
  /** Goes on in that session and shows what was said in it. */
  enter(session: SessionRef): Promise<void>;
  /** Takes the lines that were typed meanwhile, and every one from now on. */
  ready(): void;
  stop(): Promise<void>;
}

export function createTalk({ desk, banner, app, session, settings, options, streams }: TalkOptions): Talk {
  const { screen, theme, facts } = desk;
  const preferences: Preferences = {
    busyMode: settings.busyMode,
    reasoningView: !settings.showReasoning ? 'hide' : settings.reasoningFull ? 'full' : 'clamp',
    confirmDestructive: settings.confirmDestructive,
  };
  const answer = createQuestions({
    modals: desk.modals,
    transcript: screen,
    theme,
    approvalTimeoutMs: () => settings.approvalTimeoutMs,
    settleMs: options.settleMs ?? SETTLE_MS,
    keepText: desk.keepText,
    redraw: screen.redraw,
  });
  const shell = createShellRuns({
    transcript: screen,
    theme,
    env: streams.env,
    redraw: screen.redraw,
    refusal: createShellApproval({ env: streams.env, yolo: options.yolo === true, ask: answer }),
  });
  let pendingTitle: string | undefined;
  let commandAbort: AbortController | undefined;
  let hintShown = settings.busyHintSeen;
  let activity: Activity | undefined;

  const setActivity = (next: Activity | undefined) => {
    activity = next;
    screen.setActivity(next);
  };

  async function ask<Q extends Question>(question: Q, signal: AbortSignal): Promise<AnswerTo<Q>> {
    const before = activity;
    setActivity({ text: WAITING, since: performance.now() });
    try {
      return await answer(question, signal);
    } finally {
      if (activity?.text === WAITING) setActivity(before);
    }
  }

  const conversation = createConversation({
    app,
    session,
    preferences,
    onTurn: (input) => beginTurn(input),
    onEvent: (event) => onEvent(event),
    onEnd: (result, error) => onEnd(result, error),
    onQueue: screen.setQueued,
    onSteered: (text) => desk.note(`↪ passed on after the next tool call: ${text}`),
    ask,
  });

  const background = createBackground({
    processes: app.processes,
    session: () => conversation.session,
    ready: () => commandAbort === undefined,
    deliver: conversation.report,
    onElsewhere: ({ sessionId, text }) =>
      desk.note(`· Session ${sessionId}: ${text.split('\n', 1)[0]} /resume ${sessionId} goes on with it.`),
    onCount(running) {
      facts.processes = running;
      screen.redraw();
    },
  });

  function beginTurn({ shown, from }: TurnInput): TurnView {
    const since = performance.now();
    const news = () => new NoteBlock(`⚙ ${clampMiddle(shown.split('\n'), 3, 3).join('\n')}`, theme.dim);
    screen.append(from === 'person' ? new UserBlock(shown, theme) : news(), true);
    const onActivity = (text: string) => setActivity({ text: `${text} · Esc stops`, since });
    onActivity('starting the turn');
    const view = createTurnView({ transcript: screen, theme, settings, preferences, onActivity });
    return {
      event(event) {
        try {
          view.event(event);
        } catch (error) {
          desk.note(`Could not draw: ${describeError(error)}`, theme.error);
        }
        screen.redraw();
      },
      finish: view.finish,
    };
  }

  function onEvent(event: AgentEvent): void {
    facts.onEvent(event);
    if (event.type === 'session_changed' && event.reason === 'compression') {
      desk.note('· The conversation was compressed; it goes on in a new session.');
    }
    if (event.type === 'toolcall_end' && STARTS_PROCESSES.has(event.call.tool)) background.refresh();
  }

  async function onEnd(result: TurnResult | undefined, error: unknown): Promise<void> {
    setActivity(undefined);
    if (result === undefined) desk.note(describeError(error), theme.error);
    if (settings.bellOnComplete) screen.bell();
    try {
      await applyTitle();
      await facts.refresh(app, conversation.session);
    } catch (problem) {
      desk.note(describeError(problem), theme.error);
    }
    screen.redraw();
  }

  async function applyTitle(): Promise<void> {
    if (pendingTitle === undefined || (await app.store.get(conversation.session.id)) === undefined) return;
    const title = pendingTitle;
    pendingTitle = undefined;
    await app.store.setTitle(conversation.session.id, title, 'user');
  }

  async function enter(next: SessionRef): Promise<void> {
    const moved = next.cwd !== conversation.session.cwd;
    conversation.setSession(next);
    pendingTitle = undefined;
    const problem = await facts.enter(app, next);
    await showBanner();
    await showRecap(app, next, settings, desk);
    if (moved) desk.note(`Working folder: ${next.cwd}`);
    if (problem !== undefined) desk.note(`${problem} Pick a model here with /model.`, theme.error);
    background.refresh();
    screen.redraw();
  }

  async function showBanner(): Promise<void> {
    const { session: current } = conversation;
    const toolCount = (await app.tools()).filter((tool) => tool.enabled).length;
    banner.set({
      model: facts.model,
      cwd: current.cwd,
      sessionId: current.id,
      profile: current.profile,
      toolCount,
      yolo: options.yolo === true,
    });
  }

  /** What waited goes back into the input line: nothing typed is lost. */
  async function stopTurn(): Promise<boolean> {
    const waiting = conversation.takeQueue();
    if (waiting.length > 0) desk.keepText(waiting.join('\n'));
    return conversation.stop();
  }

  async function runCommand(line: string): Promise<void> {
    screen.append(new NoteBlock(`❯ ${line}`, theme.dim), true);
    const abort = new AbortController();
    commandAbort = abort;
    const context = createCommandContext(
      {
        app,
        conversation,
        preferences,
        modals: desk.modals,
        theme,
        say: desk.say,
        enter,
        stopTurn,
        titleWhenStored: (title) => {
          pendingTitle = title;
        },
        quit: desk.leave,
        saveSetting: options.saveSetting,
      },
      abort.signal,
    );
    const outcome = await dispatch(line, commands, context);
    if (outcome === 'given-up') desk.note('Given up.');
    commandAbort = undefined;
    background.refresh();
    // A command may have changed the history; a failure shows with the next turn.
    if (!conversation.busy) await facts.remeasure(app, conversation.session).catch(() => undefined);
    screen.redraw();
  }

  function sendMessage(text: string, shown: string): void {
    if (conversation.busy && !hintShown) {
      hintShown = true;
      desk.note(
        `A message sent while it works: ${preferences.busyMode}. /busy interrupt, queue or steer changes that.`,
      );
      // Only a convenience: the hint may come again.
      options.saveSetting?.('onboarding.seen.busy_input', true).catch(() => undefined);
    }
    conversation.submit(text, shown);
  }

  return {
    get session() {
      return conversation.session;
    },
    enter,
    ready() {
      background.listen();
      desk.router.open({
        shell: (command) => void shell.run(command, conversation.session.cwd),
        command: runCommand,
        message: sendMessage,
      });
    },
    context: () => ({ app, session: conversation.session }),
    interrupt() {
      if (commandAbort !== undefined && !commandAbort.signal.aborted) {
        commandAbort.abort();
        return true;
      }
      if (shell.stop()) return true;
      if (!conversation.busy) return false;
      void stopTurn();
      return true;
    },
    async stop() {
      shell.stop();
      background.close();
      await conversation.close();
    },
  };
}
