/**
 * Zone name, offset and calendar date without `Intl`, whose first use costs a start-up tens of milliseconds.
 */
import { readlinkSync } from 'node:fs';

/** The IANA zone of this machine (`Europe/Lisbon`), or `UTC` / `local` where the system does not say. */
export function zoneName(env: Readonly<Record<string, string | undefined>>): string {
  const fromEnv = env.TZ?.replace(/^:/, '');
  if (fromEnv !== undefined && fromEnv !== '' && !fromEnv.startsWith('/')) return fromEnv;
  try {
    const target = readlinkSync('/etc/localtime');
    const at = target.indexOf('zoneinfo/');
    if (at >= 0) return target.slice(at + 'zoneinfo/'.length).replace(/^(posix|right)\//, '');
  } catch {
    // not a link (Windows, minimal containers): fall through
  }
  return new Date().getTimezoneOffset() === 0 ? 'UTC' : 'local';
}

/** `UTC+09:00` */
export function utcOffset(at: Date): string {
  const minutes = -at.getTimezoneOffset();
  const size = Math.abs(minutes);
  return `UTC${minutes < 0 ? '-' : '+'}${two(Math.floor(size / 60))}:${two(size % 60)}`;
}

const WEEKDAYS = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'] as const;

/** `Tuesday, 2026-12-01` in local time. */
export function localDate(at: Date): string {
  return `${WEEKDAYS[at.getDay()]}, ${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())}`;
}

/** `20261201_093005` in local time, as session ids begin. */
export function compactTimestamp(at: Date): string {
  const date = `${at.getFullYear()}${two(at.getMonth() + 1)}${two(at.getDate())}`;
  return `${date}_${two(at.getHours())}${two(at.getMinutes())}${two(at.getSeconds())}`;
}

function two(value: number): string {
  return String(value).padStart(2, '0');
}
