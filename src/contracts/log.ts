/** Where the program writes down what it does. A line passes the secret redactor before it reaches a file. */
export type LogLevel = 'debug' | 'info' | 'warn' | 'error';

/** Part of the program a line comes from; the filter of `hermes logs --component`. */
export type LogComponent = 'agent' | 'cli' | 'cron' | 'gateway' | 'gui' | 'tools' | (string & {});

export interface Log {
  debug(component: LogComponent, message: string, sessionId?: string): void;
  info(component: LogComponent, message: string, sessionId?: string): void;
  warn(component: LogComponent, message: string, sessionId?: string): void;
  error(component: LogComponent, message: string, sessionId?: string): void;
}
