/** A settings file as found on disk. */
import { readFileSync } from 'node:fs';
import { errorCode, errorText } from '../lib/errors.ts';

export interface ConfigSource {
  /** Absolute. */
  readonly path: string;
  /** Undefined when there is no such file. */
  readonly text: string | undefined;
  /** Why it is there but cannot be read as text. */
  readonly fault?: string;
}

export interface ConfigProblem {
  /** Short form, for people. */
  readonly file: string;
  /** 1-based. */
  readonly line: number;
  readonly column: number;
  readonly reason: string;
  /** The copy whose settings are in force instead; undefined when the defaults are. */
  readonly served: string | undefined;
}

/** Never throws: a file that cannot be read is a fault of the source. */
export function readSource(path: string): ConfigSource {
  let bytes: Buffer;
  try {
    bytes = readFileSync(path);
  } catch (error) {
    const code = errorCode(error);
    if (code === 'ENOENT' || code === 'ENOTDIR') return { path, text: undefined };
    return { path, text: '', fault: errorText(error) };
  }
  try {
    return { path, text: new TextDecoder('utf-8', { fatal: true, ignoreBOM: false }).decode(bytes) };
  } catch {
    return { path, text: bytes.toString('latin1'), fault: 'it is not UTF-8 text' };
  }
}

/** One sentence and what to do. */
export function problemText(problem: ConfigProblem): string {
  const instead = problem.served
    ? `The settings of ${problem.served} are used until it is mended (hermes config edit).`
    : 'Its settings are not in force until it is mended (hermes config edit).';
  return `${problem.file} cannot be read, line ${problem.line}, column ${problem.column}: ${problem.reason}. ${instead}`;
}
