/** Reminders that only some model families need, chosen by name. */

/** `auto`: the families known to need it. A list: names that contain one of these. */
export type ForModels = 'auto' | boolean | readonly string[];

export interface GuidanceFor {
  readonly toolUse: ForModels;
  readonly execution: ForModels;
}

const TOOL_USE =
  'Act through tool calls, not through words about them: never end a reply with what you are about to do.';
const EXECUTION =
  'Before you act, check what is really there; after you act, check that it worked. Make the smallest change that does the job.';

const TALKERS = ['gpt', 'codex', 'gemini', 'gemma', 'grok', 'o3', 'o4'];
const HASTY = ['gpt', 'codex', 'gemini', 'gemma', 'grok', 'llama', 'qwen', 'mistral'];

export function modelGuidance(model: string, settings: GuidanceFor): readonly string[] {
  return [
    ...(applies(model, settings.toolUse, TALKERS) ? [TOOL_USE] : []),
    ...(applies(model, settings.execution, HASTY) ? [EXECUTION] : []),
  ];
}

function applies(model: string, setting: ForModels, auto: readonly string[]): boolean {
  if (typeof setting === 'boolean') return setting;
  const name = model.toLowerCase();
  const words = setting === 'auto' ? auto : setting;
  // A family's name begins a word: `gpt-5` is meant, `chatgptish` is not.
  return words.some((word) => new RegExp(`(^|[^a-z])${escapeRegExp(word.toLowerCase())}`).test(name));
}

function escapeRegExp(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
}
