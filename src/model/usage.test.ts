import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { endpointOf, listen, requestOf } from '../../test/support/model-endpoint.ts';
import { type ModelServer, startModelServer } from '../../test/support/model-server.ts';
import type { Usage } from '../contracts/message.ts';
import type { ModelPrice } from './client.ts';
import type { LibraryApi } from './endpoint.ts';
import { createHttpFetch } from './http/http-fetch.ts';
import { createPiClient } from './pi-client.ts';
import { costOf, countTokens, priceTokens, promptTokens } from './usage.ts';

let server: ModelServer;
beforeEach(async () => {
  server = await startModelServer();
});
afterEach(() => server.close());

async function countsOf(api: LibraryApi, rawUsage: unknown) {
  server.script([{ text: 'x', rawUsage }]);
  const client = createPiClient(endpointOf(server, api), { fetch: createHttpFetch(), userAgent: 't' });
  return countTokens((await listen(client, requestOf())).end.message.usage);
}

const PRICE: ModelPrice = { input: 3, output: 15, cacheRead: 0.3, cacheWrite: 3.75 };
const usageOf = (more: Partial<Usage>): Usage => ({
  input: 0,
  output: 0,
  cacheRead: 0,
  cacheWrite: 0,
  totalTokens: 0,
  cost: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, total: 0 },
  ...more,
});

describe('usage', () => {
  it('KF-074: counts fresh and cached tokens alike for every family', async () => {
    const expected = {
      inputTokens: 200,
      cacheReadTokens: 800,
      cacheWriteTokens: 0,
      outputTokens: 50,
      reasoningTokens: 0,
    };
    expect(
      await countsOf('openai-completions', {
        prompt_tokens: 1000,
        completion_tokens: 50,
        prompt_tokens_details: { cached_tokens: 800 },
      }),
    ).toEqual(expected);
    expect(
      await countsOf('openai-responses', {
        input_tokens: 1000,
        output_tokens: 50,
        total_tokens: 1050,
        input_tokens_details: { cached_tokens: 800 },
        output_tokens_details: { reasoning_tokens: 0 },
      }),
    ).toEqual(expected);
    expect(
      await countsOf('anthropic-messages', {
        input_tokens: 200,
        output_tokens: 50,
        cache_read_input_tokens: 800,
        cache_creation_input_tokens: 0,
      }),
    ).toEqual(expected);
  });

  it('KF-075: bills reasoning once', async () => {
    const inside = await countsOf('openai-completions', {
      prompt_tokens: 1,
      completion_tokens: 100,
      completion_tokens_details: { reasoning_tokens: 60 },
    });
    const chunk = {
      candidates: [{ content: { parts: [{ text: 'x' }] }, finishReason: 'STOP' }],
      usageMetadata: { promptTokenCount: 1, candidatesTokenCount: 40, thoughtsTokenCount: 60, totalTokenCount: 101 },
    };
    server.script([{ raw: `data: ${JSON.stringify(chunk)}\n\n` }]);
    const endpoint = endpointOf(server, 'google-generative-ai');
    const { end } = await listen(createPiClient(endpoint, { fetch: createHttpFetch(), userAgent: 't' }), requestOf());
    const beside = countTokens(end.message.usage);
    expect([inside.outputTokens, beside.outputTokens]).toEqual([100, 100]);
    expect([inside.reasoningTokens, beside.reasoningTokens]).toEqual([60, 60]);
  });

  it('KF-076: adds up', () => {
    const all = [usageOf({ input: 100 }), usageOf({ input: 20 })].map(countTokens);
    expect(all.reduce((sum, counts) => sum + promptTokens(counts), 0)).toBe(120);
  });

  it('never counts below zero', () => {
    fc.assert(
      fc.property(
        fc.record({
          input: fc.double(),
          output: fc.double(),
          cacheRead: fc.double(),
          cacheWrite: fc.double(),
          reasoning: fc.double(),
        }),
        (numbers) => {
          const counts = countTokens(usageOf(numbers));
          expect(Object.values(counts).every((value) => Number.isInteger(value) && value >= 0)).toBe(true);
          expect(counts.reasoningTokens).toBeLessThanOrEqual(counts.outputTokens);
        },
      ),
    );
  });
});

describe('cost', () => {
  it('prices every bucket', () => {
    const cost = costOf(usageOf({ input: 1_000_000, output: 100_000, cacheRead: 2_000_000, cacheWrite: 10_000 }), {
      provider: 'anthropic',
      price: PRICE,
    });
    expect(cost).toMatchObject({ costStatus: 'estimated', costSource: 'provider_models_api' });
    expect(cost.costUsd).toBeCloseTo(3 + 1.5 + 0.6 + 0.0375, 9);
  });

  it('takes the higher rate for everything above a tier', () => {
    const price = { ...PRICE, tiers: [{ ...PRICE, input: 6, inputTokensAbove: 200_000 }] };
    const below = priceTokens(countTokens(usageOf({ input: 200_000 })), price);
    const above = priceTokens(countTokens(usageOf({ input: 200_001 })), price);
    expect(below).toBeCloseTo(0.6, 9);
    expect(above).toBeCloseTo(1.200006, 9);
  });

  it('does not know what it does not know', () => {
    expect(costOf(usageOf({ input: 5 }), { provider: 'custom', price: undefined })).toEqual({
      costStatus: 'unknown',
      costSource: 'none',
    });
    expect(costOf(usageOf({ cacheRead: 5 }), { provider: 'x', price: { ...PRICE, cacheRead: 0 } }).costStatus).toBe(
      'unknown',
    );
    const free = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 };
    expect(costOf(usageOf({ input: 5, cacheRead: 5 }), { provider: 'x', price: free })).toMatchObject({
      costUsd: 0,
      costStatus: 'estimated',
    });
  });

  it('believes the provider’s own bill, and a subscription costs nothing more', () => {
    const billed = usageOf({
      cost: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, total: 0.42, totalFromProvider: true },
    });
    expect(costOf(billed, { provider: 'openrouter', price: PRICE })).toMatchObject({
      costUsd: 0.42,
      costStatus: 'actual',
    });
    expect(costOf(usageOf({ input: 9 }), { provider: 'copilot', price: PRICE })).toMatchObject({
      costUsd: 0,
      costStatus: 'included',
    });
  });
});
