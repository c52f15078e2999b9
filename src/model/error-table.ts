/** The rows behind `classifyFailure`. Wording is matched here and nowhere else. */
import type { Recovery } from './client.ts';
import type { ErrorView } from './errors.ts';

export interface ErrorRow {
  /** Unique: names the row in tests. */
  readonly id: string;
  readonly reason: string;
  readonly recovery: Recovery;
  when(view: ErrorView): boolean;
  /** One sentence for a person. */
  message(view: ErrorView): string;
  /** The command or step that mends it. */
  hint?(view: ErrorView): string;
}

const SAFETY =
  /content_filter|content policy|usage polic|safety (system|filter|polic)|flagged (as|for|by)|refused to complete|prohibited_content|responsibleai/;
const BILLING =
  /insufficient[_ ](credits?|balance|quota|funds)|credit balance|payment[_ ]required|out of funds|out of credits|billing_not_active|spending limit|key limit exceeded|exceeded your current quota|add more credits/;
const RATE = /rate[_ ]limit|too many requests|per minute|try again in|resource[_ ]exhausted|throttl/;
const PLAN_LIMIT = /quota|usage[_ ]limit|plan limit|monthly|weekly|daily|see your plan|upgrade your plan/;
const OVERLOAD =
  /overloaded|(at|over) capacity|capacity exceeded|server is busy|engine is currently busy|"code":"?1305/;
const OVERFLOW =
  /context[_ ](length|window|size)|maximum context|tokens in the prompt|window of (this|the) model|(prompt|input|request) is too (long|large)|too many (input )?tokens|token limit|max_model_len|n_ctx|exceeds? the (available )?context|maximum (allowed )?(number of )?(input )?tokens|上下文长度|超过最大长度/;
const PARAMETER =
  /(unknown|unsupported|unrecognized|unexpected|invalid) (request )?(parameter|argument|field|value|keyword)|is not supported (with|by|for) this model|not permitted|unsupported_(parameter|value)|unknown_parameter|does not support (the )?(parameter|tools?|temperature)/;
const NO_MODEL =
  /model[_ ](not[_ ]found|not[_ ]available)|invalid[_ ]model|no such model|unknown model|not a valid model|model .{0,120}(does not exist|not found|is not available|not supported)|does not exist or you do not have access|no endpoints found|model:/;
const PRIVACY = /data[_ ]policy|privacy polic|data policy|zero data retention/;
const IMAGE_SIZE = /image.{0,80}(too large|exceeds|maximum|dimensions|size)|(too large|exceeds).{0,60}image/;
const NO_IMAGES =
  /(does not|doesn't|not) support.{0,40}(image|vision|multimodal)|image(_url|s)?.{0,40}(not supported|unsupported|is not allowed)|unknown variant .?image_url|no endpoints found that support image/;
const CERTIFICATE = /^(CERT_|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO_(VERIFY|GET_ISSUER)|ERR_TLS_CERT)/;
const TLS = /^(EPROTO|ERR_SSL|ERR_TLS)/;
const BROKEN = /^(ECONNRESET|EPIPE|ECONNABORTED|ERR_STREAM_PREMATURE_CLOSE|Z_BUF_ERROR|HPE_)/;
const CUT = /ended without|ended before|terminated|premature|aborted|socket hang up|not json/;
const WRONG_KEY =
  /(invalid|incorrect|missing|no|bad) (api[ -_]?key|x-api-key|auth)|authentication[_ ](error|fails|failed)|unauthorized|invalid_api_key|no auth credentials/;

const RETRY_LATER = (): string => 'Wait a moment and send it again, or choose another model with `hermes model`.';
const OTHER_MODEL = (): string => 'Choose another model with `hermes model`.';
const SMALLER = (): string => 'Start a fresh conversation with /new, or switch to a model that reads more with /model.';
const NEW_KEY = (view: ErrorView): string => {
  const name = view.envVars?.[0];
  return `Run \`hermes setup\` to enter a working key${name === undefined ? '' : ` (or set ${name})`}.`;
};
const REACH = (view: ErrorView): string =>
  isLoopback(view)
    ? 'Start the model server, or choose another model with `hermes model`.'
    : 'Check the connection and the address (`hermes config get model.base_url`), or choose another model with `hermes model`.';

const isWebAddress = (url: string): boolean => URL.canParse(url) && /^https?:$/.test(new URL(url).protocol);
const isLoopback = (view: ErrorView): boolean => /^(localhost|127\.|\[::1\]|0\.0\.0\.0)/.test(view.host);
const with400 = (view: ErrorView): boolean => view.status === 400 || view.status === 422;
const quoted = (view: ErrorView): string => (view.said === '' ? '' : `: ${view.said}`);
const status = (view: ErrorView): string => (view.status === undefined ? '' : ` (${view.status})`);

const overflow = (view: ErrorView): string => `The conversation is longer than ${view.model} can read${quoted(view)}`;
const rejected = (view: ErrorView): string => `${view.providerName} rejected the request${status(view)}${quoted(view)}`;
const badKey = (view: ErrorView): string =>
  view.keySource === undefined
    ? `${view.providerName} wants a key and none is set`
    : `${view.providerName} did not accept the key from ${view.keySource}${quoted(view)}`;
const noCredit = (view: ErrorView): string => `The account at ${view.providerName} has no credit left${quoted(view)}`;
const noModel = (view: ErrorView): string =>
  `${view.providerName} does not know the model ${view.model}${quoted(view)}`;
const busy = (view: ErrorView): string => `${view.providerName} is overloaded${status(view)}`;
const limited = (view: ErrorView): string => `${view.providerName} limits the rate of requests${quoted(view)}`;

/** Read from top to bottom. */
export const ERROR_TABLE: readonly ErrorRow[] = [
  {
    id: 'bad-address',
    reason: 'not_found',
    recovery: 'fallback',
    when: (v) => v.status === undefined && v.baseUrl !== '' && !isWebAddress(v.baseUrl), // some need none
    message: (v) => `${JSON.stringify(v.baseUrl)} is not the address of a model server`,
    hint: () => 'Set one that begins with http:// or https://: `hermes config set model.base_url http://…/v1`.',
  },
  {
    id: 'stalled',
    reason: 'timeout',
    recovery: 'retry',
    when: (v) => v.timer === 'stale',
    message: (v) => `${v.providerName} stopped sending in the middle of the answer`,
    hint: RETRY_LATER,
  },
  {
    id: 'call-timeout',
    reason: 'timeout',
    recovery: 'fallback',
    when: (v) => v.timer === 'call',
    message: (v) => `${v.model} did not finish its answer in time`,
    hint: OTHER_MODEL,
  },
  {
    id: 'safety',
    reason: 'content_policy_blocked',
    recovery: 'fallback',
    when: (v) => (v.status ?? 400) < 429 && v.status !== 401 && SAFETY.test(v.words),
    message: (v) => `${v.providerName} refused the request for its content${quoted(v)}`,
    hint: () => 'Rephrase the request, or choose another model with `hermes model`.',
  },
  {
    id: 'thinking-signature',
    reason: 'thinking_signature',
    recovery: 'retry',
    when: (v) => with400(v) && /thinking/.test(v.words) && /signature|cannot be modified|must remain/.test(v.words),
    message: (v) => `${v.providerName} no longer accepts the earlier reasoning of this conversation`,
  },
  {
    id: 'sealed-reasoning',
    reason: 'thinking_signature',
    recovery: 'retry',
    when: (v) => with400(v) && /invalid_encrypted_content|encrypted content/.test(v.words),
    message: (v) => `${v.providerName} no longer accepts the earlier reasoning of this conversation`,
  },
  {
    id: 'long-context-tier',
    reason: 'long_context_tier',
    recovery: 'compress',
    when: (v) => v.status === 429 && /long[- ]context|extra usage/.test(v.words) && /extra usage|tier|1m/.test(v.words),
    message: (v) => `This account may not use the long window of ${v.model}`,
    hint: SMALLER,
  },
  {
    id: 'grammar',
    reason: 'llama_cpp_grammar_pattern',
    recovery: 'retry',
    when: (v) =>
      (with400(v) || v.status === 500) &&
      /(parse|convert|compile|build|generate).{0,60}(grammar|json[- ]schema)|grammar.{0,40}(error|fail|pars)|json schema conversion/.test(
        v.words,
      ),
    message: () => 'The model server cannot read a tool description',
  },
  {
    id: 'unauthorized',
    reason: 'auth',
    recovery: 'rotate',
    when: (v) => v.status === 401 || (v.status === undefined && /authentication_error|invalid_api_key/.test(v.code)),
    message: badKey,
    hint: NEW_KEY,
  },
  {
    id: 'forbidden-billing',
    reason: 'billing',
    recovery: 'rotate',
    when: (v) => v.status === 403 && (BILLING.test(v.words) || /credit|spending|limit exceeded/.test(v.words)),
    message: noCredit,
    hint: () => 'Add credit at the provider, or choose another model with `hermes model`.',
  },
  {
    id: 'forbidden',
    reason: 'auth',
    recovery: 'fallback',
    when: (v) => v.status === 403,
    message: (v) => `The key for ${v.providerName} may not use ${v.model}${quoted(v)}`,
    hint: NEW_KEY,
  },
  {
    id: 'usage-window',
    reason: 'rate_limit',
    recovery: 'rotate',
    when: (v) => v.status === 402 && /usage[_ ]limit|limit reached/.test(v.words) && /try again|reset/.test(v.words),
    message: limited,
    hint: RETRY_LATER,
  },
  {
    id: 'payment',
    reason: 'billing',
    recovery: 'rotate',
    when: (v) => v.status === 402 || (v.status === 404 && BILLING.test(v.words)),
    message: noCredit,
    hint: () => 'Add credit at the provider, or choose another model with `hermes model`.',
  },
  {
    id: 'policy',
    reason: 'provider_policy_blocked',
    recovery: 'abort',
    when: (v) => (v.status === 404 || with400(v)) && PRIVACY.test(v.words),
    message: (v) => `The privacy settings at ${v.providerName} exclude every host of ${v.model}`,
    hint: () => 'Change the privacy settings at the provider, or choose another model with `hermes model`.',
  },
  {
    id: 'no-images',
    reason: 'images_unsupported',
    recovery: 'retry',
    when: (v) => (with400(v) || v.status === 404) && NO_IMAGES.test(v.words),
    message: (v) => `${v.model} does not read pictures`,
  },
  {
    id: 'missing-model',
    reason: 'model_not_found',
    recovery: 'fallback',
    when: (v) => v.status === 404 && (NO_MODEL.test(v.words) || /model/.test(v.code)),
    message: noModel,
    hint: OTHER_MODEL,
  },
  {
    id: 'missing-path',
    reason: 'not_found',
    recovery: 'fallback',
    when: (v) => v.status === 404,
    message: (v) => `There is no model interface at ${v.baseUrl} (404)`,
    hint: () => 'Check the address: `hermes config get model.base_url`; most end in /v1.',
  },
  {
    id: 'too-large',
    reason: 'payload_too_large',
    recovery: 'compress',
    when: (v) => v.status === 413 || /payload too large|request entity too large/.test(v.words),
    message: (v) => `The request is larger than ${v.providerName} accepts`,
    hint: SMALLER,
  },
  {
    id: 'overloaded-429',
    reason: 'overloaded',
    recovery: 'retry',
    when: (v) => v.status === 429 && OVERLOAD.test(v.words),
    message: busy,
    hint: RETRY_LATER,
  },
  {
    id: 'no-credit-429',
    reason: 'billing',
    recovery: 'rotate',
    when: (v) => v.status === 429 && BILLING.test(v.words),
    message: noCredit,
    hint: () => 'Add credit at the provider, or choose another model with `hermes model`.',
  },
  {
    id: 'plan-limit',
    reason: 'rate_limit',
    recovery: 'rotate',
    when: (v) => v.status === 429 && PLAN_LIMIT.test(v.words) && !/per[- ](minute|second)/.test(v.words),
    message: limited,
    hint: RETRY_LATER,
  },
  {
    id: 'rate-limit',
    reason: 'rate_limit',
    recovery: 'retry',
    when: (v) => v.status === 429,
    message: limited,
    hint: RETRY_LATER,
  },
  {
    id: 'image-size',
    reason: 'image_too_large',
    recovery: 'retry',
    when: (v) => with400(v) && IMAGE_SIZE.test(v.words),
    message: (v) => `A picture is larger than ${v.providerName} accepts`,
  },
  {
    id: 'parameter',
    reason: 'format_error',
    recovery: 'fallback',
    when: (v) =>
      (with400(v) || v.status === 500 || v.status === 502) &&
      PARAMETER.test(v.words) &&
      !/context_length_exceeded/.test(v.code),
    message: rejected,
    hint: OTHER_MODEL,
  },
  {
    id: 'overflow',
    reason: 'context_overflow',
    recovery: 'compress',
    when: (v) =>
      (with400(v) || (v.status ?? 500) >= 500) &&
      v.system === '' &&
      (OVERFLOW.test(v.words) || /context_length_exceeded|max_tokens_exceeded/.test(v.code)),
    message: overflow,
    hint: SMALLER,
  },
  {
    id: 'bad-model',
    reason: 'model_not_found',
    recovery: 'fallback',
    when: (v) => with400(v) && (NO_MODEL.test(v.words) || /model_not_(found|available)|invalid_model/.test(v.code)),
    message: noModel,
    hint: OTHER_MODEL,
  },
  {
    id: 'bad-key',
    reason: 'auth',
    recovery: 'rotate',
    when: (v) => with400(v) && (WRONG_KEY.test(v.words) || /api key not valid/.test(v.words)),
    message: badKey,
    hint: NEW_KEY,
  },
  {
    id: 'rate-wording',
    reason: 'rate_limit',
    recovery: 'retry',
    when: (v) => (with400(v) || v.status === undefined) && (RATE.test(v.words) || /rate_limit/.test(v.code)),
    message: limited,
    hint: RETRY_LATER,
  },
  {
    id: 'billing-wording',
    reason: 'billing',
    recovery: 'rotate',
    when: (v) =>
      (with400(v) || v.status === undefined) &&
      (BILLING.test(v.words) || /insufficient_(quota|credits)|billing_not_active|payment_required/.test(v.code)),
    message: noCredit,
    hint: () => 'Add credit at the provider, or choose another model with `hermes model`.',
  },
  {
    id: 'unexplained-400',
    reason: 'context_overflow',
    recovery: 'compress',
    when: (v) => v.status === 400 && v.large && v.said.length < 30,
    message: overflow,
    hint: SMALLER,
  },
  {
    id: 'bad-request',
    reason: 'format_error',
    recovery: 'fallback',
    when: with400,
    message: rejected,
    hint: OTHER_MODEL,
  },
  {
    id: 'overloaded',
    reason: 'overloaded',
    recovery: 'retry',
    when: (v) =>
      v.status === 503 ||
      v.status === 529 ||
      (v.status === undefined && (OVERLOAD.test(v.words) || /overloaded/.test(v.code))),
    message: busy,
    hint: RETRY_LATER,
  },
  {
    id: 'proxy-large',
    reason: 'context_overflow',
    recovery: 'compress',
    when: (v) => v.large && v.system === 'HTML' && (v.status ?? 0) >= 500,
    message: overflow,
    hint: SMALLER,
  },
  {
    id: 'server',
    reason: 'server_error',
    recovery: 'retry',
    when: (v) => (v.status ?? 0) >= 500,
    message: (v) => `${v.providerName} has a problem${status(v)}${quoted(v)}`,
    hint: RETRY_LATER,
  },
  {
    id: 'slow-request',
    reason: 'timeout',
    recovery: 'retry',
    when: (v) => v.status === 408 || v.status === 409 || v.status === 425,
    message: (v) => `${v.providerName} asked to try again${status(v)}`,
    hint: RETRY_LATER,
  },
  {
    id: 'client-error',
    reason: 'format_error',
    recovery: 'fallback',
    when: (v) => (v.status ?? 0) >= 400,
    message: rejected,
    hint: OTHER_MODEL,
  },
  {
    id: 'web-page',
    reason: 'invalid_response',
    recovery: 'retry',
    when: (v) => v.system === 'HTML',
    message: (v) => `${v.baseUrl} answered with a web page instead of a model's answer`,
    hint: () => 'Check the address: `hermes config get model.base_url`; most end in /v1.',
  },
  {
    id: 'certificate',
    reason: 'tls',
    recovery: 'fallback',
    when: (v) => CERTIFICATE.test(v.system),
    message: (v) => `The certificate of ${v.host} is not trusted (${v.system})`,
    hint: () => 'Point NODE_EXTRA_CA_CERTS at the certificate of your proxy or server.',
  },
  {
    id: 'tls',
    reason: 'timeout',
    recovery: 'retry',
    when: (v) => TLS.test(v.system) || /tls alert|ssl alert|ssl routines/.test(v.words),
    message: (v) => `The secure connection to ${v.host} broke`,
    hint: REACH,
  },
  {
    id: 'not-listening',
    reason: 'timeout',
    recovery: 'fallback',
    when: (v) => v.system === 'ECONNREFUSED' && isLoopback(v),
    message: (v) => `Nothing is listening at ${v.baseUrl}`,
    hint: REACH,
  },
  {
    id: 'unknown-host',
    reason: 'timeout',
    recovery: 'retry',
    when: (v) => v.system === 'ENOTFOUND' || v.system === 'EAI_AGAIN',
    message: (v) => `The address ${v.host} cannot be found`,
    hint: REACH,
  },
  {
    id: 'silent',
    reason: 'timeout',
    recovery: 'retry',
    when: (v) => v.system === 'ETIMEDOUT' || v.system === 'UND_ERR_HEADERS_TIMEOUT',
    message: (v) => `${v.host} does not answer`,
    hint: REACH,
  },
  {
    id: 'unreachable',
    reason: 'timeout',
    recovery: 'retry',
    when: (v) => /^(ECONNREFUSED|EHOSTUNREACH|ENETUNREACH|ENETDOWN|EHOSTDOWN|UND_ERR_CONNECT_TIMEOUT)/.test(v.system),
    message: (v) => `${v.host} cannot be reached (${v.system})`,
    hint: REACH,
  },
  {
    id: 'broken-large',
    reason: 'context_overflow',
    recovery: 'compress',
    when: (v) => v.large && !v.started && BROKEN.test(v.system),
    message: overflow,
    hint: SMALLER,
  },
  {
    id: 'broken',
    reason: 'timeout',
    recovery: 'retry',
    when: (v) => BROKEN.test(v.system) || /econnreset|socket hang up|terminated/.test(v.words),
    message: (v) => `The connection to ${v.host} broke`,
    hint: RETRY_LATER,
  },
  {
    id: 'cut',
    reason: 'stream_cut',
    recovery: 'retry',
    when: (v) => v.started && CUT.test(v.words),
    message: (v) => `The answer of ${v.providerName} ended in the middle`,
    hint: RETRY_LATER,
  },
  {
    id: 'no-answer',
    reason: 'invalid_response',
    recovery: 'retry',
    when: (v) => CUT.test(v.words),
    message: (v) => `${v.providerName} sent something that is not an answer`,
    hint: RETRY_LATER,
  },
  {
    id: 'overflow-wording',
    reason: 'context_overflow',
    recovery: 'compress',
    when: (v) => OVERFLOW.test(v.words) || /context_length_exceeded/.test(v.code),
    message: overflow,
    hint: SMALLER,
  },
  {
    id: 'no-key',
    reason: 'auth',
    recovery: 'rotate',
    when: (v) => /no api key/.test(v.words) || WRONG_KEY.test(v.words),
    message: badKey,
    hint: NEW_KEY,
  },
];
