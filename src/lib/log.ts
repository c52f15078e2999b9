/** What a part needs to leave a line in the log file; never a terminal. */
export interface Log {
  /** @param component `agent`, `tools`, `model`, `cli`, `gateway` ... */
  write(level: 'debug' | 'info' | 'warn' | 'error', component: string, message: string): void;
}
