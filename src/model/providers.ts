/** The providers as data. A row says where a provider lives, which variables hold its key and how it is spoken to. */
import type { ApiMode } from './settings.ts';

export interface ProviderRow {
  readonly id: string;
  readonly name: string;
  readonly aliases: readonly string[];
  /** In order; the first that holds a real secret wins. */
  readonly envVars: readonly string[];
  readonly baseUrl: string;
  readonly baseUrlVar: string | undefined;
  /** `by-url` and `by-model`: decided when a model is resolved. */
  readonly apiMode: ApiMode | 'by-url' | 'by-model';
  /** Id of the provider in the model library: its catalog and its quirks. */
  readonly vendorId: string | undefined;
  /** Used when the provider is chosen and no model is named. */
  readonly defaultModel: string | undefined;
  /** `auto` may choose it when its key is there. */
  readonly auto: boolean;
  /** `required`, `optional` (a local server), `aws` (the AWS chain), `oauth` (a signed-in account), `none`. */
  readonly auth: 'required' | 'optional' | 'aws' | 'oauth' | 'none';
}

type Draft = Pick<ProviderRow, 'id' | 'name' | 'baseUrl'> & Partial<ProviderRow>;

const row = (draft: Draft): ProviderRow => ({
  aliases: [],
  envVars: [],
  baseUrlVar: `${draft.id.replaceAll('-', '_').toUpperCase()}_BASE_URL`,
  apiMode: 'chat_completions',
  vendorId: undefined,
  defaultModel: undefined,
  auto: true,
  auth: 'required',
  ...draft,
});

const GLM_KEYS = ['GLM_API_KEY', 'ZAI_API_KEY', 'Z_AI_API_KEY'];
const COPILOT_KEYS = ['COPILOT_GITHUB_TOKEN', 'GH_TOKEN', 'GITHUB_TOKEN'];

/** In the order in which `auto` looks. */
export const PROVIDERS: readonly ProviderRow[] = [
  row({
    id: 'openrouter',
    name: 'OpenRouter',
    aliases: ['openai'],
    envVars: ['OPENROUTER_API_KEY', 'OPENAI_API_KEY'],
    baseUrl: 'https://openrouter.ai/api/v1',
    vendorId: 'openrouter',
    defaultModel: 'anthropic/claude-sonnet-4.6',
  }),
  row({
    id: 'anthropic',
    name: 'Anthropic',
    aliases: ['claude', 'claude-code'],
    envVars: ['ANTHROPIC_API_KEY', 'ANTHROPIC_TOKEN', 'CLAUDE_CODE_OAUTH_TOKEN'],
    baseUrl: 'https://api.anthropic.com',
    apiMode: 'anthropic_messages',
    vendorId: 'anthropic',
    defaultModel: 'claude-sonnet-4-6',
  }),
  row({
    id: 'openai-api',
    name: 'OpenAI',
    envVars: ['OPENAI_API_KEY'],
    baseUrl: 'https://api.openai.com/v1',
    baseUrlVar: 'OPENAI_BASE_URL',
    apiMode: 'codex_responses',
    vendorId: 'openai',
    defaultModel: 'gpt-5.1',
  }),
  row({
    id: 'nous',
    name: 'Nous Portal',
    envVars: ['NOUS_PORTAL_TOKEN'],
    baseUrl: 'https://inference-api.nousresearch.com/v1',
    auth: 'oauth',
    defaultModel: 'anthropic/claude-sonnet-4.6',
  }),
  row({
    id: 'nous-api',
    name: 'Nous API',
    envVars: ['NOUS_API_KEY'],
    baseUrl: 'https://inference-api.nousresearch.com/v1',
    defaultModel: 'anthropic/claude-sonnet-4.6',
  }),
  row({
    id: 'gemini',
    name: 'Google Gemini',
    aliases: ['google'],
    envVars: ['GOOGLE_API_KEY', 'GEMINI_API_KEY'],
    baseUrl: 'https://generativelanguage.googleapis.com/v1beta',
    apiMode: 'gemini',
    vendorId: 'google',
    defaultModel: 'gemini-2.5-pro',
  }),
  row({
    id: 'zai',
    name: 'Z.AI (GLM)',
    aliases: ['glm', 'z-ai', 'zhipu'],
    envVars: GLM_KEYS,
    baseUrl: 'https://api.z.ai/api/paas/v4',
    baseUrlVar: 'GLM_BASE_URL',
    vendorId: 'zai',
    defaultModel: 'glm-4.7',
  }),
  row({
    id: 'kimi-coding',
    name: 'Kimi (Moonshot)',
    aliases: ['kimi', 'moonshot'],
    envVars: ['KIMI_API_KEY', 'KIMI_CODING_API_KEY'],
    baseUrl: 'https://api.moonshot.ai/v1',
    baseUrlVar: 'KIMI_BASE_URL',
    apiMode: 'by-url',
    vendorId: 'moonshotai',
    defaultModel: 'kimi-k2.6',
  }),
  row({
    id: 'kimi-coding-cn',
    name: 'Kimi (China)',
    envVars: ['KIMI_CN_API_KEY'],
    baseUrl: 'https://api.moonshot.cn/v1',
    baseUrlVar: 'KIMI_CN_BASE_URL',
    vendorId: 'moonshotai-cn',
    defaultModel: 'kimi-k2.6',
  }),
  row({
    id: 'minimax',
    name: 'MiniMax',
    envVars: ['MINIMAX_API_KEY'],
    baseUrl: 'https://api.minimax.io/anthropic',
    apiMode: 'anthropic_messages',
    vendorId: 'minimax',
    defaultModel: 'MiniMax-M2.7',
  }),
  row({
    id: 'minimax-cn',
    name: 'MiniMax (China)',
    envVars: ['MINIMAX_CN_API_KEY'],
    baseUrl: 'https://api.minimaxi.com/anthropic',
    apiMode: 'anthropic_messages',
    vendorId: 'minimax-cn',
    defaultModel: 'MiniMax-M2.7',
  }),
  row({
    id: 'deepseek',
    name: 'DeepSeek',
    envVars: ['DEEPSEEK_API_KEY'],
    baseUrl: 'https://api.deepseek.com/v1',
    vendorId: 'deepseek',
    defaultModel: 'deepseek-flash',
  }),
  row({
    id: 'xai',
    name: 'xAI',
    aliases: ['grok'],
    envVars: ['XAI_API_KEY'],
    baseUrl: 'https://api.x.ai/v1',
    apiMode: 'codex_responses',
    vendorId: 'xai',
    defaultModel: 'grok-4.3',
  }),
  row({
    id: 'mistral',
    name: 'Mistral',
    envVars: ['MISTRAL_API_KEY'],
    baseUrl: 'https://api.mistral.ai',
    apiMode: 'mistral',
    vendorId: 'mistral',
    defaultModel: 'devstral-medium-latest',
  }),
  row({
    id: 'groq',
    name: 'Groq',
    envVars: ['GROQ_API_KEY'],
    baseUrl: 'https://api.groq.com/openai/v1',
    vendorId: 'groq',
    defaultModel: 'openai/gpt-oss-120b',
  }),
  row({
    id: 'alibaba',
    name: 'Alibaba Qwen',
    aliases: ['qwen', 'dashscope'],
    envVars: ['DASHSCOPE_API_KEY'],
    baseUrl: 'https://dashscope-intl.aliyuncs.com/compatible-mode/v1',
    baseUrlVar: 'DASHSCOPE_BASE_URL',
    defaultModel: 'qwen3-coder-plus',
  }),
  row({
    id: 'alibaba-coding-plan',
    name: 'Alibaba coding plan',
    envVars: ['ALIBABA_CODING_PLAN_API_KEY', 'DASHSCOPE_API_KEY'],
    baseUrl: 'https://coding-intl.dashscope.aliyuncs.com/v1',
    defaultModel: 'qwen3-coder-plus',
  }),
  row({
    id: 'opencode-zen',
    name: 'OpenCode Zen',
    aliases: ['zen', 'opencode'],
    envVars: ['OPENCODE_ZEN_API_KEY'],
    baseUrl: 'https://opencode.ai/zen/v1',
    apiMode: 'by-model',
    vendorId: 'opencode',
    defaultModel: 'kimi-k2.6',
  }),
  row({
    id: 'opencode-go',
    name: 'OpenCode Go',
    aliases: ['go'],
    envVars: ['OPENCODE_GO_API_KEY'],
    baseUrl: 'https://opencode.ai/zen/go/v1',
    apiMode: 'by-model',
    vendorId: 'opencode-go',
    defaultModel: 'kimi-k2.7-code',
  }),
  row({
    id: 'nvidia',
    name: 'NVIDIA NIM',
    aliases: ['nim'],
    envVars: ['NVIDIA_API_KEY'],
    baseUrl: 'https://integrate.api.nvidia.com/v1',
    vendorId: 'nvidia',
  }),
  row({
    id: 'huggingface',
    name: 'Hugging Face',
    aliases: ['hf'],
    envVars: ['HF_TOKEN'],
    baseUrl: 'https://router.huggingface.co/v1',
    vendorId: 'huggingface',
    defaultModel: 'openai/gpt-oss-120b',
  }),
  row({
    id: 'ai-gateway',
    name: 'Vercel AI Gateway',
    aliases: ['vercel'],
    envVars: ['AI_GATEWAY_API_KEY'],
    baseUrl: 'https://ai-gateway.vercel.sh/v1',
    vendorId: 'vercel-ai-gateway',
    defaultModel: 'anthropic/claude-sonnet-4.6',
  }),
  row({
    id: 'kilocode',
    name: 'Kilo Code',
    aliases: ['kilo'],
    envVars: ['KILOCODE_API_KEY'],
    baseUrl: 'https://api.kilo.ai/api/gateway',
  }),
  row({
    id: 'xiaomi',
    name: 'Xiaomi MiMo',
    aliases: ['mimo'],
    envVars: ['XIAOMI_API_KEY'],
    baseUrl: 'https://api.xiaomimimo.com/v1',
    vendorId: 'xiaomi',
    defaultModel: 'mimo-v2.6-flash',
  }),
  row({ id: 'arcee', name: 'Arcee', envVars: ['ARCEEAI_API_KEY'], baseUrl: 'https://api.arcee.ai/api/v1' }),
  row({ id: 'gmi', name: 'GMI Cloud', envVars: ['GMI_API_KEY'], baseUrl: 'https://api.gmi-serving.com/v1' }),
  row({
    id: 'stepfun',
    name: 'StepFun',
    aliases: ['step'],
    envVars: ['STEPFUN_API_KEY'],
    baseUrl: 'https://api.stepfun.ai/step_plan/v1',
  }),
  row({
    id: 'tencent-tokenhub',
    name: 'Tencent TokenHub',
    aliases: ['tencent'],
    envVars: ['TOKENHUB_API_KEY'],
    baseUrl: 'https://tokenhub.tencentmaas.com/v1',
    baseUrlVar: 'TOKENHUB_BASE_URL',
  }),
  row({ id: 'ollama-cloud', name: 'Ollama Cloud', envVars: ['OLLAMA_API_KEY'], baseUrl: 'https://ollama.com/v1' }),
  row({
    id: 'deepinfra',
    name: 'DeepInfra',
    envVars: ['DEEPINFRA_API_KEY'],
    baseUrl: 'https://api.deepinfra.com/v1/openai',
  }),
  row({ id: 'novita', name: 'Novita', envVars: ['NOVITA_API_KEY'], baseUrl: 'https://api.novita.ai/openai/v1' }),
  row({
    id: 'together',
    name: 'Together',
    envVars: ['TOGETHER_API_KEY'],
    baseUrl: 'https://api.together.xyz/v1',
    vendorId: 'together',
  }),
  row({
    id: 'fireworks',
    name: 'Fireworks',
    envVars: ['FIREWORKS_API_KEY'],
    baseUrl: 'https://api.fireworks.ai/inference/v1',
    vendorId: 'fireworks',
  }),
  row({
    id: 'cerebras',
    name: 'Cerebras',
    envVars: ['CEREBRAS_API_KEY'],
    baseUrl: 'https://api.cerebras.ai/v1',
    vendorId: 'cerebras',
    defaultModel: 'gpt-oss-120b',
  }),
  row({
    id: 'azure-foundry',
    name: 'Azure AI Foundry',
    aliases: ['azure'],
    envVars: ['AZURE_FOUNDRY_API_KEY'],
    baseUrl: '',
    apiMode: 'by-url',
  }),
  row({
    id: 'copilot',
    name: 'GitHub Copilot',
    aliases: ['github'],
    envVars: COPILOT_KEYS,
    baseUrl: 'https://api.githubcopilot.com',
    baseUrlVar: 'COPILOT_API_BASE_URL',
    apiMode: 'by-model',
    vendorId: 'github-copilot',
    auto: false,
  }),
  row({
    id: 'qwen-oauth',
    name: 'Qwen account',
    envVars: ['QWEN_OAUTH_TOKEN'],
    baseUrl: 'https://portal.qwen.ai/v1',
    auth: 'oauth',
    auto: false,
  }),
  row({
    id: 'bedrock',
    name: 'AWS Bedrock',
    aliases: ['aws'],
    envVars: ['AWS_BEARER_TOKEN_BEDROCK'],
    baseUrl: 'https://bedrock-runtime.us-east-1.amazonaws.com',
    apiMode: 'bedrock_converse',
    vendorId: 'amazon-bedrock',
    auth: 'aws',
    auto: false,
  }),
  row({
    id: 'lmstudio',
    name: 'LM Studio',
    aliases: ['lm-studio'],
    envVars: ['LM_API_KEY'],
    baseUrl: 'http://127.0.0.1:1234/v1',
    baseUrlVar: 'LM_BASE_URL',
    auth: 'optional',
    auto: false,
  }),
  row({
    id: 'ollama',
    name: 'Ollama',
    envVars: [],
    baseUrl: 'http://127.0.0.1:11434/v1',
    auth: 'optional',
    auto: false,
  }),
  row({
    id: 'llamacpp',
    name: 'llama.cpp',
    aliases: ['llama.cpp', 'llama-cpp'],
    envVars: [],
    baseUrl: 'http://127.0.0.1:8080/v1',
    auth: 'optional',
    auto: false,
  }),
  row({ id: 'vllm', name: 'vLLM', envVars: [], baseUrl: 'http://127.0.0.1:8000/v1', auth: 'optional', auto: false }),
  row({
    id: 'custom',
    name: 'Custom endpoint',
    envVars: ['OPENAI_API_KEY'],
    baseUrl: '',
    apiMode: 'by-url',
    auth: 'optional',
    auto: false,
  }),
  row({
    id: 'demo',
    name: 'Demo (no model)',
    envVars: [],
    baseUrl: 'demo:',
    apiMode: 'demo',
    auth: 'none',
    auto: false,
    defaultModel: 'demo',
  }),
];

const byName = new Map<string, ProviderRow>();
for (const provider of PROVIDERS) for (const name of [...provider.aliases, provider.id]) byName.set(name, provider);

/** By id or alias, in any case. */
export function findProvider(name: string): ProviderRow | undefined {
  return byName.get(name.trim().toLowerCase());
}
