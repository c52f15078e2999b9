/** What a user adds to every request beside the frozen prompt: an extra instruction, and opening messages from a file. */
import { readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { resolve } from 'node:path';
import type { Overlay, PrefillMessage } from '../agent/overlay.ts';
import type { Home } from '../config/home.ts';
import type { Config } from '../config/schema.ts';
import { errorText } from '../lib/errors.ts';

/** @param notices gets a sentence when the file cannot be used; the session then goes on without it */
export function readOverlay(
  home: Home,
  env: Readonly<Record<string, string | undefined>>,
  config: Config,
  notices: string[],
): Overlay {
  const file = env.HERMES_PREFILL_MESSAGES_FILE ?? config.prefill_messages_file;
  return {
    system: env.HERMES_EPHEMERAL_SYSTEM_PROMPT ?? '',
    prefill: file === '' ? [] : readPrefill(resolve(home.dir, file.replace(/^~(?=\/)/, homedir())), notices),
  };
}

function readPrefill(path: string, notices: string[]): readonly PrefillMessage[] {
  try {
    const value: unknown = JSON.parse(readFileSync(path, 'utf8'));
    if (Array.isArray(value) && value.every(isPrefill)) return value;
    notices.push(`${path} was left out: it must be a JSON list of {"role": "user" or "assistant", "content": "text"}.`);
  } catch (error) {
    notices.push(`${path} was left out: ${errorText(error)}`);
  }
  return [];
}

function isPrefill(value: unknown): value is PrefillMessage {
  if (typeof value !== 'object' || value === null || !('role' in value) || !('content' in value)) return false;
  return (value.role === 'user' || value.role === 'assistant') && typeof value.content === 'string';
}
