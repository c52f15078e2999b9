/** What is forbidden, what is asked first, and what stays private. */
import { anyMap, bool, int, oneOf, section, text, texts } from './kinds.ts';

const WITHOUT_ASKING = ['deny', 'approve'] as const;

export const safetySettings = {
  approvals: section(
    {
      mode: oneOf(
        ['manual', 'smart', 'off'],
        'smart',
        'Who decides on risky commands: you (manual) or nobody (off). Smart is to ask a second model first; for now it asks you.',
      ),
      timeout: int(300, 'Seconds a question waits; no answer is a no.', 1),
      cron_mode: oneOf(WITHOUT_ASKING, 'deny', 'Risky commands in scheduled jobs.'),
      single_query_mode: oneOf(WITHOUT_ASKING, 'deny', 'Risky commands in one-shot runs.'),
      unattended_mode: oneOf(WITHOUT_ASKING, 'deny', 'Risky commands where nobody can be asked.'),
      deny: texts([], 'Commands never run, as patterns; hold whatever else is allowed.'),
      smart_policy: text('', 'Your own rules for the second model.'),
      denial_breaker_threshold: int(3, 'Refusals in a row after which the turn ends.'),
      mcp_reload_confirm: bool(true, 'Ask before MCP servers are reloaded.'),
      destructive_slash_confirm: bool(true, 'Ask before commands such as `/reset`.'),
    },
    'Approvals.',
  ),
  command_allowlist: texts([], 'Risks approved for good.'),
  security: section(
    {
      redact_secrets: bool(true, 'Hide keys in what the model and logs see.'),
      allow_private_urls: bool(false, 'Let web tools reach this network.'),
      protected_instruction_files: bool(true, 'Ask before the agent changes its own instructions.'),
      protected_instruction_extra_patterns: texts([], 'Further files of that kind.'),
      acked_advisories: texts([], 'Advisories you have seen.'),
      allow_lazy_installs: bool(true, 'Install what a feature needs when it is first used.'),
      tirith_enabled: bool(true, 'Ask the tirith scanner when it is installed.'),
      tirith_path: text('tirith', 'Where it is.'),
      tirith_timeout: int(5, 'Longest wait in seconds.', 1),
      tirith_fail_open: bool(true, 'Go on without it when it fails.'),
      website_blocklist: section(
        {
          enabled: bool(false, 'Keep the agent from some sites.'),
          domains: texts([], 'Which: `example.com`, `*.example.com` or a top-level name.'),
          shared_files: texts([], 'Files with more.'),
        },
        'Blocked sites.',
      ),
      approval: section(
        {
          transport: text('builtin', 'How questions reach you.'),
          transport_fallback: text('deny', 'What happens when they cannot.'),
        },
        'Ways to ask.',
      ),
    },
    'Security.',
  ),
  privacy: section({ redact_pii: bool(false, 'Hide people’s ids from the model.') }, 'Privacy.'),
  secrets: section(
    {
      sources: texts([], 'Password managers to ask at start.'),
      bitwarden: anyMap('Bitwarden.'),
      onepassword: anyMap('1Password.'),
      command: anyMap('A command that prints secrets.'),
    },
    'Secrets from elsewhere.',
  ),
  vault: anyMap('Vault.'),
  proxy: anyMap('Outgoing proxy.'),
};
