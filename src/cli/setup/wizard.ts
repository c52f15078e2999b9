/** The questions of `hermes setup`: provider, key, model, and one real call to see that they work. */
import type { EditTarget } from '../../config/edit.ts';
import { describeError } from '../../lib/errors.ts';
import type { ModelInfo } from '../../model/client.ts';
import type { Models, ProviderStatus } from '../../model/models.ts';
import { isHttpUrl, type ModelChoice, saveChoice } from './choice.ts';
import type { PromptOption, Prompts } from './prompts.ts';

export interface WizardDeps {
  readonly prompts: Prompts;
  readonly target: EditTarget;
  readonly signal: AbortSignal;
  /** Opens the models anew each time, so that what was just saved counts. */
  withModels<T>(work: (models: Models) => Promise<T>): Promise<T>;
}

const OTHER = 'custom';
const LIST_MS = 15_000;
const TEST_MS = 60_000;

/** Resolves when a model answered, or the person kept their choice without that. */
export async function runWizard(deps: WizardDeps): Promise<ModelInfo | undefined> {
  const { prompts } = deps;
  const statuses = await prompts.during('Looking for providers', () => deps.withModels((models) => models.providers()));
  let provider = await chooseProvider(prompts, statuses);
  await saveProvider(deps, provider, false);
  await saveModel(deps, provider);
  for (;;) {
    try {
      const test = () => deps.withModels((models) => models.test({}, within(deps.signal, TEST_MS)));
      const info = await prompts.during('Asking the model for a first answer', test);
      prompts.say(`${info.provider}:${info.model} answers.`);
      return info;
    } catch (error) {
      deps.signal.throwIfAborted();
      prompts.warn(describeError(error));
    }
    const next = await prompts.choose('What now?', [
      { value: 'key', label: 'Enter the key or address again' },
      { value: 'model', label: 'Choose another model' },
      { value: 'provider', label: 'Choose another provider' },
      { value: 'again', label: 'Try once more' },
      { value: 'keep', label: 'Keep it as it is' },
    ]);
    if (next === 'keep') return undefined;
    if (next === 'provider') provider = await chooseProvider(prompts, statuses);
    if (next === 'key' || next === 'provider') await saveProvider(deps, provider, next === 'key');
    if (next === 'model' || next === 'provider') await saveModel(deps, provider);
  }
}

/** What works already stands first; then those that need a key; an address of one's own is last. */
export async function chooseProvider(prompts: Prompts, statuses: readonly ProviderStatus[]): Promise<ProviderStatus> {
  const offered = statuses.filter(
    ({ id, configured, envVars }) => id !== 'demo' && id !== OTHER && (configured || isKeyed(envVars)),
  );
  const option = (status: ProviderStatus): PromptOption<string> => ({
    value: status.id,
    label: status.name,
    ...(status.configured ? { hint: status.source ?? 'ready' } : {}),
  });
  const ready = offered.filter((status) => status.configured);
  const rest = offered.filter((status) => !status.configured);
  const id = await prompts.choose('Which provider shall answer?', [
    ...[...ready, ...rest].map(option),
    { value: OTHER, label: 'Another address that speaks the OpenAI protocol' },
  ]);
  const other: ProviderStatus = { id: OTHER, name: 'your endpoint', configured: false, envVars: ['OPENAI_API_KEY'] };
  return offered.find((status) => status.id === id) ?? other;
}

/** AWS credentials are a set of several variables, which one question cannot enter. */
function isKeyed(envVars: readonly string[]): boolean {
  return envVars.length > 0 && !envVars[0]?.startsWith('AWS_');
}

async function saveProvider(deps: WizardDeps, status: ProviderStatus, again: boolean): Promise<void> {
  const { prompts, target } = deps;
  const choice: ModelChoice = { provider: status.id };
  if (status.id === OTHER) {
    const check = (text: string) =>
      isHttpUrl(text.trim()) ? undefined : 'An address such as http://localhost:8000/v1';
    const baseUrl = (await prompts.text('Address of the endpoint', { check })).trim();
    const key = await prompts.secret('Its key (empty for none)');
    await saveChoice(target, { ...choice, baseUrl, ...keyOf('OPENAI_API_KEY', key) });
    return;
  }
  const [variable] = status.envVars;
  if (variable === undefined || (status.configured && !again)) return saveChoice(target, choice);
  const key = await prompts.secret(`Key for ${status.name} (${variable}; it is not shown)`);
  await saveChoice(target, { ...choice, ...keyOf(variable, key) });
}

function keyOf(variable: string, value: string): Pick<ModelChoice, 'key'> {
  return value === '' ? {} : { key: { variable, value } };
}

async function saveModel(deps: WizardDeps, { id, name }: ProviderStatus): Promise<void> {
  const { setConfig } = await import('../../config/edit.ts');
  const usual = await deps.withModels((models) => usualModel(models, id));
  const load = () => deps.withModels((models) => models.list(id, within(deps.signal, LIST_MS)));
  const model = await chooseModel(deps.prompts, name, load, usual);
  await setConfig(deps.target, 'model.default', model);
}

/** The model that the provider answers with when none is named. */
export async function usualModel(models: Models, provider: string): Promise<string | undefined> {
  return models.resolve({ provider }).then(
    ({ info }) => info.model,
    () => undefined, // it has none, or its key is missing: then nothing is suggested
  );
}

const TYPED = '\0typed';

export async function chooseModel(
  prompts: Prompts,
  providerName: string,
  load: () => Promise<readonly { readonly id: string; readonly contextWindow?: number }[]>,
  usual?: string,
): Promise<string> {
  const models = await prompts.during('Reading the list of models', load).catch((error: unknown) => {
    prompts.warn(`${providerName} gave no list of models: ${describeError(error)}`);
    return [];
  });
  const typed = async () => {
    const check = (text: string) => (text.trim() === '' ? 'The name of a model is needed' : undefined);
    return (await prompts.text('Name of the model', { check })).trim();
  };
  if (models.length === 0) return typed();
  const options = models.map(({ id, contextWindow }) => ({
    value: id,
    label: id,
    ...(contextWindow === undefined ? {} : { hint: `${Math.round(contextWindow / 1000)}K` }),
  }));
  const picked = await prompts.choose(
    'Which model?',
    [...options, { value: TYPED, label: 'Another, typed by name' }],
    models.some(({ id }) => id === usual) ? usual : undefined,
  );
  return picked === TYPED ? typed() : picked;
}

function within(signal: AbortSignal, milliseconds: number): AbortSignal {
  return AbortSignal.any([signal, AbortSignal.timeout(milliseconds)]);
}
