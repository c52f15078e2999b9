/** Brings a session to life: from its row, prefix replayed byte for byte, or new with a prefix built once. */
import type { ToolSchema } from '../contracts/message.ts';
import type { SessionRef } from '../contracts/turn.ts';
import type { ModelClient } from '../model/client.ts';
import type { ModelSelection } from '../model/models.ts';
import type { LoadedSession } from '../state/session-store.ts';
import type { AgentDeps } from './agent.ts';
import { createLiveSession, type LiveSession, type PromptSize } from './live-session.ts';
import { buildPrompt } from './prompt/build.ts';

export async function openSession(ref: SessionRef, deps: AgentDeps): Promise<LiveSession> {
  const row = await deps.store.get(ref.id);
  return row === undefined ? newSession(ref, deps) : storedSession(ref, deps);
}

async function newSession(ref: SessionRef, deps: AgentDeps): Promise<LiveSession> {
  const [model, tools] = await Promise.all([
    deps.resolveModel(deps.selection),
    deps.registry.definitions(deps.exposure),
  ]);
  const prefix = await buildPrefix(ref, deps, model, tools);
  return createLiveSession({
    ref,
    store: deps.store,
    ...prefix,
    tools,
    model,
    history: [],
    stored: false,
  });
}

async function storedSession(ref: SessionRef, deps: AgentDeps): Promise<LiveSession> {
  const loaded = await deps.store.load(ref.id);
  const { row } = loaded;
  const [model, tools] = await Promise.all([
    deps.resolveModel(selectionFor(loaded, deps.selection)),
    toolsOf(row.toolNames, deps),
  ]);
  // A row of another writer may hold no prompt: then, and only then, it is built anew.
  const prefix =
    row.systemPrompt === ''
      ? await buildPrefix(ref, deps, model, tools)
      : { system: row.systemPrompt, promptSizes: storedSizes(row.modelConfig, row.systemPrompt) };
  return createLiveSession({
    ref,
    store: deps.store,
    ...prefix,
    tools,
    model,
    history: loaded.messages.map(({ message }) => message),
    stored: true,
  });
}

async function buildPrefix(
  ref: SessionRef,
  deps: AgentDeps,
  model: ModelClient,
  tools: readonly ToolSchema[],
): Promise<{ readonly system: string; readonly promptSizes: readonly PromptSize[] }> {
  const names = tools.map(({ name }) => name);
  const prompt = await buildPrompt(deps.prompt, ref, model.info, names);
  deps.notices.push(...prompt.warnings);
  return { system: prompt.text, promptSizes: prompt.blocks.map(({ name, text }) => ({ name, chars: text.length })) };
}

/** What was asked for now wins; a session otherwise stays with its own model. */
function selectionFor({ row }: LoadedSession, asked: ModelSelection): ModelSelection {
  if (asked.model !== undefined || asked.provider !== undefined || row.model === '') return asked;
  if (row.provider === '') return { model: row.model };
  const custom = row.provider === 'custom' && row.baseUrl !== undefined;
  return { model: row.model, provider: row.provider, ...(custom && { baseUrl: row.baseUrl }) };
}

/** The session's own list, in its order; tools that no longer exist are left out. */
async function toolsOf(names: readonly string[], deps: AgentDeps): Promise<readonly ToolSchema[]> {
  if (names.length === 0) return deps.registry.definitions(deps.exposure);
  const known = new Map((await deps.registry.definitions({ enabled: names })).map((schema) => [schema.name, schema]));
  return names.map((name) => known.get(name)).filter((schema) => schema !== undefined);
}

function storedSizes(config: Readonly<Record<string, unknown>> | undefined, system: string): readonly PromptSize[] {
  const sizes = config?.prompt_blocks;
  const whole = [{ name: 'system prompt', chars: system.length }];
  if (!Array.isArray(sizes)) return whole;
  const valid = sizes.filter(isSize);
  return valid.length === sizes.length ? valid : whole;
}

function isSize(value: unknown): value is PromptSize {
  if (typeof value !== 'object' || value === null || !('name' in value) || !('chars' in value)) return false;
  return typeof value.name === 'string' && typeof value.chars === 'number';
}
