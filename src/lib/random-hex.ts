/**
 * Random names for files, sessions and turns: unlikely to meet, not secret. `node:crypto` would cost every start 6 ms
 * and more; where a secret is needed, use it.
 * @param digits hexadecimal digits, > 0
 */
export function randomHex(digits: number): string {
  let out = '';
  while (out.length < digits)
    out += Math.floor(Math.random() * 0x1_0000_0000)
      .toString(16)
      .padStart(8, '0');
  return out.slice(0, digits);
}
