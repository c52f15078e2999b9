/** Variables that stand in for a setting: a command line flag wins over them, they win over `config.yaml`. */
import type { Environment } from './home.ts';
import type { Config } from './schema.ts';
import { getAt, withAt } from './tree.ts';

export interface Overridden {
  readonly config: Config;
  /** One sentence per variable whose value is of no use. */
  readonly warnings: readonly string[];
}

interface Override {
  readonly name: string;
  readonly key: string;
  /** Undefined: the value is none that the setting takes. */
  read(value: string): unknown;
  readonly wants: string;
  /** Set: the variable is heard only while the setting still has this value, its default. */
  readonly onlyOver?: unknown;
}

const OVERRIDES: readonly Override[] = [
  { name: 'HERMES_MAX_ITERATIONS', key: 'agent.max_turns', read: count, wants: 'a whole number above 0' },
  { name: 'HERMES_REDACT_SECRETS', key: 'security.redact_secrets', read: asSwitch, wants: 'true or false' },
  { name: 'HERMES_TIMEZONE', key: 'timezone', read: zone, wants: 'an IANA time zone' },
  // Older homes hold it in `.env`, and there `config.yaml` wins.
  { name: 'TERMINAL_TIMEOUT', key: 'terminal.timeout', read: count, wants: 'a number of seconds', onlyOver: 180 },
];

/** @param pinned settings that the administrator has fixed: nothing stands in for those */
export function withEnvOverrides(config: Config, env: Environment, pinned: readonly string[]): Overridden {
  const warnings: string[] = [];
  let result: unknown = config;
  for (const { name, key, read, wants, onlyOver } of OVERRIDES) {
    const text = env[name]?.trim() ?? '';
    if (text === '' || pinned.includes(key)) continue;
    if (onlyOver !== undefined && getAt(config, key.split('.')) !== onlyOver) continue;
    const value = read(text);
    if (value === undefined) warnings.push(`${name} is left out: it must be ${wants}.`);
    else result = withAt(result, key.split('.'), value);
  }
  return { config: result as Config, warnings }; // only values of the setting's own kind were put in
}

/** `1`, `true`, `yes` or `on`. */
export function isOn(env: Environment, name: string): boolean {
  return asSwitch(env[name]?.trim() ?? '') === true;
}

function asSwitch(text: string): boolean | undefined {
  if (/^(1|true|yes|on)$/i.test(text)) return true;
  return /^(0|false|no|off)$/i.test(text) ? false : undefined;
}

function count(text: string): number | undefined {
  const value = Number(text);
  return Number.isSafeInteger(value) && value > 0 ? value : undefined;
}

function zone(text: string): string | undefined {
  try {
    new Intl.DateTimeFormat('en', { timeZone: text });
    return text;
  } catch {
    return undefined; // no zone of that name
  }
}
