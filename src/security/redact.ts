/** Masks secrets in text that is shown, logged or sent to a model; never in what is written or run. */

export interface RedactOptions {
  /** `code`: no `name = value` masking, since source code names secrets without holding them. Default `text`. */
  readonly kind?: 'text' | 'code';
}

export type Redact = (text: string, options?: RedactOptions) => string;

/** @param enabled `security.redact_secrets`, fixed for the life of the process */
export function createRedactor(enabled: boolean): Redact {
  return enabled ? redactSecrets : (text) => text;
}

// One linear look decides for most texts that there is nothing to do.
const hints =
  /sk[-_]|rk_live_|gh[pousr]_|github_pat_|glpat-|gl(?:dt|rt|ft|cbt|ptt|soat)-|xox|xapp-|AIza|pplx-|fal_|fc-|bb_live_|gAAAA|AKIA|ASIA|SG\.|hf_|r8_|npm_|pypi-|do[op]_v1_|tvly-|exa_|xai-|ntn_|fw[_-]|am_|syt_|retaindb_|mem0_|brv_|pk-lf-|key|token|secret|pass|credential|auth|pw|:\/\/|eyJ|-----BEGIN|\d{8}:|\+\d{8}/i;

/** Idempotent: masked text stays as it is. */
export function redactSecrets(text: string, options: RedactOptions = {}): string {
  if (!hints.test(text)) return text;
  let out = text.replace(privateKey, '[private key removed]');
  out = out.replace(authorization, (_all, before: string, value: string) => before + maskValue(value));
  out = out.replace(apiKeyHeader, (_all, before: string, value: string) => before + maskValue(value));
  out = out.replace(urlUserInfo, maskUserInfo);
  out = out.replace(urlQuery, (_all, before: string, value: string) => before + maskValue(value));
  out = out.replace(jwt, mask);
  for (const pattern of tokens) out = out.replace(pattern, mask);
  out = out.replace(telegram, mask);
  if (options.kind !== 'code') out = out.replace(assignment, maskAssignment);
  return out.replace(phone, mask);
}

/** Short values go whole; of long ones enough stays to tell which it was. */
export function mask(value: string): string {
  return value.length < 18 ? '***' : `${value.slice(0, 6)}...${value.slice(-4)}`;
}

const masked = /^(?:\*+|\S{6}\.\.\.\S{4}|\[private key removed\])$/;
/** A look-up, a template or a placeholder: it names a secret and holds none. */
const lookup =
  /[${}<>()[\]]|^(?:process\.env|os\.environ|env\.|self\.|this\.|config\.|settings\.|args\.|\.\.\.)|^(?:x+|\*+|\.+)$|^%\w*%?$|^your[_-]/i;

function maskValue(value: string): string {
  return masked.test(value) || lookup.test(value) ? value : mask(value);
}

/**
 * Known prefixes. Those that begin ordinary words (`fal_`, `am_`, `npm_`) need a digit further on and no second
 * underscore, as the real ones have.
 */
const tokens: readonly RegExp[] = [
  /(?<![\w-])(?:sk-|pk-lf-|pplx-|fc-|hsk-|tvly-)(?![\w-]*__)(?=[\w-]*\d)[\w-]{10,}/g,
  /(?<![\w-])(?:sk_live_|sk_test_|rk_live_|bb_live_|gh[pousr]_|do[op]_v1_|ntn_|syt_|retaindb_)\w{10,}/g,
  /(?<![\w-])(?:sk_|hf_|r8_|npm_|fal_|exa_|gsk_|am_|mem0_|brv_)(?=[A-Za-z0-9]*\d)[A-Za-z0-9]{10,}(?![\w-])/g,
  /(?<![\w-])(?:github_pat_\w{10,}|gl(?:pat|dt|rt|ft|cbt|ptt|soat)-[\w-]{10,}|pypi-[\w-]{10,}|gAAAA[\w=-]{10,})/g,
  /(?<![\w-])(?:xox[baprs]-[\w-]{10,}|xapp-[\w-]{10,}|SG\.[\w.-]{10,})/g,
  /(?<![\w-])(?:AIza[\w-]{30,}|xai-[\w-]{30,}|fw[_-][\w-]{30,})/g,
  /(?<![\w-])A(?:KIA|SIA)[A-Z0-9]{16}(?![A-Z0-9])/g,
];

const privateKey = /-----BEGIN ([A-Z ]*)PRIVATE KEY-----[\s\S]*?(?:-----END \1PRIVATE KEY-----|$)/g;
const jwt = /(?<![\w-])eyJ[\w-]{8,}\.[\w-]{8,}(?:\.[\w-]*)?/g;
const telegram = /(?<![\w:])(?:bot)?\d{8,}:[A-Za-z0-9_-]{30,}/g;
// Not at the start of a line: there a plus sign and a number are an added line of a diff.
const phone = /(?<=[^\n\w+./:-])\+[1-9]\d{9,14}(?![\w.])/g;
const authorization = /(\bauthorization["']?\s*[:=]\s*["']?(?:bearer|basic|token|digest|apikey)\s+)([^\s"',;]{6,})/gi;
const apiKeyHeader =
  /((?<![\w-])(?:x-[\w-]{0,60}(?:key|token|secret)|api-key|xi-api-key)["']?\s*:\s*["']?)([^\s"',;{}]{8,})/gi;
const urlQuery =
  /([?&](?:[\w-]{0,60}(?:api[_-]?key|token|secret|password|passwd|signature|credential)|key|sig|auth|pw|pass)=)([^\s&#"'<>`]{4,})/gi;
const urlUserInfo = /(?<![a-z0-9+.-])([a-z][a-z0-9+.-]{0,30}:\/\/)([^\s/@"'`]{1,512})@(?=[\w[{$-])/gi;

function maskUserInfo(all: string, scheme: string, info: string): string {
  const at = info.indexOf(':');
  if (at !== -1) return `${scheme}${info.slice(0, at + 1)}${maskValue(info.slice(at + 1))}@`;
  const opaque = info.length >= 16 && /\d/.test(info) && /^[\w-]+$/.test(info);
  return opaque ? `${scheme}${maskValue(info)}@` : all;
}

/**
 * `name = value`, `name: value`, `"name": "value"` with a secret's word among the parts of the name. Groups:
 * what stands before the value, the name, the value with its quotes.
 */
const assignment =
  /((?<![\w$.-])["']?([A-Za-z][\w.-]{0,80})["']?[ \t]*(?:=|:(?!:|\/\/))[ \t]*)("(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|[^\s"'`,;#&|]+)/g;

/** A value under these names is a secret if it is not plainly something else. */
const strong =
  /(?:^|[_.-])(?:secret|password|passwd|passphrase|credentials?|api[_-]?key|apikey|(?:access|private|secret|signing|encryption|service|master|account)[_-]?key|(?:access|auth|refresh|bot|api|bearer|id|session)[_-]?token|auth[_-]?key|client[_-]?secret)(?:$|[_.-])/;
/** These also name harmless things, so the value has to look random. */
const weak = /(?:^|[_.-])(?:key|token|pass|pw|auth)(?:$|[_.-])/;
const plainWords =
  /^(?:true|false|null|none|nil|undefined|yes|no|on|off|required|optional|string|str|bool(?:ean)?|number|int(?:eger)?|float|any|unknown|object|bytes|text|hidden|secret|password|token|key|changed?|missing|invalid|empty|not|is|the|a|an|value|type|default|auto|bearer|basic|never|set|unset|redacted)$/i;

function maskAssignment(all: string, before: string, rawName: string, rawValue: string): string {
  const name = rawName.replace(/([a-z0-9])([A-Z])/g, '$1_$2').toLowerCase();
  const isStrong = strong.test(name);
  if (!isStrong && !weak.test(name)) return all;
  const quote = /^["']/.exec(rawValue)?.[0] ?? '';
  const value = quote === '' ? rawValue : rawValue.slice(1, -1);
  if (masked.test(value) || lookup.test(value) || isPath(value) || plainWords.test(value)) return all;
  if (isStrong ? value.length < 4 || isPlainExpression(value, quote) : !looksRandom(value)) return all;
  return before + quote + mask(value) + quote;
}

function isPath(value: string): boolean {
  return /^(?:~?\/|\.{1,2}\/|[A-Za-z]:\\)/.test(value) && !/\s/.test(value);
}

/** Unquoted source text such as `password: string` or `secret = get_secret`. */
function isPlainExpression(value: string, quote: string): boolean {
  return quote === '' ? /^[a-z]+(?:[_.][a-z]+)+$/i.test(value) || /^\d{1,3}$/.test(value) : /\s.*\s/.test(value);
}

function looksRandom(value: string): boolean {
  return value.length >= 16 && /^[\w+/=.-]+$/.test(value) && /\d/.test(value) && /[A-Za-z]/.test(value);
}
