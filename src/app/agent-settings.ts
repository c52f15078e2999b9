/** The configuration's words about the agent, as the core takes them. */
import type { PromptOptions } from '../agent/prompt/build.ts';
import { readMachine } from '../agent/prompt/environment.ts';
import type { TurnLimits } from '../agent/turn-state.ts';
import type { Home } from '../config/home.ts';
import type { Config } from '../config/schema.ts';
import type { DoorTraits } from '../contracts/turn.ts';
import type { PromptMemory } from '../memory/prompt-memory.ts';
import { scanThreats } from '../security/threats.ts';

export interface PromptParts {
  readonly home: Home;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly config: Config;
  readonly memory: PromptMemory;
  readonly ignoreRules: boolean;
}

export function promptOptions({ home, env, config, memory, ignoreRules }: PromptParts): PromptOptions {
  const { agent } = config;
  return {
    home: home.dir,
    env: config.timezone === '' ? env : { ...env, TZ: config.timezone },
    ignoreRules,
    taskCompletionGuidance: agent.task_completion_guidance,
    parallelToolGuidance: agent.parallel_tool_call_guidance,
    environmentHint: env.HERMES_ENVIRONMENT_HINT ?? agent.environment_hint,
    guidanceFor: { toolUse: agent.tool_use_enforcement, execution: agent.execution_guidance },
    machine: readMachine(env),
    addition: agent.system_prompt,
    platformHints: platformHints(config.platform_hints),
    ...(config.context_file_max_chars != null && { contextFileMaxChars: config.context_file_max_chars }),
    contextFileReadTimeoutMs: config.context_file_read_timeout * 1000,
    scan: (text) => scanThreats(text, 'context').map(({ id }) => id),
    volatile: [{ name: 'memory', text: () => memory.snapshot() }],
  };
}

function platformHints(hints: Readonly<Record<string, unknown>>): PromptOptions['platformHints'] {
  const out: Record<string, { append?: string; replace?: string }> = {};
  for (const [source, hint] of Object.entries(hints)) {
    if (typeof hint === 'string') out[source] = { append: hint };
    else if (typeof hint === 'object' && hint !== null) out[source] = hint as { append?: string; replace?: string }; // both read as text only
  }
  return out;
}

/** What a command line call may say beside the configuration. */
export interface TurnOverrides {
  readonly maxTurns?: number;
  readonly door: DoorTraits;
}

export function turnLimits(config: Config, overrides: TurnOverrides): TurnLimits {
  const rails = config.tool_loop_guardrails;
  const limits = (group: typeof rails.warn_after) => ({
    exactFailure: group.exact_failure,
    sameToolFailure: group.same_tool_failure,
    noProgress: group.idempotent_no_progress,
  });
  return {
    maxIterations: overrides.maxTurns ?? config.agent.max_turns ?? Number.POSITIVE_INFINITY,
    guardrails: {
      warnings: rails.warnings_enabled,
      hardStop: rails.hard_stop_enabled || (rails.non_interactive_hard_stop_enabled && !overrides.door.interactive),
      warnAfter: limits(rails.warn_after),
      stopAfter: limits(rails.hard_stop_after),
    },
    emptyRetryMs: 5_000,
  };
}
