/** The built-in tools of one process, with the services they need. */
import { homedir } from 'node:os';
import { delimiter } from 'node:path';
import type { AppOptions } from '../app.ts';
import { isOn } from '../config/env-overrides.ts';
import type { EnvOrigin } from '../config/environment.ts';
import type { Environment, Home } from '../config/home.ts';
import type { Config } from '../config/schema.ts';
import type { Source } from '../contracts/turn.ts';
import type { MemoryTarget, PromptMemory } from '../memory/prompt-memory.ts';
import { type Approvals, createApprovals } from '../security/approvals.ts';
import { createRedactor } from '../security/redact.ts';
import type { SessionStore } from '../state/session-store.ts';
import { type BackgroundProcesses, createBackgroundProcesses, type ProcessNotice } from '../terminal/background.ts';
import { createLocalBackend } from '../terminal/local.ts';
import { createSessionFolders } from '../terminal/session-folders.ts';
import { createFileGuard } from '../tools/files/guard.ts';
import { createFileLedger } from '../tools/files/ledger.ts';
import { createBuiltinTools } from '../tools/index.ts';
import { processTool } from '../tools/process.ts';
import { createToolRegistry, type ToolRegistry } from '../tools/registry.ts';
import { terminalTool } from '../tools/terminal.ts';
import { createTodoState } from '../tools/todo.ts';
import type { Tool } from '../tools/tool.ts';
import { type Exposure, PRESETS } from '../tools/toolsets.ts';
import { createCommandEnv, terminalSettings } from './terminal-settings.ts';

export interface ToolParts {
  readonly home: Home;
  readonly env: Readonly<Record<string, string>>;
  origin(name: string): EnvOrigin | undefined;
  readonly config: Config;
  readonly store: SessionStore;
  readonly memory: PromptMemory;
  readonly options: AppOptions;
  /** News for the user, shown with the next turn. */
  readonly notices: string[];
  onProcessNotice(notice: ProcessNotice): void;
}

export interface AppTools {
  readonly registry: ToolRegistry;
  readonly exposure: Exposure;
  readonly background: BackgroundProcesses;
  readonly approvals: Approvals;
  /** Sentences to show once at start. */
  readonly warnings: readonly string[];
  /** The model of that session no longer sees what tools have shown it. */
  forget(sessionId: string): void;
  /** Ends what tools have started. */
  close(): Promise<void>;
}

const PRUNE_AFTER_MS = 30_000;

export function createTools(parts: ToolParts): AppTools {
  const { home, env, config, options, notices } = parts;
  const redact = createRedactor(config.security.redact_secrets);
  const folders = createSessionFolders();
  const terminal = terminalSettings(config, home);
  const backend = createLocalBackend(terminal.backend);
  const background = createBackgroundProcesses({
    plan: backend.plan,
    checkpointPath: home.path('processes.json'),
    onNotice: parts.onProcessNotice,
    redact: (text) => redact(text),
  });
  const approvals = createApprovals(approvalOptions(config, env, home, options));
  const ledger = createFileLedger({ guard: !isOn(env, 'HERMES_DISABLE_FILE_STATE_GUARD') });
  const spillDir = home.path('cache', 'spillover');
  const registry = createToolRegistry({
    tools: [
      ...createBuiltinTools({
        files: {
          guard: createFileGuard({
            home: home.dir,
            rootHome: home.root,
            userHome: homedir(),
            safeRoots: (env.HERMES_WRITE_SAFE_ROOT ?? '').split(delimiter).filter((root) => root !== ''),
          }),
          ledger,
          userHome: homedir(),
          redact,
          cwdOf: (session) => folders.get(session.id, session.cwd),
          maxReadChars: config.file_read_max_chars,
        },
        memory: parts.memory,
        memoryTargets: memoryTargets(config),
        store: parts.store,
        todo: createTodoState(),
        ...(config.timezone !== '' && { timeZone: config.timezone }),
      }),
      ...onlyWhere(terminal.unavailable, [
        terminalTool({
          backend,
          background,
          approvals,
          assess: async (command, context) =>
            (await import('../security/command/assess.ts')).assessCommand(command, context),
          env: createCommandEnv({ home, env, shell: options.env, origin: parts.origin, config }),
          folders,
          redact,
          spillDir,
          userHome: homedir(),
          hermesHome: home.dir,
          timeoutMs: config.terminal.timeout * 1000,
          maxChars: config.tool_output.max_bytes,
        }),
        processTool({ background, redact: (text) => redact(text) }),
      ]),
    ],
    spillDir,
    redact: (text) => redact(text),
    warn: (text) => notices.push(text),
    afterCall: ledger.afterCall,
  });
  // Old spilled results go when a process has time, never at a start or an end.
  const pruning = setTimeout(() => void registry.prune(), PRUNE_AFTER_MS).unref();
  return {
    registry,
    exposure: {
      enabled: options.toolsets ?? doorToolsets(config, options.source),
      disabled: config.agent.disabled_toolsets,
      custom: config.custom_toolsets,
    },
    background,
    approvals,
    warnings: terminal.warnings,
    forget: (sessionId) => ledger.forget(sessionId),
    async close() {
      clearTimeout(pruning);
      await background.dispose();
      await backend.dispose();
    },
  };
}

function memoryTargets(config: Config): readonly MemoryTarget[] {
  const { memory_enabled: memory, user_profile_enabled: user } = config.memory;
  return [...(memory ? (['memory'] as const) : []), ...(user ? (['user'] as const) : [])];
}

/** Tools that cannot work here say why, instead of being missing without a word. */
function onlyWhere(unavailable: string | undefined, tools: readonly Tool[]): readonly Tool[] {
  if (unavailable === undefined) return tools;
  return tools.map((tool) => ({ ...tool, available: async () => ({ reason: unavailable }) }));
}

/** A source that is no door of its own is a label, given to a session of the command line. */
function doorToolsets({ platform_toolsets: byDoor }: Config, source: Source): readonly string[] | undefined {
  const door = Object.hasOwn(PRESETS, `hermes-${source}`) ? source : 'cli';
  return Object.hasOwn(byDoor, door) ? byDoor[door] : undefined;
}

function approvalOptions(
  config: Config,
  env: Environment,
  home: Home,
  options: AppOptions,
): Parameters<typeof createApprovals>[0] {
  const { approvals } = config;
  return {
    mode: approvals.mode,
    yolo: options.yolo === true || isOn(env, 'HERMES_YOLO_MODE'),
    allowlist: config.command_allowlist,
    denyGlobs: approvals.deny,
    timeoutMs: approvals.timeout * 1000,
    userHome: homedir(),
    unattended: (source) => unattendedPolicy(source, approvals),
    remember: (pattern) => rememberApproval(home, env, pattern),
  };
}

function unattendedPolicy(source: Source, approvals: Config['approvals']): 'deny' | 'approve' {
  if (source === 'cron') return approvals.cron_mode;
  return source === 'cli' || source === 'oneshot' ? approvals.single_query_mode : approvals.unattended_mode;
}

/** Joins what the file says now, not what it said at start. */
async function rememberApproval(home: Home, env: Environment, pattern: string): Promise<void> {
  const [{ loadConfig }, { setConfig }] = await Promise.all([import('../config/load.ts'), import('../config/edit.ts')]);
  const { config } = await loadConfig(home, env, { keepReferences: true });
  const list = [...new Set([...config.command_allowlist, pattern])];
  await setConfig({ home, env }, 'command_allowlist', JSON.stringify(list));
}
