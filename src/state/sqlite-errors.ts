/** SQLite and file system failures, recognised by result code, told as one sentence for a person. */
import { statfsSync } from 'node:fs';
import { dirname } from 'node:path';
import { AppError, errorCode, errorText } from '../lib/errors.ts';

/** Primary result codes (https://sqlite.org/rescode.html). */
const ERROR = 1;
const BUSY = 5;
const LOCKED = 6;
const READONLY = 8;
const IOERR = 10;
const CORRUPT = 11;
const FULL = 13;
const CANTOPEN = 14;
const PERM = 3;
const NOTADB = 26;
/** Extended codes. */
const CORRUPT_VTAB = 267;
const CONSTRAINT_FOREIGN_KEY = 787;
/** What a database needs beside itself to be opened at all. */
const FULL_BELOW_BYTES = 64 * 1024;

function resultCode(error: unknown): number | undefined {
  if (typeof error !== 'object' || error === null || !('errcode' in error)) return undefined;
  return typeof error.errcode === 'number' ? error.errcode : undefined;
}

function primaryCode(error: unknown): number | undefined {
  const code = resultCode(error);
  return code === undefined ? undefined : code & 0xff;
}

/** Another connection holds a lock: worth another try. */
export function isContention(error: unknown): boolean {
  const code = primaryCode(error);
  return code === BUSY || code === LOCKED;
}

/** Only a search index is damaged or missing; the messages are sound. */
export function isIndexDamage(error: unknown): boolean {
  const code = resultCode(error);
  // SQLite has no code of its own for a trigger whose table is gone.
  return code === CORRUPT_VTAB || (code === ERROR && /\bmessages_fts/.test(errorText(error)));
}

export function isForeignKeyViolation(error: unknown): boolean {
  return resultCode(error) === CONSTRAINT_FOREIGN_KEY;
}

/** A statement that cannot be compiled: its syntax, or a table or column that is not there. */
export function isStatementError(error: unknown): boolean {
  return resultCode(error) === ERROR;
}

export function isSqliteError(error: unknown): boolean {
  return resultCode(error) !== undefined;
}

/** @returns an AppError for what is wrong with the database file; anything else comes back as it is */
export function toStateError(error: unknown, path: string): unknown {
  if (error instanceof AppError) return error;
  switch (primaryCode(error)) {
    case BUSY:
    case LOCKED:
      return stateError('database-locked', `Another process is holding the session database ${path}.`, error, {
        hint: 'Wait for it to finish, or end the other Hermes process, and try again.',
      });
    case CORRUPT:
    case NOTADB:
      return stateError('database-corrupt', `The session database ${path} is damaged and cannot be read.`, error, {
        hint: 'Run `hermes doctor --fix` to keep it aside and recover what can be read, or restore a backup of the file.',
      });
    case FULL:
      return diskFull(error, path);
    case READONLY:
    case CANTOPEN:
    case PERM:
      return unwritable(error, path);
    case IOERR:
      // A full disk often shows itself so: the shared memory beside the file cannot grow.
      if (isFull(path)) return diskFull(error, path);
      return stateError('database-io', `Reading or writing the session database ${path} failed.`, error, {
        hint: 'Check that the disk is connected and healthy.',
      });
    case undefined:
      return toFileError(error, path);
    default:
      return stateError(
        'database-failed',
        `The session database ${path} refused a statement: ${errorText(error)}.`,
        error,
        {
          hint: 'Run `hermes doctor` to check it.',
        },
      );
  }
}

function toFileError(error: unknown, path: string): unknown {
  switch (errorCode(error)) {
    case 'EACCES':
    case 'EPERM':
    case 'EROFS':
    case 'ENOTDIR':
    case 'EEXIST':
      return unwritable(error, path);
    case 'ENOSPC':
    case 'EDQUOT':
      return diskFull(error, path);
    case 'ERR_INVALID_STATE':
      return stateError('database-closed', `The session database ${path} is already closed.`, error, {
        hint: 'Start Hermes again.',
      });
    default:
      return error;
  }
}

function isFull(path: string): boolean {
  try {
    const { bavail, bsize } = statfsSync(dirname(path));
    return bavail * bsize < FULL_BELOW_BYTES;
  } catch {
    return false; // a disk that cannot be asked has another trouble
  }
}

function unwritable(cause: unknown, path: string): AppError {
  return stateError('database-unwritable', `The session database ${path} cannot be opened for writing.`, cause, {
    hint: `Check the owner and permissions of the file and of ${dirname(path)}.`,
  });
}

function diskFull(cause: unknown, path: string): AppError {
  return stateError('disk-full', `The disk that holds the session database ${path} is full.`, cause, {
    hint: 'Free some space and try again; nothing already stored was lost.',
  });
}

function stateError(code: string, message: string, cause: unknown, options: { hint: string }): AppError {
  return new AppError(code, message, { ...options, cause });
}
