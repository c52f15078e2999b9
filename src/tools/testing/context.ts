/** A turn's surroundings for tests of tools. */
import type { AnswerTo, Question } from '../../contracts/turn.ts';
import type { ToolContext } from '../tool.ts';

export interface TestContextOptions {
  readonly cwd?: string;
  readonly sessionId?: string;
  readonly signal?: AbortSignal;
  readonly interactive?: boolean;
  readonly answer?: (question: Question) => Promise<string | undefined> | string | undefined;
}

export function testContext(options: TestContextOptions = {}): ToolContext {
  return {
    session: {
      id: options.sessionId ?? 's1',
      source: 'cli',
      profile: 'default',
      cwd: options.cwd ?? '/',
      door: { interactive: options.interactive ?? true, markdown: 'full', images: false, edits: 'apply' },
    },
    io: {
      emit() {},
      ask: async <Q extends Question>(question: Q) => (await options.answer?.(question)) as AnswerTo<Q>,
      signal: options.signal ?? new AbortController().signal,
    },
    callId: 'call_1',
    progress() {},
  };
}
