/** The next move of the demo, read from the newest messages alone, so that it fits into any session. */
import type { ChatMessage, ToolCall, ToolResultMessage } from '../../contracts/message.ts';
import type { ModelRequest } from '../client.ts';
import { type Intent, type Language, languageOf, readIntents } from './intents.ts';
import { PHRASES } from './phrases.ts';

export type Move =
  | { readonly type: 'call'; readonly tool: string; readonly args: Readonly<Record<string, unknown>> }
  | { readonly type: 'answer'; readonly text: string };

const MAX_SHOWN_CHARS = 2000;

export function decide(request: Pick<ModelRequest, 'system' | 'tools' | 'messages'>): Move {
  const start = request.messages.findLastIndex((message) => message.role === 'user');
  const text = spokenText(request.messages[start]);
  const language = languageOf(text);
  const intents = readIntents(text);
  const since = request.messages.slice(start + 1);
  const done = since.filter((message) => message.role === 'assistant' && callsOf(message).length > 0).length;
  const next = steps(intents)[done];
  if (next === undefined) return finish(request, language, intents, since);
  const wanted = toCall(next, request.messages.slice(0, start));
  if (wanted === undefined)
    return answer(language, [...report(since, language, intents), PHRASES[language].nothingToSave]);
  if (!request.tools.some((tool) => tool.name === wanted.tool))
    return answer(language, [...report(since, language, intents), PHRASES[language].missingTool(wanted.tool)]);
  return { type: 'call', ...wanted };
}

/** What needs a tool; a question about memory is answered from the prompt. */
const steps = (intents: readonly Intent[]) => intents.filter((intent) => intent.kind !== 'about-me');

function finish(
  request: Pick<ModelRequest, 'system' | 'tools'>,
  language: Language,
  intents: readonly Intent[],
  since: readonly ChatMessage[],
): Move {
  const parts = report(since, language, intents);
  if (intents.some((intent) => intent.kind === 'about-me')) parts.push(aboutMe(request.system, language));
  return answer(language, parts.length === 0 ? [help(request, language)] : parts);
}

/** Only what can be done here. */
function help({ tools }: Pick<ModelRequest, 'tools'>, language: Language): string {
  const { intro, examples, outro } = PHRASES[language];
  const possible = examples.filter(([needed]) => tools.some(({ name }) => name === needed));
  return [intro, ...possible.map(([, text]) => `- ${text}`), outro].filter(Boolean).join('\n');
}

const answer = (language: Language, parts: readonly string[]): Move => ({
  type: 'answer',
  text: [...parts, PHRASES[language].label].join('\n\n'),
});

/** The first text of the message; recalled memory and other fenced additions are not the person's words. */
function spokenText(message: ChatMessage | undefined): string {
  if (message?.role !== 'user') return '';
  const blocks =
    typeof message.content === 'string'
      ? [message.content]
      : message.content.flatMap((block) => (block.type === 'text' ? [block.text] : []));
  return (blocks[0] ?? '').replace(/<([\w-]+)[^>]*>[\s\S]*?<\/\1>/g, '').trim();
}

const callsOf = (message: ChatMessage): ToolCall[] =>
  message.role === 'assistant' ? message.content.filter((block) => block.type === 'toolCall') : [];

function toCall(
  intent: Exclude<Intent, { kind: 'about-me' }>,
  earlier: readonly ChatMessage[],
): { tool: string; args: Readonly<Record<string, unknown>> } | undefined {
  if (intent.kind === 'call') return { tool: intent.tool, args: intent.args };
  const body = intent.body === '' ? recipe(earlier) : intent.body;
  if (body === '') return undefined;
  const name = skillName(intent.name, body);
  const summary = (body.split('\n').find((line) => line.trim() !== '') ?? name).replace(/^[\d.\s-]+/, '').slice(0, 60);
  const content = `---\nname: ${name}\ndescription: ${JSON.stringify(`Use to repeat: ${summary}`)}\n---\n\n# ${name}\n\n## Steps\n\n${body}\n`;
  return { tool: 'skill_manage', args: { action: 'create', name, content } };
}

function skillName(given: string, body: string): string {
  const slug = (given || body)
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '')
    .slice(0, 40)
    .replace(/-+$/, '');
  return slug || 'demo-skill';
}

/** The newest tool calls of the conversation, as numbered steps. */
function recipe(earlier: readonly ChatMessage[]): string {
  const calls = earlier
    .flatMap(callsOf)
    .filter((call) => !['memory', 'session_search', 'skill_manage', 'todo'].includes(call.name));
  return calls
    .slice(-5)
    .map((call, index) => `${index + 1}. ${describeCall(call)}`)
    .join('\n');
}

function describeCall({ name, arguments: args }: ToolCall): string {
  if (typeof args.command === 'string') return `Run \`${args.command}\``;
  return typeof args.path === 'string' ? `Use ${name} on \`${args.path}\`` : `Use ${name} with ${JSON.stringify(args)}`;
}

/** One paragraph per tool result of this turn. */
function report(since: readonly ChatMessage[], language: Language, intents: readonly Intent[]): string[] {
  const results = since.filter((message): message is ToolResultMessage => message.role === 'toolResult');
  const asked = steps(intents);
  return results.map((result, index) => {
    const intent = asked[index];
    const what = intent?.kind === 'call' ? intent.what : (intent?.name ?? '');
    const phrases = PHRASES[language];
    const said = result.isError ? phrases.failed(result.toolName, what) : phrases.done(result.toolName, what);
    return `${said}\n\n${fenced(readable(result) || phrases.noOutput)}`;
  });
}

function fenced(text: string): string {
  const shown = text.length > MAX_SHOWN_CHARS ? `${text.slice(0, MAX_SHOWN_CHARS)}…` : text;
  const fence = shown.includes('```') ? '````' : '```';
  return `${fence}\n${shown}\n${fence}`;
}

/** The part of a result that a person wants to see. */
function readable(result: ToolResultMessage): string {
  const text = result.content
    .flatMap((block) => (block.type === 'text' ? [block.text] : []))
    .join('\n')
    .trim();
  if (!text.startsWith('{')) return text;
  try {
    const value = JSON.parse(text) as Record<string, unknown>;
    for (const key of ['error', 'output', 'content', 'message'])
      if (typeof value[key] === 'string' && value[key].trim() !== '') return value[key].trim();
    return typeof value.output === 'string' ? '' : JSON.stringify(value, null, 2);
  } catch {
    return text; // starts like JSON and is none
  }
}

/** The memory and profile blocks as they stand in the system prompt. */
function aboutMe(system: string, language: Language): string {
  const phrases = PHRASES[language];
  const blocks = [
    ...system.matchAll(/═{10,}\n(?:USER PROFILE|MEMORY)\b[^\n]*\n═{10,}\n([\s\S]*?)(?=\n\n|\n═{10,}|$)/g),
  ];
  const entries = blocks
    .flatMap((block) => (block[1] ?? '').split(/\n§\n/))
    .map((entry) => entry.trim())
    .filter(Boolean);
  return entries.length === 0
    ? phrases.knowNothing
    : [phrases.know, ...entries.map((entry) => `- ${entry.replaceAll('\n', ' ')}`)].join('\n');
}
