/** `YYYYMMDD_HHMMSS_<hex>`, local time: sorts by start, and a person can read when it was. */
import { randomBytes } from 'node:crypto';

/** @param hexDigits 6 at a terminal, 8 in the gateway, where many start within a second */
export function newSessionId(now: Date = new Date(), hexDigits = 6): string {
  const pad = (value: number, width = 2): string => String(value).padStart(width, '0');
  const date = `${pad(now.getFullYear(), 4)}${pad(now.getMonth() + 1)}${pad(now.getDate())}`;
  const time = `${pad(now.getHours())}${pad(now.getMinutes())}${pad(now.getSeconds())}`;
  return `${date}_${time}_${randomBytes(Math.ceil(hexDigits / 2))
    .toString('hex')
    .slice(0, hexDigits)}`;
}
