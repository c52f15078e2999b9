/** What the library's catalog knows of models. One provider's file is read, when it is first asked about. */
import type { ModelPrice } from './client.ts';
import type { CatalogTraits } from './endpoint.ts';

export interface CatalogModel extends CatalogTraits {
  readonly id: string;
  readonly name: string;
  /** The library's protocol for it. */
  readonly api: string;
  readonly baseUrl: string;
  readonly contextWindow: number;
  readonly maxTokens: number;
  readonly reasoning: boolean;
  readonly input: readonly string[];
  readonly cost: ModelPrice;
}

const FILES: Readonly<Record<string, () => Promise<object>>> = {
  'amazon-bedrock': () => import('@earendil-works/pi-ai/providers/amazon-bedrock.models'),
  anthropic: () => import('@earendil-works/pi-ai/providers/anthropic.models'),
  cerebras: () => import('@earendil-works/pi-ai/providers/cerebras.models'),
  deepseek: () => import('@earendil-works/pi-ai/providers/deepseek.models'),
  fireworks: () => import('@earendil-works/pi-ai/providers/fireworks.models'),
  'github-copilot': () => import('@earendil-works/pi-ai/providers/github-copilot.models'),
  google: () => import('@earendil-works/pi-ai/providers/google.models'),
  groq: () => import('@earendil-works/pi-ai/providers/groq.models'),
  huggingface: () => import('@earendil-works/pi-ai/providers/huggingface.models'),
  minimax: () => import('@earendil-works/pi-ai/providers/minimax.models'),
  'minimax-cn': () => import('@earendil-works/pi-ai/providers/minimax-cn.models'),
  mistral: () => import('@earendil-works/pi-ai/providers/mistral.models'),
  moonshotai: () => import('@earendil-works/pi-ai/providers/moonshotai.models'),
  'moonshotai-cn': () => import('@earendil-works/pi-ai/providers/moonshotai-cn.models'),
  nvidia: () => import('@earendil-works/pi-ai/providers/nvidia.models'),
  openai: () => import('@earendil-works/pi-ai/providers/openai.models'),
  opencode: () => import('@earendil-works/pi-ai/providers/opencode.models'),
  'opencode-go': () => import('@earendil-works/pi-ai/providers/opencode-go.models'),
  openrouter: () => import('@earendil-works/pi-ai/providers/openrouter.models'),
  together: () => import('@earendil-works/pi-ai/providers/together.models'),
  'vercel-ai-gateway': () => import('@earendil-works/pi-ai/providers/vercel-ai-gateway.models'),
  xai: () => import('@earendil-works/pi-ai/providers/xai.models'),
  xiaomi: () => import('@earendil-works/pi-ai/providers/xiaomi.models'),
  zai: () => import('@earendil-works/pi-ai/providers/zai.models'),
};

/** Chat models of a provider of the library; empty when it has no catalog. */
export async function catalogOf(vendorId: string | undefined): Promise<readonly CatalogModel[]> {
  const load = vendorId === undefined ? undefined : FILES[vendorId];
  if (load === undefined) return [];
  // Each module exports its chat, image and classifier models as three tables; the chat one has the plain name.
  const entry = Object.entries(await load()).find(
    ([name]) => /^[A-Z0-9_]+_MODELS$/.test(name) && !/_(IMAGE|CLASSIFIER)_MODELS$/.test(name),
  );
  return Object.values((entry?.[1] ?? {}) as Readonly<Record<string, CatalogModel>>);
}

/** By exact id, else by an id that differs only in the vendor's prefix or in dots and dashes of a version. */
export async function lookUpModel(vendorId: string | undefined, model: string): Promise<CatalogModel | undefined> {
  const models = await catalogOf(vendorId);
  const exact = models.find(({ id }) => id === model);
  if (exact !== undefined) return exact;
  const wanted = looseId(model);
  return models.find(({ id }) => looseId(id) === wanted);
}

const looseId = (id: string): string =>
  id
    .toLowerCase()
    .replace(/^[^/]*\//, '')
    .replaceAll('.', '-');

/** Words that stand for the newest model of a family. */
const FAMILIES = new Set(
  'sonnet opus haiku claude gpt gpt5 codex o3 o4 gemini deepseek grok llama qwen minimax nemotron kimi glm step mimo trinity'.split(
    ' ',
  ),
);

export const isFamilyAlias = (word: string): boolean => FAMILIES.has(word.toLowerCase());

/** The newest model of a family in a catalog; previews, dated copies and small variants give way. */
export function newestOfFamily(models: readonly CatalogModel[], family: string): CatalogModel | undefined {
  const word = family.toLowerCase() === 'gpt5' ? 'gpt-5' : family.toLowerCase();
  const members = models.filter(({ id }) => !id.startsWith('~') && id.toLowerCase().includes(word));
  return members.sort(
    (a, b) => penalty(a.id) - penalty(b.id) || compareVersions(b.id, a.id) || a.id.length - b.id.length,
  )[0];
}

const penalty = (id: string): number =>
  (/:|preview|exp\b|beta|latest/.test(id) ? 2 : 0) +
  (/mini|nano|lite|flash|small|spark|distill|image|audio|cyber|pro\b/.test(id) ? 1 : 0);

/** Dates of six and more digits are copies of a release, not versions. */
const versionOf = (id: string): number[] => (id.match(/\d+/g) ?? []).filter((part) => part.length < 4).map(Number);

function compareVersions(a: string, b: string): number {
  const [left, right] = [versionOf(a), versionOf(b)];
  for (let i = 0; i < Math.max(left.length, right.length); i++) {
    const difference = (left[i] ?? 0) - (right[i] ?? 0);
    if (difference !== 0) return difference;
  }
  return 0;
}
