import { DatabaseSync } from 'node:sqlite';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fitsTrigrams, parseQuery, toMatchExpression } from './query.ts';

const SYNTAX = fc.string({
  unit: fc.constantFrom(
    '"',
    '*',
    '(',
    ')',
    'AND',
    'OR',
    'NOT',
    'NEAR',
    ' ',
    '-',
    '.',
    '_',
    ':',
    '^',
    '+',
    '%',
    'a',
    'deploy',
    '請求',
    '\0',
    '\ud83d',
    '🚀',
    "'",
  ),
  maxLength: 20,
});

function expression(query: string): string {
  return toMatchExpression(parseQuery(query));
}

describe('the search sanitiser', () => {
  it('never makes a syntax error, for words and for trigrams', () => {
    const db = new DatabaseSync(':memory:');
    db.exec("CREATE VIRTUAL TABLE words USING fts5(t); CREATE VIRTUAL TABLE grams USING fts5(t, tokenize='trigram')");
    const words = db.prepare('SELECT rowid FROM words WHERE words MATCH ?');
    const grams = db.prepare('SELECT rowid FROM grams WHERE grams MATCH ?');
    fc.assert(
      fc.property(fc.oneof(SYNTAX, fc.string({ unit: 'binary' }), fc.string()), (query) => {
        const tokens = parseQuery(query);
        if (tokens.length === 0) return;
        words.all(toMatchExpression(tokens));
        grams.all(toMatchExpression(tokens, true));
      }),
      { numRuns: 500 },
    );
    db.close();
  });

  it('KF-016: dangling operators go', () => {
    expect(expression('deploy AND')).toBe(expression('deploy'));
    expect(expression('AND OR deploy NOT')).toBe(expression('deploy'));
    expect(parseQuery('(')).toEqual([]);
    expect(parseQuery('')).toEqual([]);
    expect(parseQuery('AND OR')).toEqual([]);
  });

  it('keeps phrases, prefixes and operators between terms', () => {
    expect(expression('"exact words" OR dep*')).toBe('"exact words" OR dep*');
    expect(expression('***dep**')).toBe('dep*');
    expect(expression('a AND OR b')).toBe('a OR b');
  });

  it('drops a stray quote and quotes words joined by dots, hyphens and underscores', () => {
    expect(expression('retry-queue v2.10.3 snake_case "open')).toBe('"retry-queue" "v2.10.3" "snake_case" open');
  });

  it('KF-017: keeps % beside CJK and drops it elsewhere', () => {
    expect(parseQuery('100%達成')).toMatchObject([{ text: '100%達成' }]);
    expect(parseQuery('50%')).toMatchObject([{ text: '50' }]);
  });

  it('uses trigrams only when every term is long enough', () => {
    expect(fitsTrigrams(parseQuery('在庫調整'))).toBe(true);
    expect(fitsTrigrams(parseQuery('請求 OR 会議 OR 在庫'))).toBe(false);
    expect(fitsTrigrams(parseQuery('在庫調整 AI'))).toBe(false);
  });

  it('reads no more than its limit', () => {
    expect(parseQuery('a '.repeat(100_000)).length).toBeLessThan(100);
  });
});
