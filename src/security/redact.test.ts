import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createRedactor, mask, redactSecrets } from './redact.ts';

const digits = '0123456789abcdefghij0123456789abcdefghij';

describe('redactSecrets', () => {
  it.each([
    'sk-test-0000000000000000000000',
    `sk-ant-${digits}`,
    `sk_live_${digits}`,
    `ghp_${digits}`,
    `github_pat_${digits}`,
    `glpat-${digits}`,
    `xoxb-${digits}`,
    `AIza${digits}`,
    'AKIAABCDEFGHIJKLMNOP',
    `hf_${digits}`,
    `npm_${digits}`,
    `pypi-${digits}`,
    `gsk_${digits}`,
    `xai-${digits}`,
    `SG.${digits}`,
    `tvly-${digits}`,
    `eyJhbGciOiJIUzI1NiJ9.${digits}.${digits}`,
    `12345678:${digits}`,
  ])('KF-172: masks %s', (secret) => {
    for (const text of [secret, `before ${secret} after`, `"${secret}"`, `x=${secret}\n`, `{"a":"${secret}"}`]) {
      expect(redactSecrets(text)).not.toContain(secret);
      expect(redactSecrets(text, { kind: 'code' })).not.toContain(secret);
    }
  });

  it.each([
    'KEY=${' + 'API_KEY}',
    'os.environ["TOKEN"]',
    'f"mysql://{u}:{p}@{h}/d"',
    'headers = {"X-Api-Key": token, "n": 1}',
    'max_tokens: 4096',
    'password: string',
    'token = get_token()',
    'const tokenizer = make(1)',
    'auth_token=process.env.X',
    'password = input("pw")',
    'npm_config_registry=x',
    'sk-learn-something',
    'class="sk-toggleable__label-2"',
    'author: Bob',
    'pass: true',
    'primary_key: id',
    'SSH_KEY=/home/a/.ssh/id',
    'key: value',
    'Key: Ctrl+C',
    'secret: null',
    'fal_se_positive_name',
    'am_I_there_yet',
    '+1700000000 added line',
    'git log --author=key',
    'https://example.org/a@b',
    'https://user@example.org/x',
    'API_KEY=your_key_here',
  ])('KF-171: leaves %s', (text) => expect(redactSecrets(text)).toBe(text));

  it.each([
    ['OPENAI_API_KEY=abc123def', 'abc123def'],
    ['password: hunter22', 'hunter22'],
    ['export DB_PASSWORD="p@ss w0rd"', 'p@ss w0rd'],
    ['"apiKey": "abcdef0123456789abcdef"', 'abcdef0123456789abcdef'],
    ["{'client_secret': 'abcdefgh1234'}", 'abcdefgh1234'],
    ['Authorization: Bearer abcdefghijklmnopqrstuvwx', 'abcdefghijklmnopqrstuvwx'],
    ['-H "X-API-Key: abcdefgh12345678"', 'abcdefgh12345678'],
    ['mysql://root:hunter22@db/x', 'hunter22'],
    ['https://a1b2c3d4e5f6a7b8c9@github.com/x', 'a1b2c3d4e5f6a7b8c9'],
    ['curl "https://x/?api_key=abcdef12345&b=1"', 'abcdef12345'],
    ['call +4915123456789 now', '4915123456789'],
    ['-----BEGIN RSA PRIVATE KEY-----\nabc\n-----END RSA PRIVATE KEY-----', '\nabc\n'],
  ])('masks %s', (text, secret) => expect(redactSecrets(text)).not.toContain(secret));

  it('source code keeps its assignments, not its keys', () => {
    expect(redactSecrets('password = "correct horse 1"', { kind: 'code' })).toBe('password = "correct horse 1"');
  });

  it('does nothing when it is switched off', () => {
    expect(createRedactor(false)('sk-test-0000000000000000000000')).toBe('sk-test-0000000000000000000000');
  });

  it('a masked secret shows little, and less the shorter it is', () => {
    fc.assert(
      fc.property(fc.string({ minLength: 1, maxLength: 80 }), (secret) => {
        const shown = mask(secret);
        if (secret.length < 18) expect(shown).toBe('***');
        else expect(shown.length).toBeLessThan(secret.length);
      }),
    );
  });

  it('changes nothing the second time', () => {
    const word = fc.constantFrom(
      'password',
      'api_key',
      'token',
      '=',
      ': ',
      '"',
      "'",
      'abcdef0123456789abcdef',
      'sk-',
      'ghp_',
      digits,
      '\n',
      ' ',
      'https://',
      '@',
      ':',
      'Authorization: Bearer ',
      'x',
      '***',
    );
    fc.assert(
      fc.property(fc.array(word, { maxLength: 12 }), (parts) => {
        const once = redactSecrets(parts.join(''));
        expect(redactSecrets(once)).toBe(once);
      }),
      { numRuns: 1000 },
    );
  });

  it('takes time in proportion to the text', () => {
    for (const text of [
      'a'.repeat(300_000),
      'key='.repeat(75_000),
      '://'.repeat(100_000),
      '"'.repeat(200_000),
      'sk-'.repeat(100_000),
      '+1'.repeat(100_000),
      'a_'.repeat(100_000),
      '0'.repeat(200_000),
      'x-'.repeat(100_000),
      'a.'.repeat(100_000),
      'eyJ.'.repeat(50_000),
      '?a'.repeat(100_000),
    ]) {
      expect(redactSecrets(text).length).toBeGreaterThan(0);
    }
  });
});
