/** The composition root: opens a home, builds the services, hands them to the core. The only file that knows how all parts fit. */
import { homedir } from 'node:os';
import { type Agent, createAgent } from './agent/agent.ts';
import { promptOptions, turnLimits } from './app/agent-settings.ts';
import { modelSettings, toEffort } from './app/model-settings.ts';
import { readOverlay } from './app/overlay.ts';
import { createTools } from './app/tools.ts';
import { isOn, withEnvOverrides } from './config/env-overrides.ts';
import { loadEnvironment } from './config/environment.ts';
import { type Home, resolveHome } from './config/home.ts';
import { ensureHome } from './config/home-setup.ts';
import { loadConfig } from './config/load.ts';
import type { Config } from './config/schema.ts';
import { problemText } from './config/source.ts';
import type { SessionRef, Source } from './contracts/turn.ts';
import { AppError } from './lib/errors.ts';
import { createPromptMemory } from './memory/create-prompt-memory.ts';
import { createModels } from './model/create-models.ts';
import type { ModelSelection, Models } from './model/models.ts';
import { scanThreats } from './security/threats.ts';
import { newSessionId } from './state/session-id.ts';
import type { SessionRow, SessionStore } from './state/session-store.ts';
import { openSessionStore } from './state/sqlite-store.ts';
import type { ProcessNotice, ProcessView } from './terminal/background.ts';

declare const __HERMES_VERSION__: string;

export interface AppOptions {
  /** Raw process environment. */
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
  readonly profile?: string;
  readonly source: Source;
  readonly door: SessionRef['door'];
  readonly selection?: ModelSelection;
  /** Names of toolsets; undefined = the door's preset. */
  readonly toolsets?: readonly string[];
  readonly maxTurns?: number;
  readonly yolo?: boolean;
  readonly ignoreUserConfig?: boolean;
  /** No project files, SOUL.md or memory. */
  readonly ignoreRules?: boolean;
  /** Test seam: sees the settings on their way to the parts. */
  readonly watchConfig?: (config: Config) => Config;
}

export interface ToolListing {
  readonly name: string;
  readonly toolset: string;
  readonly enabled: boolean;
  /** Why it is not offered. */
  readonly reason?: string;
}

/** What the agent left running. */
export interface AppProcesses {
  list(sessionId: string): Promise<readonly ProcessView[]>;
  /** Ends those of a session with all they started; how many there were. */
  stop(sessionId: string): Promise<number>;
  /**
   * Hears of processes that ended or printed what was waited for, from now on and what came before. Each notice is to
   * be given to the agent as the next input of its session. One listener at a time.
   */
  listen(listener: (notice: ProcessNotice) => void): void;
}

export interface App {
  readonly agent: Agent;
  readonly store: SessionStore;
  readonly models: Models;
  /** Warnings a door shows once at start: broken config, unknown keys, storage. */
  readonly warnings: readonly string[];
  /** Those of them that tell of a settings file that could not be read: not even a script may miss them. */
  readonly faults: readonly string[];
  newSession(cwd?: string): SessionRef;
  /** A stored session, by id, unique prefix, title or `latest`, at the tip of its lineage. @throws AppError `session-not-found` */
  resumeSession(reference: string): Promise<{ readonly session: SessionRef; readonly row: SessionRow }>;
  tools(): Promise<readonly ToolListing[]>;
  /** The user's own groups: name → toolsets or tools. */
  readonly customToolsets: Readonly<Record<string, readonly string[]>>;
  readonly processes: AppProcesses;
  /** Ends background processes, closes the database. Safe to call twice. */
  close(): Promise<void>;
}

/** @throws AppError in one sentence when the home, its database or its profile cannot be used */
export async function openApp(options: AppOptions): Promise<App> {
  const home = resolveHome({ profile: options.profile, env: options.env, homedir: homedir() });
  await ensureHome(home);
  const environment = loadEnvironment(home, options.env, options.cwd);
  const { env } = environment;
  const safe = isOn(env, 'HERMES_SAFE_MODE');
  const ignoreUser = options.ignoreUserConfig === true || safe || isOn(env, 'HERMES_IGNORE_USER_CONFIG');
  const ignoreRules = options.ignoreRules === true || safe || isOn(env, 'HERMES_IGNORE_RULES');
  const loaded = await loadConfig(home, env, { ignoreUser });
  const { config: wanted, warnings } = withEnvOverrides(loaded.config, env, loaded.pinned);
  const config = options.watchConfig?.(wanted) ?? wanted;
  const store = await openSessionStore({ path: home.path('state.db'), journalMode: config.database.journal_mode });
  const notices: string[] = [];
  const models = createModels(modelSettings(config, env), {
    env,
    windowCachePath: home.path('context_length_cache.yaml'),
    origin: (name) => environment.origin(name),
    version: typeof __HERMES_VERSION__ === 'string' ? __HERMES_VERSION__ : 'dev',
  });
  const memory = createPromptMemory({
    dir: home.path('memories'),
    memoryLimit: config.memory.memory_char_limit,
    userLimit: config.memory.user_char_limit,
    memoryEnabled: config.memory.memory_enabled,
    userEnabled: config.memory.user_profile_enabled,
    scan: (text) => scanThreats(text, 'strict').map(({ id }) => id),
  });
  const processNotices = createNoticeBoard();
  const tools = createTools({
    home,
    env,
    origin: environment.origin,
    config,
    store,
    memory,
    options,
    notices,
    onProcessNotice: processNotices.put,
  });
  const agent = createAgent({
    store,
    registry: tools.registry,
    resolveModel: (selection) => models.resolve(selection),
    selection: options.selection ?? {},
    exposure: tools.exposure,
    prompt: promptOptions({ home, env, config, memory, ignoreRules }),
    limits: turnLimits(config, options),
    reasoning: toEffort(config.agent.reasoning_effort),
    overlay: readOverlay(home, env, config, notices),
    onForget: tools.forget,
    notices,
  });
  return {
    agent,
    store,
    models,
    warnings: [...environment.warnings, ...loaded.warnings, ...warnings, ...tools.warnings, ...store.warnings],
    faults: loaded.problems.map(problemText),
    newSession: (cwd = options.cwd) => sessionRef(newSessionId(), cwd, home, options),
    resumeSession: (reference) => resumeSession(reference, store, home, options),
    tools: () => tools.registry.statuses(tools.exposure),
    customToolsets: config.custom_toolsets,
    processes: {
      list: (sessionId) => tools.background.list(sessionId),
      stop: (sessionId) => tools.background.killSession(sessionId),
      listen: processNotices.listen,
    },
    close: once(async () => {
      try {
        await tools.close();
      } finally {
        await store.close();
      }
    }),
  };
}

function sessionRef(id: string, cwd: string, home: Home, options: AppOptions): SessionRef {
  return { id, source: options.source, profile: home.profile, cwd, door: options.door };
}

async function resumeSession(
  reference: string,
  store: SessionStore,
  home: Home,
  options: AppOptions,
): Promise<{ readonly session: SessionRef; readonly row: SessionRow }> {
  const id = await store.tip(
    reference === 'latest' ? await latestSession(store, options.cwd) : await store.resolve(reference),
  );
  const row = await store.get(id);
  if (row === undefined) throw sessionNotFound(reference);
  await store.reopen(id);
  return { session: sessionRef(id, row.cwd === '' ? options.cwd : row.cwd, home, options), row };
}

const NOT_CONTINUED = ['subagent', 'tool', 'cron', 'kanban'];

/** The newest of this folder, else the newest of all. */
async function latestSession(store: SessionStore, cwd: string): Promise<string> {
  const row =
    (await store.latest({ cwd, excludeSources: NOT_CONTINUED })) ??
    (await store.latest({ excludeSources: NOT_CONTINUED }));
  if (row === undefined) throw sessionNotFound('latest');
  return row.id;
}

function sessionNotFound(reference: string): AppError {
  const what = reference === 'latest' ? 'There is no session to continue yet.' : `There is no session ${reference}.`;
  return new AppError('session-not-found', what, { hint: 'List them with: hermes sessions list' });
}

interface NoticeBoard {
  put(notice: ProcessNotice): void;
  listen(listener: (notice: ProcessNotice) => void): void;
}

/** Keeps what nobody listens to yet. */
function createNoticeBoard(): NoticeBoard {
  let listener: ((notice: ProcessNotice) => void) | undefined;
  const waiting: ProcessNotice[] = [];
  return {
    put(notice) {
      if (listener === undefined) waiting.push(notice);
      else listener(notice);
    },
    listen(next) {
      listener = next;
      for (const notice of waiting.splice(0)) next(notice);
    },
  };
}

function once(work: () => Promise<void>): () => Promise<void> {
  let done: Promise<void> | undefined;
  return () => {
    done ??= work();
    return done;
  };
}
