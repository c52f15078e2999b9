/** `${NAME}` and `${env:NAME}` in settings, filled in after everything else and never stored. */

const REFERENCE = /\$\{(?:([A-Za-z][A-Za-z0-9_]*):)?([A-Za-z_][A-Za-z0-9_]*|[^}\s]*)\}/g;
const NAME = /^[A-Za-z_][A-Za-z0-9_]*$/;

export interface Substituted<T> {
  readonly value: T;
  readonly warnings: readonly string[];
}

/** A copy with references filled in; one that cannot be stays as written, with one warning each. */
export function substitute<T>(value: T, env: Readonly<Record<string, string | undefined>>): Substituted<T> {
  const warnings = new Set<string>();
  const fill = (text: string) =>
    text.replace(REFERENCE, (whole: string, source: string | undefined, name: string) => {
      if (source !== undefined && source !== 'env') {
        // `${X:-y}` is a shell's own spelling, not a reference of ours.
        if (!/^[-=+?]/.test(name))
          warnings.add(`${whole} is kept as written: only \${NAME} and \${env:NAME} are filled in.`);
        return whole;
      }
      if (!NAME.test(name)) return whole;
      const found = env[name];
      if (found !== undefined && found !== '') return found;
      warnings.add(`${whole} is kept as written: ${name} is not set.`);
      return whole;
    });
  return { value: walk(value, fill) as T, warnings: [...warnings] };
}

/** Parts without references are shared with the original. */
function walk(value: unknown, fill: (text: string) => string): unknown {
  if (typeof value === 'string') return value.includes('${') ? fill(value) : value;
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) {
    const items = value.map((item) => walk(item, fill));
    return items.some((item, i) => item !== value[i]) ? items : value;
  }
  let copy: Record<string, unknown> | undefined;
  for (const [key, child] of Object.entries(value)) {
    const filled = walk(child, fill);
    if (filled === child) continue;
    copy ??= { ...value };
    copy[key] = filled;
  }
  return copy ?? value;
}

export function hasReference(value: unknown): boolean {
  return typeof value === 'string' && value.includes('${');
}
