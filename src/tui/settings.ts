/** What the configuration says about the screen. */
import { BUSY_MODES, type BusyMode } from '../commands/command.ts';

export interface TuiSettings {
  /** Undefined: nothing is remembered between runs. */
  readonly historyFile: string | undefined;
  readonly busyMode: BusyMode;
  readonly toolProgress: 'off' | 'new' | 'all' | 'verbose';
  readonly showReasoning: boolean;
  readonly reasoningFull: boolean;
  readonly inlineDiffs: boolean;
  readonly turnSummary: boolean;
  readonly resumeDisplay: 'full' | 'minimal' | 'none';
  readonly resumeExchanges: number;
  readonly bellOnPrompt: boolean;
  readonly bellOnComplete: boolean;
  readonly approvalTimeoutMs: number;
  readonly confirmDestructive: boolean;
  /** The hint about busy modes was shown in an earlier run. */
  readonly busyHintSeen: boolean;
}

export const DEFAULT_SETTINGS: TuiSettings = {
  historyFile: undefined,
  busyMode: 'interrupt',
  toolProgress: 'all',
  showReasoning: true,
  reasoningFull: false,
  inlineDiffs: true,
  turnSummary: true,
  resumeDisplay: 'full',
  resumeExchanges: 10,
  bellOnPrompt: false,
  bellOnComplete: false,
  approvalTimeoutMs: 300_000,
  confirmDestructive: true,
  busyHintSeen: false,
};

/** @param config the configuration as a tree; whatever does not fit keeps its default */
export function settingsFrom(config: unknown, historyFile: string | undefined): TuiSettings {
  const at = (path: string): unknown => lookUp(config, path);
  const flag = (path: string, otherwise: boolean) => {
    const value = at(path);
    return typeof value === 'boolean' ? value : otherwise;
  };
  const count = (path: string, otherwise: number) => {
    const value = at(path);
    return typeof value === 'number' && Number.isFinite(value) && value > 0 ? value : otherwise;
  };
  const base = DEFAULT_SETTINGS;
  return {
    historyFile,
    busyMode: oneOf(at('display.busy_input_mode'), BUSY_MODES, base.busyMode),
    toolProgress: oneOf(at('display.tool_progress'), ['off', 'new', 'all', 'verbose'], base.toolProgress),
    showReasoning: flag('display.show_reasoning', base.showReasoning),
    reasoningFull: flag('display.reasoning_full', base.reasoningFull),
    inlineDiffs: flag('display.inline_diffs', base.inlineDiffs),
    turnSummary: flag('display.turn_summary', base.turnSummary),
    resumeDisplay: oneOf(at('display.resume_display'), ['full', 'minimal', 'none'], base.resumeDisplay),
    resumeExchanges: count('display.resume_exchanges', base.resumeExchanges),
    bellOnPrompt: flag('display.bell_on_prompt', base.bellOnPrompt),
    bellOnComplete: flag('display.bell_on_complete', base.bellOnComplete),
    approvalTimeoutMs: count('approvals.timeout', base.approvalTimeoutMs / 1000) * 1000,
    confirmDestructive: flag('approvals.destructive_slash_confirm', base.confirmDestructive),
    busyHintSeen: lookUp(config, 'onboarding.seen.busy_input') === true,
  };
}

function lookUp(tree: unknown, path: string): unknown {
  let value = tree;
  for (const key of path.split('.')) {
    if (typeof value !== 'object' || value === null) return undefined;
    value = (value as Readonly<Record<string, unknown>>)[key];
  }
  return value;
}

function oneOf<Value extends string>(value: unknown, allowed: readonly Value[], otherwise: Value): Value {
  return allowed.find((each) => each === value) ?? otherwise;
}
