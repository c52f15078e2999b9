/** The configuration's words about commands, as the terminal room takes them. */
import { existsSync, mkdirSync } from 'node:fs';
import { homedir } from 'node:os';
import { resolve } from 'node:path';
import type { EnvOrigin } from '../config/environment.ts';
import type { Environment, Home } from '../config/home.ts';
import type { Config } from '../config/schema.ts';
import type { SessionRef } from '../contracts/turn.ts';
import { childEnv } from '../terminal/child-env.ts';
import type { LocalBackendOptions } from '../terminal/local.ts';

export interface TerminalSettings {
  readonly backend: LocalBackendOptions;
  /** Why no command may run; undefined when commands run on this machine. */
  readonly unavailable: string | undefined;
  readonly warnings: readonly string[];
}

export function terminalSettings({ terminal }: Config, home: Home): TerminalSettings {
  const initFiles = terminal.shell_init_files.map((file) => absolute(file, home));
  const missing = initFiles.filter((file) => !existsSync(file));
  const place = placeOf(terminal);
  return {
    backend: {
      graceMs: terminal.daemon_term_grace_seconds * 1000,
      initFiles,
      ...(terminal.temp_dir !== '' && { tmpDir: absolute(terminal.temp_dir, home) }),
    },
    unavailable: place.unavailable,
    warnings: [
      ...place.warnings,
      ...missing.map((file) => `terminal.shell_init_files: there is no file ${home.display(file)}.`),
    ],
  };
}

/** Somebody who keeps commands off this machine must not find them running here. */
function placeOf({ backend, degraded_mode: degraded }: Config['terminal']): Omit<TerminalSettings, 'backend'> {
  if (backend === 'local') return { unavailable: undefined, warnings: [] };
  const absent = `terminal.backend is ${backend}, which this version does not have`;
  if (degraded === 'local') return { unavailable: undefined, warnings: [`${absent}: commands run on this machine.`] };
  const mend = 'hermes config set terminal.backend local';
  return {
    unavailable: `${absent} (${mend})`,
    warnings: [`${absent}: no command is run, and files are those of this machine. To run commands here: ${mend}.`],
  };
}

export interface CommandEnvParts {
  readonly home: Home;
  /** Files and shell together. */
  readonly env: Environment;
  /** The shell's alone. */
  readonly shell: Environment;
  origin(name: string): EnvOrigin | undefined;
  readonly config: Config;
}

/** Without these no command reaches the network, wherever they are set. */
const NETWORK = /^(?:HTTPS?_PROXY|ALL_PROXY|NO_PROXY|SSL_CERT_FILE|SSL_CERT_DIR|NODE_EXTRA_CA_CERTS)$/i;

/**
 * The environment of a session's commands. The home's `.env` is for Hermes: commands see what the shell holds
 * instead, unless a name is passed through.
 */
export function createCommandEnv(parts: CommandEnvParts): (session: SessionRef) => Readonly<Record<string, string>> {
  const { home, env, shell, config } = parts;
  const { env_passthrough: passthrough, temp_dir: tempDir, home_mode: homeMode } = config.terminal;
  const own = Object.keys(env).filter(
    (name) => parts.origin(name) === '.env' && !passthrough.includes(name) && !NETWORK.test(name),
  );
  const base = { ...env, ...Object.fromEntries(own.map((name) => [name, shell[name]])) };
  const secretNames = own.filter((name) => !shell[name]);
  const extra: Record<string, string> = {};
  if (tempDir !== '') extra.TMPDIR = absolute(tempDir, home);
  if (homeMode === 'profile') Object.assign(extra, { HOME: home.path('home'), HERMES_REAL_HOME: homedir() });
  let made = homeMode !== 'profile';
  return (session) => {
    if (!made) mkdirSync(home.path('home'), { recursive: true, mode: 0o700 });
    made = true;
    return childEnv({ base, home: home.dir, sessionId: session.id, passthrough, secretNames, extra });
  };
}

function absolute(path: string, home: Home): string {
  return resolve(home.dir, path.replace(/^~(?=\/|$)/, homedir()));
}
