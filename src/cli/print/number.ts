/** `12,345`. Not by locale: loading that costs more than the whole line. */
export function grouped(value: number): string {
  return String(Math.round(value)).replace(/\B(?=(\d{3})+$)/g, ',');
}
