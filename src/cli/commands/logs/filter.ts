/** Which lines of a log are wanted. The filters join with "and"; a line without a head belongs to the one before it. */
import { usageError } from '../../usage-error.ts';

export interface LineFilterOptions {
  readonly level?: string;
  readonly session?: string;
  readonly component?: string;
  /** Epoch milliseconds. */
  readonly since?: number;
}

const LEVELS = ['DEBUG', 'INFO', 'WARNING', 'ERROR', 'CRITICAL'];
const HEAD = /^(\d{4}-\d\d-\d\d \d\d:\d\d:\d\d),(\d{3}) (\w+) (?:\[([^\]]*)\] )?([^:]+): /;

/** @returns a function to be called with each line in order. @throws AppError `usage` for an unknown level */
export function createLineFilter(options: LineFilterOptions): (line: string) => boolean {
  const wanted = options.level?.toUpperCase().replace(/^WARN$/, 'WARNING');
  const lowest = wanted === undefined ? 0 : LEVELS.indexOf(wanted);
  if (lowest < 0)
    throw usageError(`There is no level ${JSON.stringify(options.level)}.`, 'Use debug, info, warning or error.');
  let passed = true;
  return (line) => {
    const head = HEAD.exec(line);
    if (head === null) return passed;
    const [, time = '', millis = '', level = '', session = '', logger = ''] = head;
    passed =
      LEVELS.indexOf(level) >= lowest &&
      (options.session === undefined || session.startsWith(options.session)) &&
      (options.component === undefined || logger.split('.')[0] === options.component) &&
      (options.since === undefined || Date.parse(`${time.replace(' ', 'T')}.${millis}`) >= options.since);
    return passed;
  };
}

const UNITS: Readonly<Record<string, number>> = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000, w: 604_800_000 };

/** `90s`, `30m`, `2h`, `1d`, `1w` in milliseconds. @throws AppError `usage` */
export function parseDuration(flag: string, text: string): number {
  const match = /^(\d+(?:\.\d+)?)\s*([smhdw])$/.exec(text.trim());
  const unit = UNITS[match?.[2] ?? ''];
  if (match === null || unit === undefined)
    throw usageError(`${flag} needs a time such as 30m, 2h or 1d, not ${JSON.stringify(text)}.`);
  return Number(match[1]) * unit;
}
