import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ERROR_TABLE } from './error-table.ts';
import { classifyFailure, type FailureFacts, readRetryAfter } from './errors.ts';

const SECRET = 'abcd-secret-value-1234';
const facts = (more: Partial<FailureFacts> = {}): FailureFacts => ({
  text: '',
  started: false,
  large: false,
  provider: 'anthropic',
  providerName: 'Anthropic',
  model: 'claude-x',
  baseUrl: 'https://api.anthropic.com',
  keySource: 'ANTHROPIC_API_KEY',
  envVars: ['ANTHROPIC_API_KEY'],
  secret: SECRET,
  ...more,
});
const http = (status: number, message: string, more: Partial<FailureFacts> = {}, code?: string): FailureFacts =>
  facts({ trace: { status, body: JSON.stringify({ error: { message, code } }) }, ...more });
const wire = (code: string, more: Partial<FailureFacts> = {}): FailureFacts =>
  facts({ text: 'Connection error.', trace: { code }, ...more });
const page = (status: number, more: Partial<FailureFacts> = {}): FailureFacts =>
  facts({ text: 'x', trace: { status, body: '<html>no</html>', code: 'HTML' }, ...more });

/** One example per row of the table, and the reason and recovery that must come of it. */
const ROWS: Readonly<Record<string, readonly [FailureFacts, reason: string, recovery: string]>> = {
  stalled: [facts({ timer: 'stale' }), 'timeout', 'retry'],
  'call-timeout': [facts({ timer: 'call' }), 'timeout', 'fallback'],
  safety: [http(400, 'Blocked by content_filter'), 'content_policy_blocked', 'fallback'],
  'thinking-signature': [http(400, 'Invalid `signature` in `thinking` block'), 'thinking_signature', 'retry'],
  'sealed-reasoning': [
    http(400, 'The encrypted content could not be verified', {}, 'invalid_encrypted_content'),
    'thinking_signature',
    'retry',
  ],
  'long-context-tier': [
    http(429, 'Extra usage is required for long context requests'),
    'long_context_tier',
    'compress',
  ],
  grammar: [http(400, 'failed to parse grammar'), 'llama_cpp_grammar_pattern', 'retry'],
  unauthorized: [http(401, 'invalid x-api-key'), 'auth', 'rotate'],
  'forbidden-billing': [http(403, 'Key limit exceeded'), 'billing', 'rotate'],
  forbidden: [http(403, 'not allowed'), 'auth', 'fallback'],
  'usage-window': [http(402, 'usage limit reached, try again in 5 hours'), 'rate_limit', 'rotate'],
  payment: [http(402, 'pay first'), 'billing', 'rotate'],
  policy: [http(404, 'No endpoints found matching your data policy'), 'provider_policy_blocked', 'abort'],
  'no-images': [http(404, 'No endpoints found that support image input'), 'images_unsupported', 'retry'],
  'missing-model': [http(404, 'The model `x` does not exist'), 'model_not_found', 'fallback'],
  'missing-path': [http(404, 'Not Found'), 'not_found', 'fallback'],
  'too-large': [http(413, 'x'), 'payload_too_large', 'compress'],
  'overloaded-429': [http(429, 'The engine is currently overloaded'), 'overloaded', 'retry'],
  'no-credit-429': [
    http(429, 'You exceeded your current quota, please check your plan and billing'),
    'billing',
    'rotate',
  ],
  'plan-limit': [http(429, 'monthly quota used up, see your plan'), 'rate_limit', 'rotate'],
  'rate-limit': [http(429, 'slow down'), 'rate_limit', 'retry'],
  'image-size': [http(400, 'image exceeds 5 MB maximum'), 'image_too_large', 'retry'],
  parameter: [http(400, "Unsupported parameter: 'max_tokens'"), 'format_error', 'fallback'],
  overflow: [http(400, "This model's maximum context length is 131072 tokens"), 'context_overflow', 'compress'],
  'bad-model': [http(400, 'x is not a valid model ID'), 'model_not_found', 'fallback'],
  'bad-key': [http(400, 'API key not valid. Please pass a valid API key.'), 'auth', 'rotate'],
  'rate-wording': [http(400, 'RESOURCE_EXHAUSTED: wait'), 'rate_limit', 'retry'],
  'billing-wording': [http(400, 'Your credit balance is too low'), 'billing', 'rotate'],
  'unexplained-400': [http(400, 'Error', { large: true }), 'context_overflow', 'compress'],
  'bad-request': [http(400, 'messages.1: something is odd here'), 'format_error', 'fallback'],
  overloaded: [http(529, 'Overloaded'), 'overloaded', 'retry'],
  'proxy-large': [page(502, { large: true }), 'context_overflow', 'compress'],
  server: [http(500, 'oops'), 'server_error', 'retry'],
  'slow-request': [http(408, 'late'), 'timeout', 'retry'],
  'client-error': [http(418, 'teapot'), 'format_error', 'fallback'],
  'web-page': [page(200), 'invalid_response', 'retry'],
  'bad-address': [facts({ baseUrl: 'localhost:8080' }), 'not_found', 'fallback'],
  certificate: [wire('UNABLE_TO_VERIFY_LEAF_SIGNATURE'), 'tls', 'fallback'],
  tls: [wire('EPROTO', { large: true, text: 'ssl alert number 20, token limit' }), 'timeout', 'retry'],
  'not-listening': [wire('ECONNREFUSED', { baseUrl: 'http://127.0.0.1:11434/v1' }), 'timeout', 'fallback'],
  'unknown-host': [wire('ENOTFOUND'), 'timeout', 'retry'],
  silent: [wire('ETIMEDOUT'), 'timeout', 'retry'],
  unreachable: [wire('EHOSTUNREACH'), 'timeout', 'retry'],
  'broken-large': [wire('ECONNRESET', { large: true }), 'context_overflow', 'compress'],
  broken: [wire('ECONNRESET'), 'timeout', 'retry'],
  cut: [facts({ text: 'Stream ended without finish_reason', started: true }), 'stream_cut', 'retry'],
  'no-answer': [facts({ text: 'Stream ended without finish_reason' }), 'invalid_response', 'retry'],
  'overflow-wording': [facts({ text: 'input is too long for this model' }), 'context_overflow', 'compress'],
  'no-key': [facts({ text: 'No API key for provider: x' }), 'auth', 'rotate'],
};

describe('error table', () => {
  it('has an example for every row and no row twice', () => {
    expect(ERROR_TABLE.map((row) => row.id).sort()).toEqual(Object.keys(ROWS).sort());
  });

  it.each(Object.entries(ROWS))('%s', (id, [given, reason, recovery]) => {
    const failure = classifyFailure(given);
    expect(failure).toMatchObject({ reason, recovery });
    const row = ERROR_TABLE.find((candidate) => candidate.id === id);
    expect([row?.reason, row?.recovery]).toEqual([reason, recovery]);
    // One sentence with something in it, and where a person has to act, the step.
    expect(failure.message.trim().length).toBeGreaterThan(10);
    expect(failure.message).not.toMatch(/[\n<]/);
    expect(failure.message).toMatch(/[.!?…]$/);
    if (recovery === 'fallback' || recovery === 'rotate' || recovery === 'compress' || recovery === 'abort')
      expect(failure.hint).toBeTruthy();
  });

  it('takes a refusal for a parameter even when it speaks of max_tokens', () => {
    const text =
      "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead; token limit applies.";
    expect(classifyFailure(http(400, text, { large: true })).recovery).toBe('fallback');
  });

  it('reads the error that an aggregator wraps', () => {
    const raw = JSON.stringify({ error: { message: 'prompt is too long: 250000 tokens > 200000 maximum' } });
    const body = JSON.stringify({ error: { message: 'Provider returned error', code: 400, metadata: { raw } } });
    expect(classifyFailure(facts({ trace: { status: 400, body } }))).toMatchObject({
      reason: 'context_overflow',
      message: expect.stringContaining('250000'),
    });
  });

  it('understands an error inside a stream that began well', () => {
    const text = '{"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}}';
    expect(classifyFailure(facts({ text, started: true }))).toMatchObject({ reason: 'overloaded', recovery: 'retry' });
  });

  it('never shows the key, whatever the provider echoes', () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), fc.constantFrom(400, 401, 403, 404, 429, 500), (before, after, status) => {
        const failure = classifyFailure(http(status, `${before}${SECRET}${after} Bearer sk-proj-abcdef123456`));
        expect(JSON.stringify(failure)).not.toContain(SECRET);
        expect(failure.message).not.toContain('abcdef123456');
        expect(failure.message.length).toBeLessThanOrEqual(500);
      }),
    );
  });

  it('survives any body', () => {
    fc.assert(
      fc.property(
        fc.oneof(fc.json(), fc.string()),
        fc.integer({ min: 400, max: 599 }),
        fc.boolean(),
        (body, status, large) => {
          expect(classifyFailure(facts({ trace: { status, body }, large })).status).toBe(status);
        },
      ),
    );
  });
});

describe('retry-after', () => {
  it.each([
    [{ 'retry-after': '5' }, '', 5000],
    [{ 'retry-after-ms': '250' }, '', 250],
    [{ 'retry-after': new Date(60_000).toUTCString() }, '', 50_000],
    [{}, 'please try again in 1m 30s', 90_000],
    [{}, 'resets in 2 hours', 7_200_000],
    [{}, 'no idea', undefined],
  ])('%j %s', (headers, words, expected) => {
    expect(readRetryAfter(headers as Record<string, string>, words, 10_000)).toBe(expected);
  });
});
