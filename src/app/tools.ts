/** The built-in tools of one process, with the services they need. */
import type { AppOptions } from '../app.ts';
import type { Home } from '../config/home.ts';
import type { Config } from '../config/schema.ts';
import type { PromptMemory } from '../memory/prompt-memory.ts';
import { createRedactor } from '../security/redact.ts';
import type { SessionStore } from '../state/session-store.ts';
import { createToolRegistry, type ToolRegistry } from '../tools/registry.ts';
import type { Exposure } from '../tools/toolsets.ts';

export interface ToolParts {
  readonly home: Home;
  readonly env: Readonly<Record<string, string>>;
  readonly config: Config;
  readonly store: SessionStore;
  readonly memory: PromptMemory;
  readonly options: AppOptions;
  readonly notices: string[];
}

export interface AppTools {
  readonly registry: ToolRegistry;
  readonly exposure: Exposure;
  /** Ends what tools have started. */
  close(): Promise<void>;
}

export function createTools({ home, config, options, notices }: ToolParts): AppTools {
  const redact = createRedactor(config.security.redact_secrets);
  const registry = createToolRegistry({
    tools: [],
    spillDir: home.path('cache', 'spillover'),
    redact: (text) => redact(text),
    warn: (text) => notices.push(text),
  });
  return {
    registry,
    exposure: { enabled: options.toolsets, disabled: config.agent.disabled_toolsets },
    async close() {},
  };
}
