/** Which secret goes to which address. A provider's key goes to its own host only. */
import { hostOf } from './endpoint-url.ts';
import type { Env } from './http/http-fetch.ts';
import { PROVIDERS, type ProviderRow } from './providers.ts';

export interface Credential {
  readonly value: string;
  /** Where it was found, for a person; never the value. */
  readonly source: string;
}

const PLACEHOLDERS =
  /^(changeme|change_me|none|null|undefined|todo|x{3,}|\*+|<.*>|\$\{?\w+\}?|(your|my|insert|enter|replace)[-_ ].*|sk-(\.\.\.|x+|your.*)|.*_(key|token)_here)$/i;

/** A value that only marks the place of a secret counts as absent. */
export function isRealSecret(value: string | undefined): value is string {
  const trimmed = value?.trim() ?? '';
  return trimmed.length >= 4 && !PLACEHOLDERS.test(trimmed);
}

/** The key of a table row from the environment. `OPENAI_API_KEY` never serves a foreign host by accident. */
export function credentialFromEnv(provider: ProviderRow, baseUrl: string, env: Env): Credential | undefined {
  if (!mayReceive(provider, baseUrl)) return undefined;
  for (const name of provider.envVars) {
    const value = env[name]?.trim();
    if (!isRealSecret(value) || !belongs(name, value, provider)) continue;
    // A classic personal token has no access to the model API.
    if (provider.id === 'copilot' && value.startsWith('ghp_')) continue;
    return { value, source: name };
  }
  return undefined;
}

/** `OPENAI_API_KEY` is used for both: what is written in front of the key tells whose it is. */
function belongs(name: string, value: string, provider: ProviderRow): boolean {
  if (name !== 'OPENAI_API_KEY' || provider.id === 'custom') return true;
  return value.startsWith('sk-or-') === (provider.id === 'openrouter');
}

/** `baseUrl` lies on the provider's own host, or the user set the address for this provider. */
function mayReceive(provider: ProviderRow, baseUrl: string): boolean {
  if (provider.baseUrl === '' || provider.id === 'custom') return true;
  return hostOf(baseUrl) === hostOf(provider.baseUrl) || ownerOf(baseUrl) === undefined;
}

/** The provider whose own host this is. */
export function ownerOf(baseUrl: string): ProviderRow | undefined {
  const host = hostOf(baseUrl);
  return PROVIDERS.find((provider) => provider.baseUrl.startsWith('https:') && hostOf(provider.baseUrl) === host);
}

/** Replaces the secret itself and whatever looks like one. */
export function withoutSecrets(text: string, secrets: readonly (string | undefined)[] = []): string {
  let clean = text;
  for (const secret of secrets) if (secret !== undefined && secret.length >= 4) clean = clean.replaceAll(secret, '***');
  return clean
    .replace(/\b(sk|pk|rk|gsk|hf|xai|ghp|gho|ghu|github_pat|AIza|nvapi|key)[-_][A-Za-z0-9_*.-]{6,}/g, '***')
    .replace(/\bAIza[A-Za-z0-9_-]{10,}/g, '***')
    .replace(/(bearer\s+)[A-Za-z0-9._~+/=*-]{6,}/gi, '$1***')
    .replace(/([?&](?:key|api[-_]?key|token|access_token)=)[^&\s"']+/gi, '$1***');
}
