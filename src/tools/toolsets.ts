/** Named groups of tools, and what each door is offered. Data; a name whose tools do not exist here offers nothing. */

interface Named {
  readonly name: string;
  readonly toolset: string;
}

/** What a session is offered: `enabled` united, `disabled` taken away last. */
export interface Exposure {
  /** Names of toolsets, presets, composites, or single tools; absent = all. */
  readonly enabled?: readonly string[] | undefined;
  readonly disabled?: readonly string[] | undefined;
  /** `custom_toolsets` of the configuration: name → toolsets or tools. */
  readonly custom?: Readonly<Record<string, readonly string[]>> | undefined;
}

const CORE = [
  'web',
  'terminal',
  'file',
  'vision',
  'image_gen',
  'skills',
  'browser',
  'tts',
  'todo',
  'memory',
  'session_search',
  'clarify',
  'code_execution',
  'delegation',
  'cronjob',
  'homeassistant',
  'kanban',
  'computer_use',
] as const;

const without = (...left: readonly string[]) => CORE.filter((name) => !left.includes(name));
const CODING = without('image_gen', 'tts', 'cronjob', 'computer_use', 'homeassistant', 'kanban');

/** Offered only to a session that asks for it by name. */
const ON_REQUEST = ['kanban', 'x_search', 'video', 'video_gen'];

const TOOLSETS: readonly string[] = [
  ...CORE,
  'x_search',
  'video',
  'video_gen',
  'messaging',
  'discord',
  'discord_admin',
  'feishu_doc',
  'feishu_drive',
  'yuanbao',
];

const COMPOSITES: Readonly<Record<string, readonly string[]>> = {
  debugging: ['terminal', 'web', 'file'],
  safe: ['web', 'vision', 'image_gen'],
  coding: CODING,
  search: ['web_search'],
};

const FULL_PRESETS =
  'cli cron telegram slack whatsapp signal matrix mattermost email sms bluebubbles dingtalk qqbot wecom wecom-callback weixin homeassistant';

export const PRESETS: Readonly<Record<string, readonly string[]>> = {
  ...Object.fromEntries(FULL_PRESETS.split(' ').map((door) => [`hermes-${door}`, CORE])),
  'hermes-discord': [...CORE, 'discord', 'discord_admin'],
  'hermes-feishu': [...CORE, 'feishu_doc', 'feishu_drive'],
  'hermes-yuanbao': [...CORE, 'yuanbao'],
  'hermes-acp': CODING.filter((name) => name !== 'clarify'),
  'hermes-api-server': without('clarify', 'tts', 'computer_use', 'kanban'),
  'hermes-webhook': ['web_search', 'web_extract', 'vision_analyze', 'clarify'],
  'hermes-gateway': [...CORE, 'discord', 'discord_admin', 'feishu_doc', 'feishu_drive', 'yuanbao', 'messaging'],
};

const LEGACY: Readonly<Record<string, string>> = {
  cron: 'cronjob',
  cron_tools: 'cronjob',
  code: 'code_execution',
  code_tools: 'code_execution',
  files: 'file',
  image: 'image_gen',
  image_tools: 'image_gen',
  planning: 'todo',
};

export interface Exposed {
  /** Names of tools. */
  readonly names: ReadonlySet<string>;
  /** One sentence per name that means nothing here. */
  readonly notices: readonly string[];
}

export function exposedTools(exposure: Exposure, tools: readonly Named[]): Exposed {
  const notices: string[] = [];
  const expand = (given: readonly string[]) => {
    const found = given.map((name) => members(name, exposure.custom ?? {}, tools, []) ?? notice(name, notices));
    return found.flat();
  };
  const names = new Set(exposure.enabled === undefined ? everything(tools) : expand(exposure.enabled));
  for (const group of exposure.disabled ?? []) {
    for (const name of withoutCore(group, expand([group]), tools)) names.delete(name);
  }
  return { names, notices };
}

/** Switching a whole door's preset off takes only what that preset adds to the core. */
function withoutCore(group: string, names: readonly string[], tools: readonly Named[]): readonly string[] {
  if (own(PRESETS, group) === undefined && group !== 'coding') return names;
  const core = new Set(tools.filter(({ toolset }) => isCore(toolset)).map(({ name }) => name));
  return names.filter((name) => !core.has(name));
}

function isCore(toolset: string): boolean {
  return CORE.some((name) => name === toolset);
}

function everything(tools: readonly Named[]): readonly string[] {
  return tools.filter(({ toolset }) => !ON_REQUEST.includes(toolset)).map(({ name }) => name);
}

function notice(name: string, notices: string[]): readonly string[] {
  notices.push(`There is no toolset named ${JSON.stringify(name)}; \`hermes tools\` lists those there are.`);
  return [];
}

/** Names of tools, or undefined for a name that stands for nothing. `open` ends custom sets that hold each other. */
function members(
  given: string,
  custom: Readonly<Record<string, readonly string[]>>,
  tools: readonly Named[],
  open: readonly string[],
): readonly string[] | undefined {
  const name = given.trim();
  if (name === 'all' || name === '*') return everything(tools);
  const group = open.includes(name) ? undefined : (own(custom, name) ?? own(COMPOSITES, name) ?? own(PRESETS, name));
  if (group !== undefined) return group.flatMap((inner) => members(inner, custom, tools, [...open, name]) ?? []);
  const toolset = toolsetNamed(name, tools);
  if (toolset !== undefined) {
    return tools.filter((tool) => tool.toolset === toolset || tool.toolset === `mcp-${name}`).map((tool) => tool.name);
  }
  return tools.some((tool) => tool.name === name) ? [name] : undefined;
}

function toolsetNamed(name: string, tools: readonly Named[]): string | undefined {
  const known = (candidate: string | undefined) =>
    candidate !== undefined && (TOOLSETS.includes(candidate) || tools.some(({ toolset }) => toolset === candidate));
  return [name, own(LEGACY, name), name.replace(/_tools$/, ''), `mcp-${name}`].find(known);
}

function own<T>(table: Readonly<Record<string, T>>, key: string): T | undefined {
  return Object.hasOwn(table, key) ? table[key] : undefined;
}
