/** Tokens printed by a command of the user's, kept until shortly before they expire. */
import { AppError } from '../lib/errors.ts';
import type { Env } from './http/http-fetch.ts';

const COMMAND_TIMEOUT_MS = 30_000;
const EARLY_MS = 60_000;
const DEFAULT_LIFE_MS = 10 * 60_000;

/** @returns the token; @throws AppError `model-key-command` when the command fails or prints none */
export function createKeyCommand(command: string, env: Env, now: () => number = Date.now): () => Promise<string> {
  let held: { token: string; until: number } | undefined;
  return async () => {
    if (held !== undefined && now() < held.until) return held.token;
    const { token, lifeMs } = readToken(await run(command, env), command);
    held = { token, until: now() + Math.max(0, lifeMs - EARLY_MS) };
    return token;
  };
}

async function run(command: string, env: Env): Promise<string> {
  const { exec } = await import('node:child_process');
  return new Promise((resolve, reject) => {
    exec(command, { env: { ...env }, timeout: COMMAND_TIMEOUT_MS, windowsHide: true }, (error, stdout) => {
      if (error === null) resolve(stdout);
      else reject(broken(command, `ended with ${error.code ?? error.signal ?? 'an error'}`));
    });
  });
}

function readToken(output: string, command: string): { token: string; lifeMs: number } {
  const text = output.trim();
  if (text.startsWith('{')) {
    const parsed = parse(text);
    const token = parsed?.access_token ?? parsed?.token;
    const seconds = Number(parsed?.expires_in);
    if (typeof token === 'string' && token !== '')
      return { token, lifeMs: seconds > 0 ? seconds * 1000 : DEFAULT_LIFE_MS };
  } else if (text !== '' && !/\s/.test(text)) return { token: text, lifeMs: DEFAULT_LIFE_MS };
  throw broken(command, 'printed no token');
}

function parse(text: string): Record<string, unknown> | undefined {
  try {
    return JSON.parse(text) as Record<string, unknown>;
  } catch {
    return undefined; // reported as no token
  }
}

const broken = (command: string, how: string): AppError =>
  new AppError('model-key-command', `The key command \`${command.split(/\s+/)[0] ?? command}\` ${how}.`, {
    hint: 'Run it by hand, and correct `key_cmd` in config.yaml.',
  });
