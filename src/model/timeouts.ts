/** How long a call may take, from the environment and the settings of a provider. */
import { isLocal } from './endpoint-url.ts';
import type { Env } from './http/http-fetch.ts';
import type { ModelOverrides, ProviderSettings, Timeouts } from './settings.ts';

const READ_S = 120;
const STALE_S = 180;
const CALL_S = 1800;
/** A model on this machine may think for long before its first word. */
const LOCAL_READ_S = 1800;

export function timeoutsFor(baseUrl: string, provider: ProviderSettings, model: ModelOverrides, env: Env): Timeouts {
  const local = isLocal(baseUrl);
  const seconds = (name: string): number | undefined => {
    const value = Number(env[name] || Number.NaN);
    return Number.isFinite(value) && value >= 0 ? value : undefined;
  };
  const stale =
    model.staleTimeoutSeconds ??
    provider.staleTimeoutSeconds ??
    seconds(local ? 'HERMES_LOCAL_STREAM_STALE_TIMEOUT' : 'HERMES_STREAM_STALE_TIMEOUT');
  const call = model.requestTimeoutSeconds ?? provider.requestTimeoutSeconds ?? seconds('HERMES_API_TIMEOUT');
  return {
    readMs: (seconds('HERMES_STREAM_READ_TIMEOUT') ?? (local ? LOCAL_READ_S : READ_S)) * 1000,
    staleMs: (stale ?? (local ? 0 : STALE_S)) * 1000,
    callMs: (call ?? CALL_S) * 1000,
  };
}
