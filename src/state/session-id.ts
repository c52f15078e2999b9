/** `YYYYMMDD_HHMMSS_<hex>`, local time: sorts by start, and a person can read when it was. */
import { compactTimestamp } from '../lib/local-time.ts';
import { randomHex } from '../lib/random-hex.ts';

/** @param hexDigits 6 at a terminal, 8 in the gateway, where many start within a second */
export function newSessionId(now: Date = new Date(), hexDigits = 6): string {
  return `${compactTimestamp(now)}_${randomHex(hexDigits)}`;
}
