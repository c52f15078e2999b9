/** Notices when a turn goes in circles: hints to the model first, stops the turn only then. One instance a turn. */

export interface GuardrailLimits {
  readonly exactFailure: number;
  readonly sameToolFailure: number;
  readonly noProgress: number;
}

export interface GuardrailSettings {
  readonly warnings: boolean;
  readonly hardStop: boolean;
  readonly warnAfter: GuardrailLimits;
  readonly stopAfter: GuardrailLimits;
}

export interface CallOutcome {
  readonly tool: string;
  readonly args: unknown;
  /** The result as the model sees it. */
  readonly result: string;
  readonly ok: boolean;
  /** The call changed something, so that repeating an earlier call may give news. */
  readonly changedSomething: boolean;
}

export interface GuardrailVerdict {
  /** To append to the tool result. */
  readonly hint?: string;
  /** The turn should end; one sentence for the user. */
  readonly stop?: string;
}

export interface Guardrails {
  observe(call: CallOutcome): GuardrailVerdict;
}

type Count = { readonly kind: keyof GuardrailLimits; readonly times: number; readonly what: string };

export function createGuardrails(settings: GuardrailSettings): Guardrails {
  const exactFailures = new Map<string, number>();
  const toolFailures = new Map<string, number>();
  const repeats = new Map<string, { result: string; times: number }>();

  function count(call: CallOutcome): readonly Count[] {
    const key = `${call.tool} ${canonical(call.args)}`;
    if (!call.ok) {
      const exact = bump(exactFailures, key);
      const same = bump(toolFailures, call.tool);
      return [
        { kind: 'exactFailure', times: exact, what: `${call.tool} failed ${exact} times with the same arguments` },
        { kind: 'sameToolFailure', times: same, what: `${call.tool} failed ${same} times in a row` },
      ];
    }
    toolFailures.delete(call.tool);
    exactFailures.delete(key);
    if (call.changedSomething) repeats.clear();
    const before = repeats.get(key);
    const times = before?.result === call.result ? before.times + 1 : 0;
    repeats.set(key, { result: call.result, times });
    return [{ kind: 'noProgress', times, what: `${call.tool} gave the same result again for the same arguments` }];
  }

  return {
    observe(call) {
      const counts = count(call);
      const stop = settings.hardStop ? counts.find(({ kind, times }) => times >= settings.stopAfter[kind]) : undefined;
      if (stop !== undefined) return { stop: `Stopped: ${stop.what}, and the model did not change its approach.` };
      const warn = settings.warnings ? counts.find(({ kind, times }) => times >= settings.warnAfter[kind]) : undefined;
      if (warn === undefined) return {};
      return { hint: `[Note: ${warn.what}. Repeating it will not help; change the approach or say what blocks you.]` };
    },
  };
}

function bump(map: Map<string, number>, key: string): number {
  const next = (map.get(key) ?? 0) + 1;
  map.set(key, next);
  return next;
}

/** JSON with sorted keys: the same arguments in another order are the same call. */
function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null';
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return `{${entries.map(([key, item]) => `${JSON.stringify(key)}:${canonical(item)}`).join(',')}}`;
}
