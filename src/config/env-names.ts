/** Which names are environment variables of ours and which of them hold secrets. */

const SECRET_NAME = /(?:^|_)(?:API_KEY|KEY|TOKEN|SECRET|PASSWORD|PASSWORD_HASH|CREDENTIALS?)$/;

const SETTING_NAME =
  /^(?:HERMES|TERMINAL|GATEWAY|API_SERVER|WEBHOOK|DELEGATION|TELEGRAM|DISCORD|SLACK|WHATSAPP|SIGNAL|MATRIX|MATTERMOST|EMAIL|SMS|TWILIO|FEISHU|DINGTALK|WECOM|TEAMS|HONCHO|BROWSERBASE|BROWSER)_[A-Z0-9_]+$|_(?:API_KEY|TOKEN|SECRET|PASSWORD|BASE_URL|API_URL|BOT_TOKEN|ALLOWED_USERS|ALLOW_ALL_USERS|HOME_CHANNEL)$/;

const KNOWN = new Set(
  'AWS_REGION AWS_PROFILE FAL_KEY SEARXNG_URL OPENVIKING_ENDPOINT SUDO_PASSWORD GH_TOKEN EDITOR VISUAL'.split(' '),
);

/** An environment variable that Hermes reads: `config set` writes it to `.env`. */
export function isSettingName(name: string): boolean {
  return /^[A-Z][A-Z0-9_]*$/.test(name) && (KNOWN.has(name) || SETTING_NAME.test(name));
}

/** A variable whose value must never be shown. */
export function isSecretName(name: string): boolean {
  return SECRET_NAME.test(name.toUpperCase());
}

/**
 * A variable that a folder's own `.env` must not bring: it would steer Hermes itself, or what the programs it
 * starts load and where they send things.
 */
export function isUnsafeFromProject(name: string): boolean {
  return (
    /^(?:HERMES|TERMINAL|GATEWAY|LD|DYLD|GIT|NPM_CONFIG|BASH_FUNC)_/i.test(name) ||
    /^(?:PATH|HOME|SHELL|ENV|BASH_ENV|IFS|PS4|PROMPT_COMMAND|NODE_OPTIONS|NODE_PATH|NODE_EXTRA_CA_CERTS|PYTHONPATH|PYTHONSTARTUP|PYTHONHOME|PERL5LIB|PERL5OPT|RUBYLIB|RUBYOPT|JAVA_TOOL_OPTIONS|SSL_CERT_FILE|SSL_CERT_DIR|EDITOR|VISUAL|PAGER|(?:HTTPS?|ALL|NO)_PROXY)$/i.test(
      name,
    )
  );
}
