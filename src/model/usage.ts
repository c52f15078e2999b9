/** Tokens and money of one reply, in the words of the accounts. */
import type { Usage } from '../contracts/message.ts';
import type { ModelInfo, ModelPrice } from './client.ts';

export interface TokenCounts {
  /** Fresh: neither read from a cache nor written to one. */
  readonly inputTokens: number;
  /** Reasoning included. */
  readonly outputTokens: number;
  readonly cacheReadTokens: number;
  readonly cacheWriteTokens: number;
  /** The part of the output that was thought. */
  readonly reasoningTokens: number;
}

export interface Cost {
  /** Undefined: not known, which is never shown as zero. */
  readonly costUsd?: number;
  readonly costStatus: 'actual' | 'estimated' | 'included' | 'unknown';
  readonly costSource: 'provider_cost_api' | 'provider_models_api' | 'none';
}

const count = (value: number | undefined): number =>
  value !== undefined && Number.isFinite(value) ? Math.max(0, Math.round(value)) : 0;

/** The library reports every vendor's numbers in one shape; what is left is to refuse nonsense. */
export function countTokens(usage: Usage): TokenCounts {
  const outputTokens = count(usage.output);
  return {
    inputTokens: count(usage.input),
    outputTokens,
    cacheReadTokens: count(usage.cacheRead),
    cacheWriteTokens: count(usage.cacheWrite),
    reasoningTokens: Math.min(count(usage.reasoning), outputTokens),
  };
}

/** Tokens of the prompt, however they were paid for. */
export const promptTokens = (counts: TokenCounts): number =>
  counts.inputTokens + counts.cacheReadTokens + counts.cacheWriteTokens;

/** Providers whose calls a subscription pays for. */
const SUBSCRIPTIONS = new Set(['openai-codex', 'copilot', 'qwen-oauth', 'demo']);

export function costOf(usage: Usage, info: Pick<ModelInfo, 'provider' | 'price'>): Cost {
  if (SUBSCRIPTIONS.has(info.provider)) return { costUsd: 0, costStatus: 'included', costSource: 'none' };
  if (usage.cost.totalFromProvider === true)
    return { costUsd: usage.cost.total, costStatus: 'actual', costSource: 'provider_cost_api' };
  const costUsd =
    info.price === undefined ? undefined : priceTokens(countTokens(usage), info.price, usage.cacheWrite1h);
  if (costUsd === undefined) return { costStatus: 'unknown', costSource: 'none' };
  return { costUsd, costStatus: 'estimated', costSource: 'provider_models_api' };
}

/**
 * US dollars. Above a tier's threshold all tokens take its rate. Undefined when a bucket that was used has no price:
 * a paid model whose cache price is missing is not a model with a free cache.
 * @param longWrites the part of the cache writes that was kept for an hour, at twice the input price
 */
export function priceTokens(counts: TokenCounts, price: ModelPrice, longWrites = 0): number | undefined {
  const prompt = promptTokens(counts);
  const tier = [...(price.tiers ?? [])]
    .sort((a, b) => b.inputTokensAbove - a.inputTokensAbove)
    .find((one) => prompt > one.inputTokensAbove);
  const rate = tier ?? price;
  const long = Math.min(count(longWrites), counts.cacheWriteTokens);
  const buckets: readonly (readonly [tokens: number, perMillion: number])[] = [
    [counts.inputTokens, rate.input],
    [counts.outputTokens, rate.output],
    [counts.cacheReadTokens, rate.cacheRead],
    [counts.cacheWriteTokens - long, rate.cacheWrite],
    [long, rate.input * 2],
  ];
  const paid = rate.input > 0 || rate.output > 0;
  if (paid && buckets.some(([tokens, perMillion]) => tokens > 0 && !(perMillion > 0))) return undefined;
  // Summed in picodollars, whole numbers for every published price, so that no binary fraction creeps in.
  const pico = buckets.reduce((sum, [tokens, perMillion]) => sum + tokens * Math.round(perMillion * 1e6), 0);
  return pico / 1e12;
}
