import { PassThrough } from 'node:stream';
import { describe, expect, it } from 'vitest';
import type { Question } from '../contracts/turn.ts';
import { askOnTerminal, choice } from './ask-terminal.ts';

const approval: Question = {
  kind: 'approval',
  tool: 'terminal',
  action: 'rm -rf build',
  risks: [{ id: 'rm', why: 'deletes files' }],
  choices: ['once', 'session', 'deny'],
};

function terminal() {
  const stdin = new PassThrough();
  const stderr = new PassThrough();
  let shown = '';
  stderr.on('data', (chunk) => {
    shown += String(chunk);
  });
  const stopping = new AbortController();
  const asked = async () => {
    while (!shown.endsWith(': ') && !shown.endsWith('> ')) await new Promise((resolve) => setTimeout(resolve, 2));
  };
  return { ctx: { stdin, stderr, signal: stopping.signal }, shown: () => shown, stopping, asked };
}

describe('askOnTerminal', () => {
  it('shows the whole command and takes the answer', async () => {
    const { ctx, shown, asked } = terminal();
    const answer = askOnTerminal(approval, ctx);
    await asked();
    ctx.stdin.write('s\n');
    expect(await answer).toBe('session');
    expect(shown()).toContain('deletes files');
    expect(shown()).toContain('rm -rf build');
  });

  it('KF-166 what was typed before the question is no answer to it', async () => {
    const { ctx, asked } = terminal();
    ctx.stdin.write('o\n');
    const answer = askOnTerminal(approval, ctx);
    await asked();
    ctx.stdin.write('d\n');
    expect(await answer).toBe('deny');
  });

  it('KF-168 free text is no yes, and neither is a choice that is not offered', () => {
    const allowed = ['once', 'session', 'deny'] as const;
    expect(['o', 'ONCE', 'y', 'yes', 'session'].map((text) => choice(text, allowed))).toEqual([
      'once',
      'once',
      'once',
      'once',
      'session',
    ]);
    for (const text of ['', 'yes, once the backup is done', 'a', 'always', 'n', 'ok'])
      expect(choice(text, allowed)).toBe('deny');
  });

  it('no answer in time, an end of input and a stop are a no', async () => {
    expect(await askOnTerminal(approval, terminal().ctx, 20)).toBe('deny');
    const closed = terminal();
    const answer = askOnTerminal(approval, closed.ctx);
    closed.ctx.stdin.end();
    expect(await answer).toBe('deny');
    const stopped = terminal();
    const other = askOnTerminal({ kind: 'clarify', prompt: 'Which?', options: [] }, stopped.ctx);
    stopped.stopping.abort();
    expect(await other).toBeUndefined();
  });

  it('takes an option by number or free text, and never echoes a secret', async () => {
    const clarify: Question = { kind: 'clarify', prompt: 'Which?', options: ['tea', 'coffee'] };
    for (const [typed, meant] of [
      ['2', 'coffee'],
      ['water', 'water'],
    ]) {
      const { ctx, asked } = terminal();
      const answer = askOnTerminal(clarify, ctx);
      await asked();
      ctx.stdin.write(`${typed}\n`);
      expect(await answer).toBe(meant);
    }
    const { ctx, asked, shown } = terminal();
    const answer = askOnTerminal({ kind: 'secret', name: 'KEY', prompt: 'Key' }, ctx);
    await asked();
    ctx.stdin.write('hunter2\n');
    expect(await answer).toBe('hunter2');
    expect(shown()).not.toContain('hunter');
  });
});
