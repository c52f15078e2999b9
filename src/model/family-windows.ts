/** Windows of model families, for models that no catalog lists. The longest part of the name that matches decides. */

const FAMILIES: readonly (readonly [part: string, tokens: number])[] = [
  ['claude', 200_000],
  ['claude-opus-4-6', 1_000_000],
  ['claude-opus-4-7', 1_000_000],
  ['claude-opus-4-8', 1_000_000],
  ['claude-opus-5', 1_000_000],
  ['claude-sonnet-4-6', 1_000_000],
  ['claude-sonnet-5', 1_000_000],
  ['gpt-5', 400_000],
  ['gpt-5-4', 1_050_000],
  ['gpt-5-5', 1_050_000],
  ['gpt-4-1', 1_047_576],
  ['gpt-4', 128_000],
  ['gpt-oss', 131_072],
  ['gemini', 1_048_576],
  ['gemma-3', 131_072],
  ['deepseek', 128_000],
  ['deepseek-v4', 1_000_000],
  ['llama', 131_072],
  ['qwen', 131_072],
  ['qwen3-coder', 262_144],
  ['minimax', 204_800],
  ['glm', 202_752],
  ['kimi', 262_144],
  ['grok', 131_072],
  ['hermes', 131_072],
];

export function familyWindow(model: string): number | undefined {
  const name = model.toLowerCase().replaceAll('.', '-');
  let best: readonly [string, number] | undefined;
  for (const family of FAMILIES)
    if (name.includes(family[0]) && family[0].length > (best?.[0].length ?? 0)) best = family;
  return best?.[1];
}
