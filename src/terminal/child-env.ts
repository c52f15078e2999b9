/** The environment of commands: the user's own, without secrets, and set so that nothing waits for a person. */

export interface ChildEnvOptions {
  /** The program's own environment. */
  readonly base: Readonly<Record<string, string | undefined>>;
  /** Hermes home, absolute. */
  readonly home: string;
  readonly sessionId: string;
  /** Names the user lets through (`terminal.env_passthrough`). */
  readonly passthrough?: readonly string[];
  /** Names that loaded skills ask for; never a model provider's credential. */
  readonly skillPassthrough?: readonly string[];
  /** Further names to withhold, such as those of the home's `.env`. */
  readonly secretNames?: Iterable<string>;
  /** Set last, whatever their names. */
  readonly extra?: Readonly<Record<string, string>>;
}

/** Editors answer "unchanged", pagers print, prompts fail at once: standard input is closed. */
const quiet: Readonly<Record<string, string>> = {
  AI_AGENT: 'hermes',
  TERM: 'dumb',
  NO_COLOR: '1',
  PAGER: 'cat',
  GIT_PAGER: 'cat',
  MANPAGER: 'cat',
  SYSTEMD_PAGER: 'cat',
  GH_PAGER: 'cat',
  AWS_PAGER: '',
  EDITOR: 'true',
  VISUAL: 'true',
  GIT_EDITOR: 'true',
  GIT_SEQUENCE_EDITOR: 'true',
  GIT_TERMINAL_PROMPT: '0',
  GH_PROMPT_DISABLED: '1',
  SSH_ASKPASS: '',
  GIT_ASKPASS: '',
  DEBIAN_FRONTEND: 'noninteractive',
  PYTHONUNBUFFERED: '1',
};

/** Of our own process alone: they would change what a child shell or program does. */
const ownNames = new Set([
  ...['PWD', 'OLDPWD', 'SHLVL', '_', 'BASH_ENV', 'ENV', 'FORCE_COLOR', 'CLICOLOR_FORCE', 'SHELLOPTS', 'BASHOPTS'],
  ...['NODE_COMPILE_CACHE', 'NODE_CHANNEL_FD', 'NODE_UNIQUE_ID', 'HERMES_YOLO_MODE', 'HERMES_REDACT_SECRETS'],
]);

const secretWords =
  /(?:^|_)(?:API_?KEYS?|ACCESS_?KEY(?:_ID)?|KEYS?|TOKENS?|SECRETS?|PASSWORDS?|PASSWD|PASS|PASSPHRASE|PWD|PW|CREDENTIALS?|CREDS|AUTH|DSN|WEBHOOK(?:_URL)?|PAT)(?:_|$)|(?:KEY|TOKEN|SECRET|PASSWORD|PASSWD)$/;
/** Names that say where something lies, not what it is. */
const places = /_(?:PATH|FILE|DIR|SOCK|PID|HOME)$|^(?:GOOGLE_APPLICATION_CREDENTIALS|XAUTHORITY)$/;
const serviceNames =
  /^(?:MODAL|DAYTONA|HASS|EMAIL|GITHUB_APP|TELEGRAM|DISCORD|SLACK|MATRIX|SIGNAL|WHATSAPP|MATTERMOST|TWILIO|DINGTALK|FEISHU|WECOM|WEIXIN|BLUEBUBBLES|SUDO)_|_(?:HOME_CHANNEL|ALLOWED_USERS|ALLOW_ALL_USERS)$/;
const providerNames =
  /^(?:OPENAI|ANTHROPIC|OPENROUTER|GEMINI|GOOGLE|XAI|GROQ|DEEPSEEK|MISTRAL|COHERE|TOGETHER|FIREWORKS|CEREBRAS|NOUS|NVIDIA|KIMI|MOONSHOT|MINIMAX|GLM|ZAI|Z_AI|DASHSCOPE|QWEN|HF|HUGGINGFACE|AZURE_OPENAI|PERPLEXITY|OLLAMA|LM|VLLM|ARCEE|KILOCODE|COPILOT|AI_GATEWAY|OPENCODE(?:_ZEN|_GO)?)_(?:API_)?(?:KEY|TOKEN|BASE_URL|AUTH_TOKEN)$/;
/** Values that are secrets under any name: known prefixes, private keys, passwords inside a URL. */
const secretValue =
  /^(?:sk-|sk_live_|sk_test_|rk_live_|gh[pousr]_|github_pat_|glpat-|xox[baprs]-|xapp-|AIza|AKIA[A-Z0-9]{16}|hf_|npm_|eyJ)[A-Za-z0-9_.-]{10,}|-----BEGIN [A-Z ]*PRIVATE KEY|^[a-z][a-z0-9+.-]*:\/\/[^\s/:@]*:[^\s/@]+@/;

function isSecretVariable(name: string, value: string): boolean {
  const upper = name.toUpperCase();
  if (/^(?:HTTPS?|ALL|FTP|NO)_PROXY$/.test(upper)) return false; // without it, no command reaches the network
  if (providerNames.test(upper) || serviceNames.test(upper)) return true;
  if (secretWords.test(upper) && !places.test(upper)) return true;
  return secretValue.test(value);
}

/** @returns a new object: the whole environment of a command */
export function childEnv(options: ChildEnvOptions): Record<string, string> {
  const named = new Set(options.passthrough);
  for (const name of options.skillPassthrough ?? []) if (!providerNames.test(name.toUpperCase())) named.add(name);
  const withheld = new Set(options.secretNames);
  const env: Record<string, string> = {};
  for (const [name, value] of Object.entries(options.base)) {
    if (value === undefined || ownNames.has(name)) continue;
    if (named.has(name) || !(withheld.has(name) || isSecretVariable(name, value))) env[name] = value;
  }
  return Object.assign(env, quiet, { HERMES_HOME: options.home, HERMES_SESSION_ID: options.sessionId }, options.extra);
}
