/** What an address says about the protocol spoken there. Hosts are compared whole, never as substrings. */
import type { ApiMode } from './settings.ts';

const HOST_MODES: Readonly<Record<string, ApiMode>> = {
  'api.anthropic.com': 'anthropic_messages',
  'api.openai.com': 'codex_responses',
  'api.x.ai': 'codex_responses',
  'generativelanguage.googleapis.com': 'gemini',
};

function parse(url: string): URL | undefined {
  return URL.canParse(url) ? new URL(url) : undefined;
}

/** Lower case, without port; '' for what is no address. */
export function hostOf(url: string): string {
  return parse(url)?.hostname.toLowerCase() ?? '';
}

/** The mode an address implies; undefined when it implies none. */
export function modeOfUrl(url: string): ApiMode | undefined {
  const parsed = parse(url);
  if (parsed === undefined) return undefined;
  const path = parsed.pathname.replace(/\/+$/, '');
  const host = parsed.hostname.toLowerCase();
  if (path.endsWith('/anthropic') || (host === 'api.kimi.com' && path === '/coding')) return 'anthropic_messages';
  return HOST_MODES[host];
}

/** A server on this machine or in the private network: slow to answer is normal there, and no key is needed. */
export function isLocal(url: string): boolean {
  const host = hostOf(url).replace(/^\[|\]$/g, '');
  if (host === 'localhost' || host.endsWith('.localhost') || host.endsWith('.local') || host === '::1') return true;
  const parts = host.split('.').map(Number);
  if (parts.length !== 4 || parts.some((part) => !Number.isInteger(part))) return host === 'host.docker.internal';
  const [a = 0, b = 0] = parts;
  return a === 127 || a === 10 || a === 0 || (a === 192 && b === 168) || (a === 172 && b >= 16 && b < 32);
}

/** Without trailing slashes and without the call's own path, which people paste along. */
export function normaliseBaseUrl(url: string): string {
  return url
    .trim()
    .replace(/[?#].*$/, '')
    .replace(/\/+$/, '')
    .replace(/\/(chat\/completions|responses|v1\/messages|messages)$/, '')
    .replace(/\/+$/, '');
}
