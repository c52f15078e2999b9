/**
 * `agent.log` and `errors.log`. Lines are written at once, so none is lost in a crash; the file opens with the first
 * line and is opened anew when it was moved away from outside.
 */
import { appendFileSync, mkdirSync, renameSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { Log, LogComponent, LogLevel } from '../contracts/log.ts';

export interface FileLogOptions {
  /** Absolute path of the folder; made when the first line comes. */
  readonly folder: string;
  /** Takes secrets out of a line. */
  redact(text: string): string;
  /** Lowest level that is written. */
  readonly level?: LogLevel;
  now?(): Date;
}

interface LogFile {
  readonly name: string;
  readonly from: LogLevel;
  readonly maxBytes: number;
  readonly backups: number;
}

const LEVELS: readonly LogLevel[] = ['debug', 'info', 'warn', 'error'];
const NAMES: Readonly<Record<LogLevel, string>> = { debug: 'DEBUG', info: 'INFO', warn: 'WARNING', error: 'ERROR' };
const FILES: readonly LogFile[] = [
  { name: 'agent.log', from: 'debug', maxBytes: 5 * 1024 * 1024, backups: 3 },
  { name: 'errors.log', from: 'warn', maxBytes: 2 * 1024 * 1024, backups: 2 },
];

/** Never throws: a log that cannot be written must not stop the work it tells of. */
export function createFileLog(options: FileLogOptions): Log {
  const lowest = LEVELS.indexOf(options.level ?? 'info');
  const write = (level: LogLevel) => (component: LogComponent, message: string, sessionId?: string) => {
    if (LEVELS.indexOf(level) < lowest) return;
    const line = options.redact(logLine((options.now ?? (() => new Date()))(), level, component, message, sessionId));
    for (const file of FILES)
      if (LEVELS.indexOf(level) >= LEVELS.indexOf(file.from)) append(options.folder, file, line);
  };
  return { debug: write('debug'), info: write('info'), warn: write('warn'), error: write('error') };
}

/** `2026-07-14 09:30:00,123 INFO [session] component: message`; the session part only when there is one. */
function logLine(at: Date, level: LogLevel, component: string, message: string, sessionId?: string): string {
  const two = (value: number) => String(value).padStart(2, '0');
  const day = `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())}`;
  const time = `${two(at.getHours())}:${two(at.getMinutes())}:${two(at.getSeconds())},${String(at.getMilliseconds()).padStart(3, '0')}`;
  const session = sessionId === undefined ? '' : `[${sessionId}] `;
  return `${day} ${time} ${NAMES[level]} ${session}${component}: ${message.trimEnd()}\n`;
}

function append(folder: string, file: LogFile, line: string): void {
  const path = join(folder, file.name);
  try {
    if ((statSync(path, { throwIfNoEntry: false })?.size ?? 0) + line.length > file.maxBytes)
      rotate(path, file.backups);
    appendFileSync(path, line, { mode: 0o600 });
  } catch (error) {
    if (!isMissing(error)) return;
    try {
      mkdirSync(folder, { mode: 0o700 }); // a home that is not there is not made for a log's sake
      appendFileSync(path, line, { mode: 0o600 });
    } catch {
      // a read-only or full disk: the line is lost, the work goes on
    }
  }
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ENOENT';
}

/** `agent.log` becomes `agent.log.1`, and so on; the oldest goes. */
function rotate(path: string, backups: number): void {
  rmSync(`${path}.${backups}`, { force: true });
  for (let index = backups - 1; index >= 0; index--) {
    const from = index === 0 ? path : `${path}.${index}`;
    if (statSync(from, { throwIfNoEntry: false }) !== undefined) renameSync(from, `${path}.${index + 1}`);
  }
}
