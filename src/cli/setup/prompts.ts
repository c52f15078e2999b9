/** The questions a wizard can ask. An interface, so that a test can answer them. */
import { AppError } from '../../lib/errors.ts';
import type { CliContext } from '../context.ts';

export interface PromptOption<T> {
  readonly value: T;
  readonly label: string;
  readonly hint?: string;
}

/** Every question rejects with AppError `cancelled` when the person leaves. */
export interface Prompts {
  say(text: string): void;
  warn(text: string): void;
  /** With many options the person can type to narrow them down. */
  choose<T extends string>(message: string, options: readonly PromptOption<T>[], initial?: T): Promise<T>;
  text(
    message: string,
    options?: { readonly initial?: string; check?(text: string): string | undefined },
  ): Promise<string>;
  /** Never shown while it is typed, '' when left empty. */
  secret(message: string): Promise<string>;
  /** Shows that something is under way. */
  during<T>(message: string, work: () => Promise<T>): Promise<T>;
}

const MANY = 12;

export async function createTerminalPrompts(ctx: CliContext): Promise<Prompts> {
  const clack = await import('@clack/prompts');
  const common = { input: ctx.stdin, output: ctx.stderr, signal: ctx.signal };
  const answered = async <T>(answer: Promise<T | typeof clack.CANCEL_SYMBOL>): Promise<T> => {
    const value = await answer;
    if (value === clack.CANCEL_SYMBOL)
      throw new AppError('cancelled', 'Stopped; what was already saved stays.', { exitCode: 130 });
    return value as T;
  };
  return {
    say: (text) => clack.log.message(text, { output: ctx.stderr }),
    warn: (text) => clack.log.warn(text, { output: ctx.stderr }),
    choose<T extends string>(message: string, options: readonly PromptOption<T>[], initial?: T): Promise<T> {
      const list = options.map(({ value, label, hint }) => ({ value, label, ...(hint === undefined ? {} : { hint }) }));
      const question = { ...common, message, options: list as never, maxItems: MANY, initialValue: initial };
      return answered<T>(options.length > MANY ? clack.autocomplete<T>(question) : clack.select<T>(question));
    },
    text: (message, { initial, check } = {}) =>
      answered<string>(
        clack.text({ ...common, message, initialValue: initial, validate: (value) => check?.(value ?? '') }),
      ),
    secret: async (message) => ((await answered<string>(clack.password({ ...common, message }))) ?? '').trim(),
    async during(message, work) {
      const spinner = clack.spinner({ output: ctx.stderr });
      spinner.start(message);
      try {
        const result = await work();
        spinner.stop(message);
        return result;
      } catch (error) {
        spinner.error(message);
        throw error;
      }
    },
  };
}
