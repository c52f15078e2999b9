/** The same conversation where nothing can be drawn: lines in, plain text out. */
import { createInterface } from 'node:readline';
import type { App } from '../app.ts';
import type { AgentEvent, AnswerTo, Question, SessionRef } from '../contracts/turn.ts';
import { describeError } from '../lib/errors.ts';
import { appOptions, type TuiOptions, type TuiStreams } from './options.ts';
import { visibleLine, visibleText } from './sanitize.ts';

/** Each line is a message; nobody can be asked, so what needs approval is denied. */
export async function runPlain(options: TuiOptions, streams: TuiStreams): Promise<number> {
  const app = await options.openApp(appOptions(options, streams, false));
  try {
    for (const warning of app.warnings) streams.stderr.write(`${visibleLine(warning)}\n`);
    let session =
      options.resume === undefined ? app.newSession(options.cwd) : (await app.resumeSession(options.resume)).session;
    let failed = false;
    for await (const line of lines(options, streams)) {
      if (line.trim() === '') continue;
      const result = await turn(app, session, line, streams);
      session = { ...session, id: result.sessionId };
      failed = result.failed;
      if (streams.signal.aborted) break;
    }
    return streams.signal.aborted ? 130 : failed ? 1 : 0;
  } finally {
    await app.close();
  }
}

async function* lines(options: TuiOptions, streams: TuiStreams): AsyncIterable<string> {
  if (options.initialPrompt !== undefined) yield options.initialPrompt;
  yield* createInterface({ input: streams.stdin, terminal: false, signal: streams.signal });
}

async function turn(app: App, session: SessionRef, text: string, streams: TuiStreams) {
  let printed = '';
  const emit = (event: AgentEvent) => {
    if (event.type === 'text_delta') printed += event.text;
    if (event.type === 'toolcall_end') {
      streams.stderr.write(`┊ ${event.result.ok ? '' : '✗ '}${visibleLine(event.call.summary)}\n`);
    }
    if (event.type === 'status') streams.stderr.write(`· ${visibleLine(event.text)}\n`);
  };
  try {
    const result = await app.agent.run(
      session,
      { content: [{ type: 'text', text: text.toWellFormed() }] },
      { emit, signal: streams.signal, ask: async (question) => policy(question) },
    );
    const answer = result.text.trim() === '' ? printed : result.text;
    if (answer.trim() !== '') streams.stdout.write(`${visibleText(answer).trimEnd()}\n`);
    const problem = result.error ?? (answer.trim() === '' ? { message: 'The model gave no answer.' } : undefined);
    if (problem !== undefined) streams.stderr.write(`${visibleLine(problem.message)}\n`);
    return { sessionId: result.sessionId, failed: problem !== undefined };
  } catch (error) {
    streams.stderr.write(`${describeError(error)}\n`);
    return { sessionId: session.id, failed: true };
  }
}

function policy<Q extends Question>(question: Q): AnswerTo<Q> {
  return (question.kind === 'approval' ? 'deny' : undefined) as AnswerTo<Q>; // nobody sits here
}
