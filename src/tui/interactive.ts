/** The drawn conversation, from the first frame to the last line. */
import type { App } from '../app.ts';
import type { SessionRef } from '../contracts/turn.ts';
import { Banner } from './banner.ts';
import { createDesk, type Desk } from './desk.ts';
import { farewell } from './farewell.ts';
import { appOptions, type TuiOptions, type TuiStreams } from './options.ts';
import { DEFAULT_SETTINGS, type TuiSettings } from './settings.ts';
import { createTalk, type Talk } from './talk.ts';

/** @throws what opening the app throws; the terminal is restored first */
export async function runInteractive(options: TuiOptions, streams: TuiStreams): Promise<number> {
  const desk = createDesk(options, streams);
  const banner = new Banner(firstBanner(options, streams), desk.theme);
  desk.screen.append(banner);
  desk.screen.setActivity({ text: 'starting', since: performance.now() });
  const giveUp = () => desk.leave();
  streams.signal.addEventListener('abort', giveUp, { once: true });
  streams.stdin.once('end', giveUp); // the terminal is gone
  desk.screen.start();
  try {
    const opening = open(options, streams);
    const opened = await Promise.race([opening, desk.leaving]);
    if (opened === undefined) {
      // It may still open behind us, and must not be left so.
      opening.then(({ app }) => app.close()).catch(() => undefined);
      return streams.signal.aborted ? 130 : 0;
    }
    return await converse(desk, banner, opened, options, streams);
  } finally {
    streams.signal.removeEventListener('abort', giveUp);
    streams.stdin.removeListener('end', giveUp);
    desk.screen.stop();
  }
}

interface Opened {
  readonly app: App;
  readonly session: SessionRef;
  readonly settings: TuiSettings;
}

async function open(options: TuiOptions, streams: TuiStreams): Promise<Opened> {
  // Opening blocks the thread; the first frame goes out before.
  await new Promise((resolve) => setImmediate(resolve));
  const [app, settings] = await Promise.all([
    options.openApp(appOptions(options, streams, true)),
    options.loadSettings?.() ?? DEFAULT_SETTINGS,
  ]);
  try {
    return { app, session: await firstSession(app, options), settings };
  } catch (error) {
    await app.close();
    throw error;
  }
}

async function firstSession(app: App, { resume, restoreCwd, cwd }: TuiOptions): Promise<SessionRef> {
  if (resume === undefined) return app.newSession(cwd);
  const { session } = await app.resumeSession(resume);
  return restoreCwd === false ? { ...session, cwd } : session;
}

async function converse(
  desk: Desk,
  banner: Banner,
  { app, session, settings }: Opened,
  options: TuiOptions,
  streams: TuiStreams,
): Promise<number> {
  try {
    desk.bellOnPrompt = settings.bellOnPrompt;
    for (const warning of app.warnings) desk.note(`⚠ ${warning}`, desk.theme.warn);
    if (settings.historyFile !== undefined) await desk.useHistory(settings.historyFile);
    if (options.reasoning !== undefined) app.agent.setReasoning(session.id, options.reasoning);
    const talk = createTalk({ desk, banner, app, session, settings, options, streams });
    desk.attach(talk);
    await talk.enter(session);
    if (session.cwd !== options.cwd) desk.note(`Working folder: ${session.cwd}`);
    desk.screen.setActivity(undefined);
    if (options.initialPrompt !== undefined) desk.router.send(options.initialPrompt);
    talk.ready();
    await desk.leaving;
    await leave(desk, app, talk, streams);
    return streams.signal.aborted ? 130 : 0;
  } finally {
    await app.close();
  }
}

/** A turn that was told to stop, and has not after this time, is not waited for. */
const STOP_GRACE_MS = 5000;

/** Ends the turn, gives the terminal back and says how to come back; a second wish to go cuts the waiting short. */
async function leave(desk: Desk, app: App, talk: Talk, streams: TuiStreams): Promise<void> {
  desk.screen.setActivity({ text: 'leaving', since: performance.now() });
  const late = Promise.withResolvers<void>();
  const timer = setTimeout(late.resolve, STOP_GRACE_MS);
  await Promise.race([talk.stop(), desk.forced, late.promise]);
  clearTimeout(timer);
  await Promise.race([desk.screen.drain(), desk.forced]);
  desk.screen.close();
  const words = await farewell(app, talk.session, desk.facts.openForMs());
  if (words === '') return;
  await app.store.end(talk.session.id, 'user_exit');
  streams.stdout.write(words);
}

function firstBanner(options: TuiOptions, streams: TuiStreams) {
  return {
    model: undefined,
    cwd: options.cwd,
    sessionId: undefined,
    profile: streams.profile ?? 'default',
    toolCount: undefined,
    yolo: options.yolo === true,
  };
}
