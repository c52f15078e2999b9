/**
 * Runs Hermes as a real child process with a home of its own: the built `dist/` when it is newer than every source,
 * else the sources. No terminal is attached. Nothing of the caller's environment but the PATH is passed on.
 */
import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = join(dirname(fileURLToPath(import.meta.url)), '..', '..');

export interface RunOptions {
  /** Added to a bare environment; `undefined` takes a variable out. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** Written to standard input, which then ends. */
  readonly input?: string | Buffer;
  /** Without `input`: the null device (default), or a pipe that is never written to nor ended. */
  readonly stdin?: 'none' | 'open';
  /** `HERMES_HOME`; a new empty folder when absent. */
  readonly home?: string;
  readonly cwd?: string;
  /** Sent as `kill` when the text appears on either output. */
  readonly signalOn?: { readonly text: string; readonly signal: NodeJS.Signals };
  /** The run is killed after that. Default 25 s. */
  readonly timeoutMs?: number;
  readonly entry?: 'dist' | 'sources';
}

export interface HermesRun {
  /** Null when a signal ended the process. */
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
  readonly home: string;
  readonly durationMs: number;
  /** From the first byte on standard output to the end of the process; undefined when there was none. */
  readonly afterOutputMs: number | undefined;
}

export interface RunningHermes {
  readonly process: ChildProcessWithoutNullStreams;
  readonly home: string;
  readonly done: Promise<HermesRun>;
  /** Resolves when the text has appeared on either output; rejects when the process ends without it. */
  sees(text: string): Promise<void>;
}

export function tempHome(): string {
  return mkdtempSync(join(tmpdir(), 'hermes-home-'));
}

/** A home whose default model is the scripted server at `baseUrl` (`<url>/v1`). `more` is further YAML. */
export function homeWithModel(baseUrl: string, more = ''): string {
  const home = tempHome();
  mkdirSync(home, { recursive: true });
  writeFileSync(
    join(home, 'config.yaml'),
    `model:\n  provider: custom\n  base_url: ${baseUrl}\n  default: mock-model\n  context_length: 131072\n${more}`,
    { mode: 0o600 },
  );
  return home;
}

/** The command and first arguments that start Hermes: for tests that put it into a shell's pipeline. */
export function hermesCommand(entry?: RunOptions['entry']): readonly string[] {
  const given = process.env.HERMES_TEST_ENTRY; // a build somewhere else
  if (given !== undefined && entry === undefined) return [process.execPath, given];
  const built = (entry ?? (freshDist() ? 'dist' : 'sources')) === 'dist';
  return [process.execPath, built ? join(root, 'dist', 'hermes.js') : join(root, 'src', 'main.ts')];
}

export function bareEnv(home: string, more: RunOptions['env'] = {}): Record<string, string> {
  const env = { PATH: process.env.PATH, HOME: home, HERMES_HOME: home, TMPDIR: tmpdir(), LANG: 'C.UTF-8', ...more };
  return Object.fromEntries(
    Object.entries(env).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  );
}

export function startHermes(args: readonly string[], options: RunOptions = {}): RunningHermes {
  const home = options.home ?? tempHome();
  const [command = '', ...before] = hermesCommand(options.entry);
  const piped = options.input !== undefined || options.stdin === 'open';
  const startedAt = performance.now();
  const child = spawn(command, [...before, ...args], {
    cwd: options.cwd ?? home,
    env: bareEnv(home, options.env),
    stdio: [piped ? 'pipe' : 'ignore', 'pipe', 'pipe'],
    timeout: options.timeoutMs ?? 25_000,
    killSignal: 'SIGKILL',
  }) as ChildProcessWithoutNullStreams; // stdin is null only where nothing below touches it
  if (options.input !== undefined) child.stdin.on('error', () => {}).end(options.input); // may end before it reads

  const out = { stdout: '', stderr: '' };
  let firstOutputAt: number | undefined;
  const watchers = new Set<() => void>();
  for (const name of ['stdout', 'stderr'] as const)
    child[name].setEncoding('utf8').on('data', (text: string) => {
      if (name === 'stdout') firstOutputAt ??= performance.now();
      out[name] += text;
      for (const watch of watchers) watch();
    });

  const done = new Promise<HermesRun>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code, signal) => {
      const endedAt = performance.now();
      const afterOutputMs = firstOutputAt === undefined ? undefined : endedAt - firstOutputAt;
      resolve({ code, signal, ...out, home, durationMs: endedAt - startedAt, afterOutputMs });
      for (const watch of watchers) watch();
    });
  });
  const sees = (text: string) =>
    new Promise<void>((resolve, reject) => {
      const check = () => {
        const seen = out.stdout.includes(text) || out.stderr.includes(text);
        if (seen) resolve();
        else if (child.exitCode !== null || child.signalCode !== null)
          reject(new Error(`Hermes ended without ${JSON.stringify(text)}: ${out.stdout}${out.stderr}`));
        if (seen) watchers.delete(check);
      };
      watchers.add(check);
      check();
    });
  const { signalOn } = options;
  if (signalOn !== undefined)
    sees(signalOn.text).then(
      () => child.kill(signalOn.signal),
      () => {},
    );
  return { process: child, home, done, sees };
}

export function runHermes(args: readonly string[], options: RunOptions = {}): Promise<HermesRun> {
  return startHermes(args, options).done;
}

let fresh: boolean | undefined;
function freshDist(): boolean {
  const built = statSync(join(root, 'dist', '.built'), { throwIfNoEntry: false });
  fresh ??= built !== undefined && built.mtimeMs > newest(join(root, 'src'));
  return fresh;
}

function newest(folder: string): number {
  let time = 0;
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    time = Math.max(time, entry.isDirectory() ? newest(path) : statSync(path).mtimeMs);
  }
  return time;
}
