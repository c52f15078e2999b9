/** Which model answers, and how it is reached. */
import * as z from 'zod';
import {
  anyList,
  anyMap,
  bool,
  group,
  int,
  mapOf,
  num,
  oneOf,
  optionalBool,
  optionalInt,
  optionalNum,
  optionalText,
  section,
  text,
  textMap,
  texts,
} from './kinds.ts';

const API_MODES = ['', 'chat_completions', 'anthropic_messages', 'codex_responses'] as const;

const model = section(
  {
    default: text('', 'Model id. Empty: the provider’s recommended model.'),
    provider: text('auto', 'Provider id, a name from `providers`, or `auto`: the first that has a key.'),
    base_url: text('', 'Endpoint to use instead of the provider’s own.'),
    api_key: text('', 'Key for that endpoint; better kept in `.env` and named here.', { secret: true }),
    api_mode: oneOf(API_MODES, '', 'Wire protocol. Empty: the provider’s own.'),
    context_length: optionalInt('Context window in tokens, when detection is wrong.', 1),
    max_tokens: optionalInt('Most tokens of one answer. Not set: the model’s own limit.', 1),
    ollama_num_ctx: optionalInt('Context window to ask Ollama for, in tokens.', 1),
    streaming: bool(true, 'False asks for whole answers instead of a stream.'),
    default_headers: textMap('Extra HTTP headers for OpenAI-style endpoints.'),
    persist_switch_by_default: bool(false, '`/model` also changes the default for later sessions.'),
    auth_mode: text('', 'How to sign in where a provider has several ways.'),
    reasoning_echo: bool(false, 'Send earlier reasoning back to models that expect it.'),
  },
  'The main model. May also be written as just the model id.',
);

const providerModel = group({
  timeout_seconds: optionalNum('Longest request for this model.'),
  stale_timeout_seconds: optionalNum('Longest silence of its stream.'),
  context_length: optionalInt('Its context window in tokens.', 1),
  supports_vision: optionalBool('Whether it takes images.'),
});

const provider = group({
  name: optionalText('Name for people.'),
  base_url: optionalText('Endpoint.'),
  api_key: optionalText('Key; better kept in `.env` and named by `key_env`.', { secret: true }),
  key_env: optionalText('Name of the variable that holds the key.'),
  key_cmd: optionalText('Command that prints a token, bare or as JSON with `access_token` and `expires_in`.'),
  api_mode: optionalText('`chat_completions`, `anthropic_messages` or `codex_responses`.'),
  model: optionalText('Model used when none is named.'),
  models: z
    .union([z.array(z.string()), z.record(z.string(), providerModel.nullable())])
    .optional()
    .meta({ description: 'Models to offer: a list of ids, or a map with settings per model.' }),
  extra_headers: z.record(z.string(), z.string()).optional().meta({ description: 'Extra HTTP headers.' }),
  extra_body: z.record(z.string(), z.unknown()).optional().meta({ description: 'Extra fields of the request.' }),
  session_affinity_header: optionalText('Header that carries the session id, for a balancer in front.'),
  request_timeout_seconds: optionalNum('Longest request.'),
  stale_timeout_seconds: optionalNum('Longest silence of a stream.'),
});

const auxiliaryTask = group({
  base_url: optionalText('Endpoint.'),
  api_key: optionalText('Key.', { secret: true }),
  api_mode: optionalText('Wire protocol.'),
  extra_body: z.record(z.string(), z.unknown()).optional().meta({ description: 'Extra fields of the request.' }),
  reasoning_effort: optionalText('Reasoning effort for this task.'),
  fallback_chain: z.array(z.unknown()).optional().meta({ description: 'Models to try when the first fails.' }),
  max_concurrency: optionalInt('Most requests at once.', 1),
});

/** Every task is `auto` unless written otherwise; the waits differ from task to task. */
const task = <T extends z.ZodRawShape>(timeout: number, meaning: string, more?: T) =>
  section(
    {
      ...auxiliaryTask.shape,
      provider: text('auto', '`auto`, `main` or a provider id.'),
      model: text('', 'Model id. Empty: chosen by the provider.'),
      timeout: num(timeout, 'Longest wait in seconds.'),
      ...(more as T), // absent spreads to nothing
    },
    meaning,
  );

const auxiliary = section(
  {
    transient_retries: int(2, 'Retries after a passing failure.'),
    free_only: bool(false, 'Use free models only.'),
    stream_only_base_urls: texts([], 'Endpoints that answer only as a stream.'),
    vision: task(120, 'Describing images.', {
      download_timeout: num(30, 'Longest download of an image in seconds.'),
    }),
    compression: task(120, 'Summarising old messages.'),
    approval: task(30, 'Judging commands in smart approval mode.'),
    title_generation: task(30, 'Naming sessions.', {
      enabled: bool(true, 'Name sessions by itself.'),
      language: text('', 'Language of titles. Empty: that of the conversation.'),
    }),
    skills_hub: task(30, 'Searching skills.'),
    mcp: task(30, 'Sampling requests of MCP servers.'),
    goal_judge: task(60, 'Judging whether a goal is reached.'),
    curator: task(600, 'Tending the skill library.'),
    background_review: task(120, 'Learning from finished turns.', {
      enabled: bool(true, 'Look back at finished turns.'),
      max_input_tokens: int(600_000, 'Most tokens read.', 1),
    }),
    triage_specifier: task(120, 'Specifying tasks on a board.'),
    kanban_decomposer: task(180, 'Breaking tasks down.'),
    profile_describer: task(60, 'Describing profiles.'),
    memory_query_rewrite: task(8, 'Rewriting memory searches.'),
    tts_audio_tags: task(30, 'Tagging text for speech.'),
    review: task(120, 'Reviewing changes.'),
    moa_reference: task(900, 'Reference answers of a mixture of agents.'),
    moa_aggregator: task(900, 'The joining answer of a mixture of agents.'),
  },
  'Smaller jobs beside the conversation, each with its own model.',
);

export const modelSettings = {
  model,
  providers: mapOf(provider, 'Endpoints of your own, and settings of known ones, by name.'),
  custom_providers: anyList('Older form of `providers`, still read.'),
  fallback_providers: anyList('Models to try in order when the main one fails: `provider/model` or a map.'),
  model_aliases: mapOf(z.unknown(), 'Short names for models.'),
  model_overrides: anyMap('Corrections to what the catalog says of a model.'),
  credential_pool_strategies: mapOf(
    z.enum(['fill_first', 'round_robin', 'least_used', 'random']),
    'Which of several keys of a provider is used next.',
  ),
  provider_routing: section(
    {
      sort: optionalText('`price`, `throughput` or `latency`.'),
      only: texts([], 'Only these upstream providers.'),
      ignore: texts([], 'Never these.'),
      order: texts([], 'These first, in this order.'),
      require_parameters: optionalBool('Only providers that honour every parameter.'),
      data_collection: optionalText('`allow` or `deny`.'),
    },
    'How OpenRouter chooses among its providers.',
  ),
  openrouter: section(
    {
      response_cache: bool(true, 'Let OpenRouter answer equal requests from its cache.'),
      response_cache_ttl: int(300, 'Life of such an answer in seconds.'),
      min_coding_score: num(0.65, 'Lowest coding score for automatic choice.', 0, 1),
    },
    'OpenRouter.',
  ),
  prompt_caching: section(
    {
      cache_ttl: z
        .union([z.enum(['5m', '1h']), z.literal(false)])
        .default('5m')
        .meta({ description: 'How long a vendor keeps the prompt prefix; false switches caching off.' }),
    },
    'Prompt caching.',
  ),
  model_catalog: section(
    {
      enabled: bool(true, 'Fetch the list of known models.'),
      url: text('', 'Where from. Empty: the built-in address.'),
      ttl_minutes: int(20, 'How long a fetched list serves.', 1),
    },
    'Catalog of models.',
  ),
  models_dev: section({ url: text('', 'Address of the model metadata. Empty: the built-in one.') }, 'Model metadata.'),
  bedrock: section(
    {
      region: text('', 'AWS region.'),
      discovery: anyMap('Finding models of the account.'),
      guardrail: anyMap('Guardrail to apply.'),
    },
    'Amazon Bedrock.',
  ),
  vertex: section(
    { project_id: text('', 'Google Cloud project.'), region: text('global', 'Region.') },
    'Google Vertex AI.',
  ),
  auth: section(
    {
      adopt_external_logins: bool(true, 'Use sign-ins of other command line tools on this machine.'),
      codex_login_flow: oneOf(['device_code', 'browser'], 'device_code', 'How to sign in to Codex.'),
    },
    'Signing in.',
  ),
  auxiliary,
  moa: section(
    {
      default_preset: text('default', 'Preset used when none is named.'),
      active_preset: text('', 'Preset in use.'),
      presets: anyMap('Named sets of reference models and an aggregator.'),
      save_traces: bool(false, 'Keep what each model said.'),
      privacy_filter: text('', 'What is left out of traces.'),
    },
    'Mixture of agents.',
  ),
};
