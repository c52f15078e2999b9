import type { CliContext } from '../context.ts';

export interface Style {
  dim(text: string): string;
  bold(text: string): string;
  red(text: string): string;
  green(text: string): string;
  yellow(text: string): string;
}

/** Colours where a person reads them: on a terminal, unless NO_COLOR is set. */
export function createStyle(stream: { readonly isTTY?: boolean }, env: CliContext['env']): Style {
  const on = stream.isTTY === true && !env.NO_COLOR && env.TERM !== 'dumb';
  const code = (open: number, close: number) => (text: string) => (on ? `\x1b[${open}m${text}\x1b[${close}m` : text);
  return { dim: code(2, 22), bold: code(1, 22), red: code(31, 39), green: code(32, 39), yellow: code(33, 39) };
}
