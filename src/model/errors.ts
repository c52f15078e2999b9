/**
 * From whatever a provider answered to what to do about it and what to tell the person: one table, read from top to
 * bottom, first match wins. Parameter errors stand before overflow (they may speak of `max_tokens`), and a broken
 * secure connection never leads to compression.
 */
import type { ModelFailure } from './client.ts';
import { withoutSecrets } from './credentials.ts';
import { ERROR_TABLE, type ErrorRow } from './error-table.ts';
import type { FailureTrace } from './exchange.ts';

export interface FailureFacts {
  /** What was seen on the wire. */
  readonly trace?: FailureTrace;
  /** The library's sentence about it. */
  readonly text: string;
  /** Which timer ended the call. */
  readonly timer?: 'stale' | 'call';
  /** Something of the answer had arrived. */
  readonly started: boolean;
  /** The conversation fills much of the window, so an unexplained refusal is probably about its size. */
  readonly large: boolean;
  readonly provider: string;
  readonly providerName: string;
  readonly model: string;
  readonly baseUrl: string;
  /** Where the key came from, for the message; undefined without a key. */
  readonly keySource?: string;
  /** Variables that may hold the key. */
  readonly envVars?: readonly string[];
  /** The secret itself, to keep it out of every message. */
  readonly secret?: string;
}

/** The facts in the form in which the table asks about them. */
export interface ErrorView extends FailureFacts {
  readonly status: number | undefined;
  /** Lower case: sentence, body and the upstream provider's wrapped error. */
  readonly words: string;
  /** `error.code` or `error.type` of the body, lower case. */
  readonly code: string;
  /** The provider's own sentence, short and without secrets; '' when it gave none. */
  readonly said: string;
  /** System code of the connection. */
  readonly system: string;
  readonly host: string;
}

const MAX_MESSAGE_CHARS = 500;

export function classifyFailure(facts: FailureFacts, now: () => number = Date.now): ModelFailure {
  const view = viewOf(facts);
  const row = ERROR_TABLE.find((candidate) => candidate.when(view)) ?? LAST_RESORT;
  const retryAfterMs = readRetryAfter(facts.trace?.headers, view.words, now());
  const hint = row.hint?.(view);
  return {
    reason: row.reason,
    recovery: row.recovery,
    message: sentence(withoutSecrets(row.message(view), [facts.secret])),
    ...(hint === undefined ? {} : { hint }),
    ...(view.status === undefined ? {} : { status: view.status }),
    ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
  };
}

const LAST_RESORT: ErrorRow = {
  id: 'unknown',
  reason: 'unknown',
  recovery: 'retry',
  when: () => true,
  message: (view) => `${view.providerName} failed${view.said === '' ? ' without giving a reason' : `: ${view.said}`}`,
  hint: () => 'Look into `hermes logs errors`, or choose another model with `hermes model`.',
};

function viewOf(facts: FailureFacts): ErrorView {
  const { trace, text } = facts;
  const body = parseBody(trace?.body ?? jsonInside(text));
  const html = trace?.code === 'HTML' || /^\s*<(!doctype|html)/i.test(trace?.body ?? '');
  const upstream = pick(body, ['error', 'metadata', 'raw']) ?? '';
  const said = html ? '' : saidBy(body, trace, text, String(upstream));
  return {
    ...facts,
    status: trace?.status ?? statusInside(text),
    words: [html ? '' : text, html ? '' : (trace?.body ?? ''), upstream].join('\n').toLowerCase(),
    code: String(
      pick(body, ['error', 'code']) ?? pick(body, ['error', 'type']) ?? pick(body, ['code']) ?? '',
    ).toLowerCase(),
    said: shorten(withoutSecrets(said.replace(/\s+/g, ' ').trim(), [facts.secret]), 240),
    system: html ? 'HTML' : (trace?.code ?? ''),
    host: URL.canParse(facts.baseUrl) ? new URL(facts.baseUrl).host : facts.baseUrl,
  };
}

function saidBy(body: unknown, trace: FailureTrace | undefined, text: string, upstream: string): string {
  const inner = pick(parseBody(upstream), ['error', 'message']);
  for (const candidate of [
    inner,
    pick(body, ['error', 'message']),
    pick(body, ['message']),
    pick(body, ['error']),
    pick(body, ['detail']),
  ])
    if (typeof candidate === 'string' && candidate !== '') return candidate;
  if (trace?.body !== undefined && body === undefined) return trace.body;
  return body === undefined ? text : '';
}

function parseBody(text: string | undefined): unknown {
  if (text === undefined || text === '') return undefined;
  try {
    const parsed: unknown = JSON.parse(text);
    return Array.isArray(parsed) ? parsed[0] : parsed;
  } catch {
    return undefined; // plain text or a page
  }
}

const jsonInside = (text: string): string | undefined => /\{[\s\S]*\}/.exec(text)?.[0];

/** A library may leave nothing but a sentence such as `429: {...}` or `OpenAI API error (429): ...`. */
function statusInside(text: string): number | undefined {
  const found = /^(?:[\w .-]{0,40}error \()?([45]\d\d)\b/.exec(text)?.[1];
  return found === undefined ? undefined : Number(found);
}

function pick(value: unknown, path: readonly string[]): unknown {
  let current = value;
  for (const key of path) {
    if (typeof current !== 'object' || current === null) return undefined;
    current = (current as Record<string, unknown>)[key];
  }
  return current;
}

function shorten(text: string, max = MAX_MESSAGE_CHARS): string {
  return text.length <= max ? text : `${text.slice(0, max - 1)}…`;
}

/** Rows say what went wrong without thinking of what stands before and after it. */
function sentence(text: string): string {
  const whole = shorten(text.trim().replace(/(?<=\S )The (?=endpoint\b)/g, 'the '), MAX_MESSAGE_CHARS - 1);
  return /[.!?…]$/.test(whole) ? whole : `${whole}.`;
}

/** Milliseconds until the provider wants to hear from us again. */
export function readRetryAfter(headers: FailureTrace['headers'], words: string, now: number): number | undefined {
  const milliseconds = Number.parseFloat(headers?.['retry-after-ms'] ?? '');
  if (Number.isFinite(milliseconds)) return Math.max(0, milliseconds);
  const value = headers?.['retry-after']?.trim();
  if (value !== undefined) {
    if (/^\d+(\.\d+)?$/.test(value)) return Number(value) * 1000;
    const date = Date.parse(value);
    if (Number.isFinite(date)) return Math.max(0, date - now);
  }
  const spoken =
    /(?:try again|retry|resets?)(?: after| in)\s+(?:(\d+)\s*h\w*\s*)?(?:(\d+)\s*m(?:in\w*)?\s*)?(?:([\d.]+)\s*s\w*)?/.exec(
      words,
    );
  if (spoken === null) return undefined;
  const [, hours = '0', minutes = '0', seconds = '0'] = spoken;
  const total = (Number(hours) * 3600 + Number(minutes) * 60 + Number.parseFloat(seconds)) * 1000;
  return total > 0 ? total : undefined;
}
