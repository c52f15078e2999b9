/** What a person or model typed into search, made into a query that can never be a syntax error. */

export type QueryToken =
  | { readonly kind: 'operator'; readonly text: 'AND' | 'OR' | 'NOT' }
  | {
      readonly kind: 'word' | 'phrase';
      readonly text: string;
      /** A trailing `*`: words that begin so. */
      readonly prefix: boolean;
    };

export type SearchTerm = Exclude<QueryToken, { readonly kind: 'operator' }>;

const MAX_QUERY_CHARS = 2048;
const MAX_TOKENS = 64;
const SPECIAL = /[+{}():^@/#&|~[\]<>,;!?$=\\'`\p{Cc}]/gu;
const CJK = /[\u4e00-\u9fff\u3400-\u4dbf\u{20000}-\u{2a6df}\u3000-\u303f\u3040-\u30ff\uac00-\ud7af]/u;
const ALL_CJK = new RegExp(CJK.source, 'gu');
const MEANINGFUL = /[\p{L}\p{N}\p{M}\p{S}]/u;
const INDEXABLE = /[\p{L}\p{N}\p{M}]/u;
const KEYWORD = /^(?:AND|OR|NOT|NEAR)$/;
const BARE_WORD = /^[A-Za-z0-9\u0080-\u{10ffff}]+$/u;

export function hasCjk(text: string): boolean {
  return CJK.test(text);
}

/** @returns words, quoted phrases and operators between them; empty when there is nothing to search for */
export function parseQuery(query: string): QueryToken[] {
  const text = query.slice(0, MAX_QUERY_CHARS).toWellFormed();
  const cjk = hasCjk(text);
  const tokens: QueryToken[] = [];
  let position = 0;
  for (const match of text.matchAll(/"([^"]*)"/g)) {
    tokens.push(...parseWords(text.slice(position, match.index), cjk));
    const phrase = (match[1] ?? '').replace(/\p{Cc}+/gu, ' ').trim();
    if (MEANINGFUL.test(phrase)) tokens.push({ kind: 'phrase', text: phrase, prefix: false });
    position = match.index + match[0].length;
  }
  tokens.push(...parseWords(text.slice(position), cjk));
  return settleOperators(tokens.slice(0, MAX_TOKENS));
}

function parseWords(text: string, cjk: boolean): QueryToken[] {
  const plain = text.replace(/"/g, ' ').replace(SPECIAL, ' ');
  return (cjk ? plain : plain.replaceAll('%', ' ')).split(/\s+/).flatMap((word) => {
    if (word === 'AND' || word === 'OR' || word === 'NOT') return [{ kind: 'operator' as const, text: word }];
    return parseWord(word);
  });
}

function parseWord(word: string): QueryToken[] {
  return [...word.matchAll(/([^*]+)(\**)/g)].flatMap(([, text = '', stars = '']) =>
    MEANINGFUL.test(text) ? [{ kind: 'word' as const, text, prefix: stars !== '' }] : [],
  );
}

/** No operator at either end, and of several in a row only the last. */
function settleOperators(tokens: readonly QueryToken[]): QueryToken[] {
  const settled: QueryToken[] = [];
  for (const token of tokens) {
    if (token.kind === 'operator') {
      if (settled.length === 0) continue;
      if (settled.at(-1)?.kind === 'operator') settled.pop();
    }
    settled.push(token);
  }
  if (settled.at(-1)?.kind === 'operator') settled.pop();
  return settled;
}

export function terms(tokens: readonly QueryToken[]): SearchTerm[] {
  return tokens.filter((token) => token.kind !== 'operator');
}

/** Every term has a letter or digit, which is what the word index consists of. */
export function isIndexable(tokens: readonly QueryToken[]): boolean {
  return terms(tokens).every((term) => INDEXABLE.test(term.text));
}

/** Long enough for the trigram index, which knows nothing shorter than three characters. */
export function fitsTrigrams(tokens: readonly QueryToken[]): boolean {
  return terms(tokens).every((term) => {
    const cjk = term.text.match(ALL_CJK)?.length ?? 0;
    return [...term.text].length >= 3 && (cjk === 0 || cjk >= 3);
  });
}

/**
 * The query in FTS5's language.
 * @param quoteAll every term as a phrase, as the trigram index needs
 */
export function toMatchExpression(tokens: readonly QueryToken[], quoteAll = false): string {
  return tokens
    .map((token) => {
      if (token.kind === 'operator') return token.text;
      const bare = !quoteAll && token.kind === 'word' && BARE_WORD.test(token.text) && !KEYWORD.test(token.text);
      const text = bare ? token.text : `"${token.text}"`;
      return token.prefix && !quoteAll ? `${text}*` : text;
    })
    .join(' ');
}
