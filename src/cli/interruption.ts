/** Why a run was stopped from outside; the abort reason of `CliContext.signal`. */
export class Interruption extends Error {
  override readonly name = 'Interruption';
  readonly exitCode: number;

  constructor(message: string, exitCode: number) {
    super(message);
    this.exitCode = exitCode;
  }
}

/** Exit codes of a shell: 128 and the signal's number. */
const SIGNAL_CODES = { SIGHUP: 129, SIGINT: 130, SIGTERM: 143 } as const;

export type StopSignal = keyof typeof SIGNAL_CODES;
export const stopSignals = Object.keys(SIGNAL_CODES) as readonly StopSignal[];

export function interruptedBy(signal: StopSignal): Interruption {
  return new Interruption(`Stopped by ${signal}.`, SIGNAL_CODES[signal]);
}

/** Whoever read the output has gone (`| head -1`): not a failure. */
export function outputClosed(): Interruption {
  return new Interruption('Nobody reads the output any more.', 0);
}

/** The code that an interrupted run ends with; undefined while nothing interrupted it. */
export function interruptionCode(signal: AbortSignal): number | undefined {
  if (!signal.aborted) return undefined;
  return signal.reason instanceof Interruption ? signal.reason.exitCode : 130;
}
