/** What the file tools are handed. */
import { extname } from 'node:path';
import type { SessionRef } from '../../contracts/turn.ts';
import type { FileGuard } from './guard.ts';
import type { FileLedger } from './ledger.ts';
import { resolvePath } from './paths.ts';

export interface FileDeps {
  readonly guard: FileGuard;
  readonly ledger: FileLedger;
  /** Absolute. */
  readonly userHome: string;
  readonly redact: (text: string, options?: { readonly kind?: 'text' | 'code' }) => string;
  /** Where the session's shell stands now; its start folder when absent. */
  readonly cwdOf?: (session: SessionRef) => string;
  /** Characters of one read. Default 100,000. */
  readonly maxReadChars?: number;
}

const CODE =
  /^\.(c|cc|cpp|cs|css|cts|cxx|dart|ex|exs|go|h|hpp|hs|html|java|js|jsx|kt|lua|m|mjs|mts|php|pl|py|r|rb|rs|scala|scss|sh|sql|svelte|swift|ts|tsx|vue|zig)$/i;

/** Secrets masked for showing; source code keeps its `token = ...` lines. */
export function maskFor(deps: FileDeps, path: string, text: string): string {
  return deps.redact(text, { kind: CODE.test(extname(path)) ? 'code' : 'text' });
}

export function absolutePath(deps: FileDeps, session: SessionRef, given: string): string {
  return resolvePath(given, workingFolder(deps, session), deps.userHome);
}

export function workingFolder(deps: FileDeps, session: SessionRef): string {
  return deps.cwdOf?.(session) ?? session.cwd;
}
