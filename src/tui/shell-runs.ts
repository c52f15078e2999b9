/** The `!commands` that run now. */
import { describeError } from '../lib/errors.ts';
import { ShellBlock } from './blocks/shell-block.ts';
import { runShell } from './shell.ts';
import type { Theme } from './theme.ts';
import type { Transcript } from './turn-view.ts';

export interface ShellRuns {
  run(command: string, cwd: string): Promise<void>;
  /** False when none ran. */
  stop(): boolean;
}

export interface ShellRunsOptions {
  readonly transcript: Transcript;
  readonly theme: Theme;
  readonly env: Readonly<Record<string, string | undefined>>;
  redraw(): void;
  /** '' when the command may run, else why not. */
  refusal(command: string, cwd: string, signal: AbortSignal): Promise<string>;
}

export function createShellRuns({ transcript, theme, env, redraw, refusal }: ShellRunsOptions): ShellRuns {
  const running = new Set<AbortController>();
  return {
    async run(command, cwd) {
      const block = new ShellBlock(command, theme);
      transcript.append(block, true);
      const abort = new AbortController();
      running.add(abort);
      const onOutput = (text: string) => {
        block.append(text);
        redraw();
      };
      try {
        const refused = await refusal(command, cwd, abort.signal);
        if (refused !== '') {
          block.end(`! not run: ${refused}`);
          return;
        }
        const code = await runShell(command, { cwd, env, signal: abort.signal, onOutput });
        block.end(code === 0 ? '' : `! exited ${code}`);
      } catch (error) {
        block.end(`! ${describeError(error)}`);
      } finally {
        running.delete(abort);
        redraw();
      }
    },
    stop() {
      for (const abort of running) abort.abort();
      return running.size > 0;
    },
  };
}
