/** How the agent works a turn. */
import * as z from 'zod';
import {
  anyMap,
  autoOrModels,
  bool,
  int,
  num,
  oneOf,
  optionalInt,
  optionalNum,
  section,
  text,
  textMap,
  texts,
} from './kinds.ts';

const agent = section(
  {
    max_turns: z
      .int()
      .min(1)
      .nullable()
      .default(90)
      .meta({ description: 'Most model calls in one turn; `unlimited` or 0 for no cap.' }),
    budget_warning_ratio: optionalNum('Share of the cap at which the model is told once.'),
    run_budget_seconds: optionalNum('Longest turn in seconds, with a notice at 80 %.'),
    api_max_retries: int(3, 'Retries of a failing model call before the next model is tried.'),
    auto_recovery_cycles: int(5, 'Waits and fresh tries after every model has failed.'),
    reasoning_effort: text('', '`none minimal low medium high xhigh max`. Empty: medium.'),
    reasoning_overrides: textMap('Reasoning effort by model.'),
    system_prompt: text('', 'Text added to the system prompt.'),
    service_tier: text('', 'Service tier to ask the provider for.'),
    fast_auto_seconds: int(60, 'Wait after which a faster tier is used.'),
    tool_use_enforcement: autoOrModels('Remind the model to act through tools.'),
    execution_guidance: autoOrModels('Guidance on carrying work through.'),
    intent_ack_continuation: autoOrModels('Go on when a model only announces what it will do.'),
    task_completion_guidance: bool(true, 'Prompt block on finishing tasks.'),
    parallel_tool_call_guidance: bool(true, 'Prompt block on calling tools side by side.'),
    environment_probe: bool(true, 'Tell the model of unusual tool chains.'),
    stall_guards: bool(true, 'Notice turns that go in circles.'),
    empty_response_guard: section(
      {
        enabled: bool(true, 'Ask again after an empty answer.'),
        cost_threshold_usd: num(0.25, 'Not when asking again would cost more than this.'),
      },
      'Empty answers.',
    ),
    turn_liveness: section(
      {
        timeout_s: int(600, 'A turn idle for so many seconds is interrupted.'),
        poll_s: int(15, 'How often that is looked at.', 1),
      },
      'Idle turns.',
    ),
    verify_on_stop: bool(false, 'Have the work checked before a turn ends.'),
    verify_guidance: bool(true, 'Prompt block on checking one’s work.'),
    max_verify_nudges: int(3, 'Most reminders to check.'),
    coding_context: oneOf(['auto', 'on', 'off'], 'auto', 'Brief on the code base in the system prompt.'),
    coding_instructions: text('', 'Your own rules for code.'),
    image_input_mode: oneOf(['auto', 'native', 'text'], 'auto', 'Send images as they are or described.'),
    disabled_toolsets: texts([], 'Toolsets removed everywhere.'),
    personalities: z
      .record(z.string(), z.unknown())
      .default({})
      .meta({ description: 'Personalities of your own for `/personality`: text, or a map with `system_prompt`.' }),
    environment_hint: text('', 'What the model should know of this machine.'),
    bot_mode_protocol: bool(true, 'Prompt block for chats with other bots.'),
    local_stream_stale_timeout: int(900, 'Longest silence of a local model in seconds.'),
    sanitizer_heal_escalation_threshold: int(3, 'Repairs of a history after which it is reported.'),
    build_wait_timeout: int(600, 'Longest wait for an agent to be built, in seconds.'),
    gateway_timeout: int(1800, 'Idle limit of a gateway turn in seconds.'),
    gateway_timeout_warning: int(900, 'When to warn of it.'),
    gateway_notify_interval: int(180, 'Seconds between “still working” notes.'),
    session_stall_timeout: int(300, 'Seconds after which a silent session counts as stalled.'),
    gateway_turn_lease_timeout: int(5, 'Wait for another process’s turn on the same chat, in seconds.'),
    clarify_timeout: int(3600, 'Longest wait for an answer to a question, in seconds.'),
    reconnect_attention_after: int(7200, 'Seconds offline after which a platform asks for attention.'),
    gateway_auto_continue_freshness: int(3600, 'Oldest interrupted turn that is taken up again, in seconds.'),
    restart_drain_timeout: int(0, 'Wait for running turns at restart, in seconds.'),
    cron_drain_timeout: int(30, 'Wait for running jobs at restart, in seconds.'),
    restart_after_turn_timeout: int(1800, 'Longest wait for a turn before a restart, in seconds.'),
    gateway_startup_restore_drain_timeout: int(30, 'Wait for restored turns at start, in seconds.'),
    gateway_startup_warmup_timeout: int(20, 'Wait for warm-up at start, in seconds.'),
    agent_cache: section(
      {
        max_size: int(128, 'Most sessions kept warm.', 1),
        idle_ttl_secs: int(3600, 'Seconds an idle one stays.'),
        memory_high_mb: z
          .union([z.enum(['auto']), z.int().min(0)])
          .default('auto')
          .meta({ description: 'Memory above which idle ones are dropped, in MB.' }),
        max_evictions_per_pass: int(16, 'Most dropped at once.', 1),
        protect_recent: int(8, 'The newest, never dropped.'),
      },
      'Warm sessions of the gateway.',
    ),
    verbose: bool(false, 'Show more of what happens.'),
  },
  'The agent.',
);

const toolLoopGuardrails = section(
  {
    warnings_enabled: bool(true, 'Tell the model that it repeats itself.'),
    hard_stop_enabled: bool(false, 'End the turn when that does not help.'),
    non_interactive_hard_stop_enabled: bool(true, 'The same where nobody watches.'),
    warn_after: section(
      {
        exact_failure: int(2, 'Equal failing calls.', 1),
        same_tool_failure: int(3, 'Failures of one tool.', 1),
        idempotent_no_progress: int(2, 'Equal calls with equal results.', 1),
      },
      'When to warn.',
    ),
    hard_stop_after: section(
      {
        exact_failure: int(5, 'Equal failing calls.', 1),
        same_tool_failure: int(8, 'Failures of one tool.', 1),
        idempotent_no_progress: int(5, 'Equal calls with equal results.', 1),
      },
      'When to stop.',
    ),
    loop_caps: section(
      {
        max_web_searches: int(50, 'Most web searches in a turn.'),
        max_subagents: int(50, 'Most sub-agents in a turn.'),
      },
      'Caps on dear calls.',
    ),
  },
  'Tool calls that go in circles.',
);

export const agentSettings = {
  agent,
  tool_loop_guardrails: toolLoopGuardrails,
  context_file_max_chars: optionalInt('Most characters of AGENTS.md and the like. Not set: by the model’s window.', 1),
  context_file_read_timeout: num(5, 'Longest read of such a file in seconds.'),
  prefill_messages_file: text('', 'JSON file with messages put before every conversation.'),
  platform_hints: anyMap('Changes to the platform note of the prompt: `append` or `replace` per platform.'),
  timezone: text('', 'IANA name. Empty: the machine’s.'),
  goals: section({ max_turns: int(20, 'Most turns towards one goal.', 1) }, 'Standing goals.'),
  loops: section(
    {
      min_interval_seconds: int(30, 'Shortest interval.', 1),
      max_ticks: int(100, 'Most repetitions.', 1),
      self_paced_floor_seconds: int(60, 'Shortest self-chosen pause.', 1),
      self_paced_ceiling_seconds: int(900, 'Longest self-chosen pause.', 1),
    },
    'Repeating prompts.',
  ),
};
