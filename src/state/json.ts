/** JSON as found in a database that other programs write to: unreadable is the same as absent. */

export function parseJson(text: string | null | undefined): unknown {
  if (text === null || text === undefined || text === '') return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined; // damaged or foreign text: the caller falls back to the plain columns
  }
}

export function parseJsonObject(text: string | null | undefined): Record<string, unknown> | undefined {
  const value = parseJson(text);
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Record<string, unknown>)
    : undefined;
}

export function parseJsonArray(text: string | null | undefined): unknown[] {
  const value = parseJson(text);
  return Array.isArray(value) ? value : [];
}
