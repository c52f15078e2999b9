import { describe, expect, it } from 'vitest';
import type { AgentEvent, AnswerTo, Question, TurnIO } from '../contracts/turn.ts';
import { type ApprovalOptions, type ApprovalRequest, createApprovals } from './approvals.ts';

type Approval = Question & { kind: 'approval' };

function make(options: Partial<ApprovalOptions> = {}) {
  return createApprovals({
    mode: 'manual',
    yolo: false,
    allowlist: [],
    denyGlobs: [],
    timeoutMs: 5000,
    userHome: '/home/ann',
    remember: async () => {},
    ...options,
  });
}

function request(more: Partial<ApprovalRequest> & { interactive?: boolean; sessionId?: string } = {}): ApprovalRequest {
  const { interactive = true, sessionId = 's', ...rest } = more;
  const door = { interactive, markdown: 'plain', images: false, edits: 'apply' } as const;
  const risk = { id: 'recursive-delete', why: 'deletes files recursively', command: 'rm -rf x', block: false };
  return {
    session: { id: sessionId, source: 'cli', profile: 'default', cwd: '/', door },
    tool: 'terminal',
    action: 'rm -rf x',
    verdict: 'ask',
    risks: [risk],
    commands: ['rm -rf x'],
    ...rest,
  };
}

function door(
  answer: (question: Approval) => Promise<string> | string,
  signal: AbortSignal = new AbortController().signal,
) {
  const asked: Approval[] = [];
  const events: AgentEvent[] = [];
  const io: TurnIO = {
    emit: (event) => events.push(event),
    ask: async <Q extends Question>(question: Q) => {
      asked.push(question as Question as Approval);
      return (await answer(question as Question as Approval)) as AnswerTo<Q>;
    },
    signal,
  };
  return { io, asked, events };
}

const blocked = request({ verdict: 'block', risks: [{ id: 'delete-system', why: 'deletes a system folder' }] });

describe('approvals', () => {
  it('asks with the whole action and its risks, and obeys the answer', async () => {
    const approvals = make();
    const yes = door(() => 'once');
    expect(await approvals.check(request(), yes.io)).toEqual({ allowed: true, asked: true });
    expect(yes.asked).toEqual([
      {
        kind: 'approval',
        tool: 'terminal',
        action: 'rm -rf x',
        risks: [{ id: 'recursive-delete', why: 'deletes files recursively' }],
        choices: ['once', 'session', 'always', 'deny'],
      },
    ]);
    expect(await approvals.check(request(), door(() => 'deny').io)).toMatchObject({ allowed: false });
    expect(await approvals.check(request(), door(() => 'anything else').io)).toMatchObject({ allowed: false });
  });

  it('does not ask about a harmless command', async () => {
    const { io, asked } = door(() => 'deny');
    expect(await make().check(request({ verdict: 'allow', risks: [] }), io)).toEqual({ allowed: true, asked: false });
    expect(asked).toEqual([]);
  });

  it('blocks whatever the mode, and without asking', async () => {
    const { io, asked } = door(() => 'always');
    for (const options of [{ yolo: true }, { mode: 'off' }, { allowlist: ['delete-system', '*'] }] as const) {
      expect(await make(options).check(blocked, io)).toMatchObject({
        allowed: false,
        reason: expect.stringContaining('deletes a system folder'),
      });
    }
    expect(asked).toEqual([]);
  });

  it('holds deny globs under yolo, also for commands inside others and with ~', async () => {
    const approvals = make({ yolo: true, denyGlobs: ['git push *', 'cat ~/secret*'] });
    const { io } = door(() => 'once');
    const check = (action: string, commands: string[]) =>
      approvals.check(request({ verdict: 'allow', risks: [], action, commands }), io);
    expect(await check('cd a && sudo GIT push  x', ['cd a', 'GIT push x'])).toMatchObject({
      allowed: false,
      reason: expect.stringContaining('git push *'),
    });
    expect(await check('cat /home/ann/secret.txt', [])).toMatchObject({ allowed: false });
    expect(await check('git pull', ['git pull'])).toMatchObject({ allowed: true });
    expect(approvals.wantsCommands).toBe(true);
  });

  it('yolo and mode off skip the question; yolo can be switched per session', async () => {
    const { io, asked } = door(() => 'deny');
    expect(await make({ yolo: true }).check(request(), io)).toMatchObject({ allowed: true });
    expect(await make({ mode: 'off' }).check(request(), io)).toMatchObject({ allowed: true });
    const approvals = make();
    approvals.setYolo('s', true);
    expect(await approvals.check(request(), io)).toMatchObject({ allowed: true });
    expect(asked).toEqual([]);
    expect(await approvals.check(request({ sessionId: 'other' }), io)).toMatchObject({ allowed: false });
  });

  it('a session grant covers the class in this session, and moves with it', async () => {
    const approvals = make();
    const { io, asked } = door(() => 'session');
    await approvals.check(request(), io);
    await approvals.check(request({ action: 'rm -rf y' }), io);
    expect(asked).toHaveLength(1);
    await approvals.check(request({ sessionId: 'other' }), io);
    expect(asked).toHaveLength(2);
    approvals.moveSession('s', 't');
    await approvals.check(request({ sessionId: 't' }), io);
    expect(asked).toHaveLength(2);
    const mixed = request({ risks: [...request().risks, { id: 'write-ssh', why: 'changes SSH keys' }] });
    await approvals.check({ ...mixed, session: { ...mixed.session, id: 't' } }, io);
    expect(asked).toHaveLength(3);
  });

  it('always is remembered for every session; a failed save is told and holds for the session', async () => {
    const saved: string[] = [];
    const approvals = make({ remember: async (pattern) => void saved.push(pattern) });
    const { io, asked } = door(() => 'always');
    await approvals.check(request(), io);
    await approvals.check(request({ sessionId: 'other' }), io);
    expect(asked).toHaveLength(1);
    expect(saved).toEqual(['recursive-delete']);
    const broken = door(() => 'always');
    const failing = make({ remember: async () => Promise.reject(new Error('disk full')) });
    expect(await failing.check(request(), broken.io)).toMatchObject({ allowed: true });
    expect(broken.events).toMatchObject([
      { type: 'status', kind: 'warning', text: expect.stringContaining('disk full') },
    ]);
  });

  it('the allowlist takes classes and globs; a glob covers only the risky part it matches', async () => {
    const { io, asked } = door(() => 'deny');
    expect(await make({ allowlist: ['recursive-delete'] }).check(request(), io)).toMatchObject({ allowed: true });
    const approvals = make({ allowlist: ['git push *'] });
    const push = { id: 'git-force-push', why: 'x', command: 'git push -f', block: false };
    expect(await approvals.check(request({ action: 'git push -f', risks: [push] }), io)).toMatchObject({
      allowed: true,
    });
    expect(asked).toEqual([]);
    const chained = request({ action: 'git push -f; rm -rf x', risks: [push, ...request().risks] });
    expect(await approvals.check(chained, io)).toMatchObject({ allowed: false });
  });

  it('KF-167: two questions of one session wait for each other, and each gets its own answer', async () => {
    const approvals = make();
    const answers: ((choice: string) => void)[] = [];
    const { io, asked } = door(() => new Promise((resolve) => answers.push(resolve)));
    const a = approvals.check(request({ action: 'A' }), io);
    const b = approvals.check(request({ action: 'B' }), io);
    const c = approvals.check(request({ action: 'C', sessionId: 'other' }), io);
    await new Promise((done) => setTimeout(done, 5));
    expect(asked.map(({ action }) => action)).toEqual(['A', 'C']);
    answers[0]?.('deny');
    expect(await a).toMatchObject({ allowed: false });
    await new Promise((done) => setTimeout(done, 5));
    expect(asked.map(({ action }) => action)).toEqual(['A', 'C', 'B']);
    answers[2]?.('once');
    expect(await b).toMatchObject({ allowed: true });
    answers[1]?.('once');
    expect(await c).toMatchObject({ allowed: true });
  });

  it('an answer for the session settles the question that waited behind it', async () => {
    const approvals = make();
    const { io, asked } = door(() => 'session');
    const both = await Promise.all([approvals.check(request(), io), approvals.check(request(), io)]);
    expect(both).toMatchObject([{ allowed: true }, { allowed: true }]);
    expect(asked).toHaveLength(1);
  });

  it('KF-169: refuses at once where nobody listens, and says why', async () => {
    const { io, asked } = door(() => 'once');
    const decision = await make().check(request({ interactive: false }), io);
    expect(decision).toMatchObject({ allowed: false, reason: expect.stringContaining('nobody can be asked') });
    expect(asked).toEqual([]);
    const open = make({ unattended: (source) => (source === 'cli' ? 'approve' : 'deny') });
    expect(await open.check(request({ interactive: false }), io)).toEqual({ allowed: true, asked: false });
  });

  it('ends with its deadline and with its turn, as a no', async () => {
    const silent = door(() => new Promise(() => {}));
    expect(await make({ timeoutMs: 10 }).check(request(), silent.io)).toMatchObject({
      allowed: false,
      reason: expect.stringContaining('nobody answered'),
    });
    const abort = new AbortController();
    const cancelled = door(() => new Promise(() => {}), abort.signal);
    const pending = make().check(request(), cancelled.io);
    setTimeout(() => abort.abort(), 5);
    expect(await pending).toMatchObject({ allowed: false, reason: expect.stringContaining('cancelled') });
  });

  it('a door that fails counts as a no, and the next question is still asked', async () => {
    const approvals = make();
    const broken = door(() => Promise.reject(new Error('screen is gone')));
    expect(await approvals.check(request(), broken.io)).toMatchObject({
      allowed: false,
      reason: expect.stringContaining('screen is gone'),
    });
    expect(await approvals.check(request(), door(() => 'once').io)).toMatchObject({ allowed: true });
  });
});
