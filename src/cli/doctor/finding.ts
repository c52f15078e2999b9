/** What a check found. A check never throws: what it cannot find out is a finding too. */
import type { Home } from '../../config/home.ts';
import type { CliContext } from '../context.ts';
import type { OpenApp } from '../with-app.ts';

export interface Finding {
  readonly mark: 'ok' | 'warn' | 'bad';
  readonly text: string;
  /** The command that mends it. */
  readonly mend?: string;
  /** What `--fix` does; resolves with one sentence about what was done. */
  readonly fix?: () => Promise<string>;
}

export interface CheckContext {
  readonly cli: CliContext;
  readonly home: Home;
  readonly openApp: OpenApp;
  /** Real calls are wanted. */
  readonly live: boolean;
}

export interface Check {
  readonly title: string;
  run(context: CheckContext): Promise<readonly Finding[]>;
}

export const ok = (text: string): Finding => ({ mark: 'ok', text });
export const warn = (text: string, more: Omit<Finding, 'mark' | 'text'> = {}): Finding => ({
  mark: 'warn',
  text,
  ...more,
});
export const bad = (text: string, more: Omit<Finding, 'mark' | 'text'> = {}): Finding => ({
  mark: 'bad',
  text,
  ...more,
});
