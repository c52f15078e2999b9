/** One session as the agent holds it: the frozen prefix, the live history, and the way both reach the disk. */
import type { AssistantMessage, ChatMessage, ToolSchema, Usage } from '../contracts/message.ts';
import type { SessionRef } from '../contracts/turn.ts';
import { wellFormed } from '../lib/well-formed.ts';
import type { ModelClient } from '../model/client.ts';
import type { SessionStore, StoredMessage, UsageDelta } from '../state/session-store.ts';
import { textOf } from './sanitize.ts';

export interface PromptSize {
  readonly name: string;
  readonly chars: number;
}

export interface LiveSessionOptions {
  readonly ref: SessionRef;
  readonly store: SessionStore;
  readonly system: string;
  readonly promptSizes: readonly PromptSize[];
  readonly tools: readonly ToolSchema[];
  readonly model: ModelClient;
  readonly history: readonly ChatMessage[];
  /** The row exists; else the first append creates it. */
  readonly stored: boolean;
}

export interface LiveSession {
  readonly ref: SessionRef;
  readonly system: string;
  readonly promptSizes: readonly PromptSize[];
  readonly tools: readonly ToolSchema[];
  readonly history: readonly ChatMessage[];
  model: ModelClient;
  /** Of the last reply, as the provider reported it. */
  lastUsage: Usage | undefined;
  /** On disk when it resolves. */
  append(message: ChatMessage, more?: Omit<StoredMessage, 'message'>): Promise<void>;
  /** The row says which model the session goes on with; no-op before the row exists. */
  rememberModel(): Promise<void>;
  /** Written with the next message, or by `settled`. */
  addUsage(usage: UsageDelta): void;
  /** All that was queued is on disk, or was given up. */
  settled(): Promise<void>;
}

export function createLiveSession(options: LiveSessionOptions): LiveSession {
  const { ref, store } = options;
  const history: ChatMessage[] = [...options.history];
  let stored = options.stored;
  let queue: Promise<unknown> = Promise.resolve();
  const spent: UsageDelta[] = [];

  async function write(messages: readonly StoredMessage[]): Promise<void> {
    if (stored) {
      const usage = spent.slice();
      await store.append(ref.id, messages, usage);
      spent.splice(0, usage.length); // kept for later when it could not be written
      return;
    }
    const { info } = live.model;
    const title = untitled.has(ref.source) ? '' : derivedTitle(firstUserText(messages));
    await store.create(
      {
        id: ref.id,
        source: ref.source,
        model: info.model,
        provider: info.provider,
        baseUrl: info.baseUrl,
        systemPrompt: options.system,
        toolNames: options.tools.map(({ name }) => name),
        cwd: ref.cwd,
        profile: ref.profile,
        modelConfig: { prompt_blocks: options.promptSizes },
        ...(title !== '' && { title, titleSource: 'derived' }),
      },
      messages,
    );
    stored = true;
  }

  /** Bookkeeping that no turn should fail for; a broken database shows itself in `append`. */
  function enqueue(work: () => Promise<unknown>): void {
    queue = queue.then(work).catch(() => undefined);
  }

  const live: LiveSession = {
    ref,
    system: options.system,
    promptSizes: options.promptSizes,
    tools: options.tools,
    history,
    model: options.model,
    lastUsage: lastReported(options.history),
    async append(message, more = {}) {
      const clean = wellFormed(message);
      await write([{ message: clean, ...more }]);
      history.push(clean);
    },
    async rememberModel() {
      const { model, provider, baseUrl } = live.model.info;
      if (stored) await store.setModel(ref.id, model, provider, baseUrl);
    },
    addUsage: (usage) => void spent.push(usage),
    async settled() {
      for (const usage of spent.splice(0)) enqueue(() => store.addUsage(ref.id, usage));
      await queue;
    },
  };
  return live;
}

/** A session that goes on knows what its last request was counted as. */
function lastReported(history: readonly ChatMessage[]): Usage | undefined {
  const reply = history.findLast((message) => message.role === 'assistant' && message.usage.totalTokens > 0);
  return reply?.role === 'assistant' ? reply.usage : undefined;
}

/** Sessions without a person to read their titles. */
const untitled = new Set(['cron', 'subagent']);
const TITLE_CHARS = 48;

function firstUserText(messages: readonly StoredMessage[]): string {
  const first = messages.find(({ message }) => message.role === 'user');
  return first === undefined ? '' : textOf(first.message);
}

/** The first line of the message, cut at a word. */
function derivedTitle(text: string): string {
  const line = text.trim().split('\n', 1)[0]?.replace(/\s+/g, ' ').trim() ?? '';
  const chars = [...line];
  if (chars.length <= TITLE_CHARS) return line;
  const cut = chars.slice(0, TITLE_CHARS - 1).join('');
  const atWord = cut.lastIndexOf(' ');
  return `${atWord > TITLE_CHARS / 2 ? cut.slice(0, atWord) : cut}…`;
}

export const NO_USAGE: Usage = {
  input: 0,
  output: 0,
  cacheRead: 0,
  cacheWrite: 0,
  totalTokens: 0,
  cost: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, total: 0 },
};

/** A reply that no model wrote, so that roles go on alternating. */
export function syntheticReply(text: string, model: ModelClient, at: number): AssistantMessage {
  return {
    role: 'assistant',
    content: [{ type: 'text', text }],
    api: model.info.apiMode,
    provider: model.info.provider,
    model: model.info.model,
    usage: NO_USAGE,
    stopReason: 'stop',
    timestamp: at,
  };
}

export function addUsage(a: Usage, b: Usage): Usage {
  const cost = { ...a.cost };
  for (const key of ['input', 'output', 'cacheRead', 'cacheWrite', 'total'] as const) cost[key] += b.cost[key];
  return {
    input: a.input + b.input,
    output: a.output + b.output,
    cacheRead: a.cacheRead + b.cacheRead,
    cacheWrite: a.cacheWrite + b.cacheWrite,
    reasoning: (a.reasoning ?? 0) + (b.reasoning ?? 0),
    totalTokens: a.totalTokens + b.totalTokens,
    cost,
  };
}
