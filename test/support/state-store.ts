/** A session store in a folder of its own, and short ways to say something in it. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import type { AssistantMessage, ToolCall, ToolResultMessage, UserMessage } from '../../src/contracts/message.ts';
import type { NewSession } from '../../src/state/session-store.ts';
import { openSessionStore, type SqliteSessionStore } from '../../src/state/sqlite-store.ts';

export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'hermes-state-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

export async function temporaryStore(path = join(temporaryFolder(), 'state.db')): Promise<SqliteSessionStore> {
  const store = await openSessionStore({ path });
  onTestFinished(() => store.close());
  return store;
}

export function newSession(id: string, more: Partial<NewSession> = {}): NewSession {
  return {
    id,
    source: 'cli',
    model: 'test-model',
    provider: 'test-provider',
    systemPrompt: 'You are a test.',
    toolNames: ['read_file'],
    cwd: '/tmp/project',
    profile: 'default',
    ...more,
  };
}

const NO_COST = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, total: 0 };

export function user(text: string, timestamp = Date.now()): UserMessage {
  return { role: 'user', content: text, timestamp };
}

export function assistant(text: string, calls: readonly ToolCall[] = [], timestamp = Date.now()): AssistantMessage {
  return {
    role: 'assistant',
    content: [...(text === '' ? [] : [{ type: 'text' as const, text }]), ...calls],
    api: 'openai-completions',
    provider: 'test-provider',
    model: 'test-model',
    usage: { input: 10, output: 5, cacheRead: 0, cacheWrite: 0, totalTokens: 15, cost: NO_COST },
    stopReason: calls.length > 0 ? 'toolUse' : 'stop',
    timestamp,
  };
}

export function call(id: string, name = 'read_file'): ToolCall {
  return { type: 'toolCall', id, name, arguments: { path: `${id}.md` } };
}

export function toolResult(id: string, text: string, name = 'read_file'): ToolResultMessage {
  return {
    role: 'toolResult',
    toolCallId: id,
    toolName: name,
    content: [{ type: 'text', text }],
    isError: false,
    timestamp: Date.now(),
  };
}
