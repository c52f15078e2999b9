/** A decision about the default model, and how it gets into the user's files. */
import type { EditTarget } from '../../config/edit.ts';

export interface ModelChoice {
  readonly provider: string;
  /** The provider's own default when absent. */
  readonly model?: string;
  /** Only for endpoints of the user's own. */
  readonly baseUrl?: string;
  readonly key?: { readonly variable: string; readonly value: string };
}

/** Writes `.env` first, so that nothing points at a key that is not there. Each write stands by itself. */
export async function saveChoice(target: EditTarget, choice: ModelChoice): Promise<void> {
  const { setConfig, unsetConfig } = await import('../../config/edit.ts');
  if (choice.key !== undefined) await setConfig(target, choice.key.variable, choice.key.value);
  await setConfig(target, 'model.provider', choice.provider);
  if (choice.model !== undefined) await setConfig(target, 'model.default', choice.model);
  if (choice.baseUrl !== undefined) await setConfig(target, 'model.base_url', choice.baseUrl);
  else await unsetConfig(target, 'model.base_url');
}

/** Whether text is an address a model server can have. */
export function isHttpUrl(text: string): boolean {
  return /^https?:$/.test(URL.parse(text)?.protocol ?? '');
}
