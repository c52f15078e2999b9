/** Half of a surrogate pair cannot be stored, printed or sent: it becomes U+FFFD. */

/** @returns `value` itself when every string in it, keys included, is well formed; else a mended copy */
export function wellFormed<T>(value: T): T {
  return mend(value) as T;
}

function mend(value: unknown): unknown {
  if (typeof value === 'string') return value.isWellFormed() ? value : value.toWellFormed();
  if (Array.isArray(value)) return mendArray(value);
  if (typeof value === 'object' && value !== null) return mendObject(value);
  return value;
}

function mendArray(value: unknown[]): unknown[] {
  const mended = value.map(mend);
  return mended.some((item, index) => item !== value[index]) ? mended : value;
}

function mendObject(value: object): object {
  let changed = false;
  const entries = Object.entries(value).map(([key, item]) => {
    const mended = [mend(key), mend(item)] as const;
    changed ||= mended[0] !== key || mended[1] !== item;
    return mended;
  });
  return changed ? Object.fromEntries(entries) : value;
}
