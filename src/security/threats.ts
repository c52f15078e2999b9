/** Patterns of text that tries to steer the agent: for memory and skills (refused), project files and tool results. */
import { findInvisible } from './invisible.ts';

/** Each scope holds the one before it. */
export type ThreatScope = 'all' | 'context' | 'strict';

export interface Threat {
  readonly id: string;
}

/** Only so much of a text is scanned, in characters. */
export const maxScannedChars = 65_536;

/**
 * The patterns found in `text`, in table order, each once; invisible characters last. Looks at the first
 * `maxScannedChars`: a caller that must be sure refuses longer texts.
 */
export function scanThreats(text: string, scope: ThreatScope): Threat[] {
  const raw = text.slice(0, maxScannedChars);
  const plain = raw.normalize('NFKC').replace(/\s+/g, ' ');
  const found: Threat[] = [];
  for (const [level, id, pattern] of threats) {
    if (levels[level] <= levels[scope] && pattern.test(plain)) found.push({ id });
  }
  for (const id of findInvisible(raw)) found.push({ id });
  return found;
}

const levels: Readonly<Record<ThreatScope, number>> = { all: 0, context: 1, strict: 2 };

// Between two key words at most a few others: `ignore all of your previous instructions`.
const few = String.raw`(?:\S+ ){0,5}?`;
const p = (source: string): RegExp => new RegExp(source, 'i');

const secretVariable = String.raw`\$\{?\w*(?:KEY|TOKEN|SECRET|PASSWORD|CREDENTIAL)`;

const threats: readonly (readonly [ThreatScope, string, RegExp])[] = [
  [
    'all',
    'prompt_injection',
    p(
      String.raw`\b(?:ignore|forget|disregard|override) ${few}(?:previous|prior|above|earlier|preceding|all) ${few}(?:instructions?|prompts?|directives?|context)\b`,
    ),
  ],
  [
    'all',
    'sys_prompt_override',
    p(
      String.raw`\b(?:system prompt override|(?:override|replace|overwrite) ${few}system (?:prompt|message|instructions?)|new system (?:prompt|instructions?) ?:)`,
    ),
  ],
  [
    'all',
    'disregard_rules',
    p(
      String.raw`\b(?:disregard|ignore|break|violate|bypass) ${few}(?:your|all|any|the) ${few}(?:rules?|guidelines?|polic(?:y|ies)|safety)\b`,
    ),
  ],
  [
    'all',
    'bypass_restrictions',
    p(
      String.raw`\b(?:act|behave|respond|operate) as (?:if|though) ${few}(?:no|without) ${few}(?:restrictions?|limits?|limitations?|rules?|filters?|constraints?)\b`,
    ),
  ],
  [
    'all',
    'html_comment_injection',
    p(
      String.raw`<!--[^>]{0,300}\b(?:ignore|override|system prompt|secretly|hidden instructions?|disregard|do not tell)\b`,
    ),
  ],
  [
    'all',
    'hidden_div',
    p(
      String.raw`<\w+[^>]{0,200}\bstyle ?= ?["'][^"']{0,200}(?:display ?: ?none|visibility ?: ?hidden|font-size ?: ?0|opacity ?: ?0(?![.\d]))`,
    ),
  ],
  [
    'all',
    'translate_execute',
    p(String.raw`\btranslate ${few}(?:into|to) ${few}(?:and|then) ${few}(?:execute|run|eval)\b`),
  ],
  [
    'all',
    'deception_hide',
    p(
      String.raw`\b(?:do not|don't|never|without) ${few}(?:tell|telling|inform|informing|mention|mentioning|notify|notifying|alert|alerting|reveal|revealing) ${few}(?:the |this to the )?(?:user|human|operator|owner)\b`,
    ),
  ],
  ['all', 'exfil_curl', p(String.raw`\bcurl\b[^\n]{0,300}${secretVariable}`)],
  ['all', 'exfil_wget', p(String.raw`\bwget\b[^\n]{0,300}${secretVariable}`)],
  [
    'all',
    'read_secrets',
    p(
      String.raw`\b(?:cat|less|more|head|tail|type|strings|base64|xxd) (?:-\S+ ){0,3}[^\s|;&]{0,100}(?:\.env\b(?!\.(?:example|sample|template))|credentials\b|\.netrc\b|\.pgpass\b|\.npmrc\b|\.pypirc\b)`,
    ),
  ],
  [
    'context',
    'role_hijack',
    p(String.raw`\byou are (?:now|no longer) ${few}(?:an?|the|my|hermes|assistant|bound|restricted|DAN)\b`),
  ],
  [
    'context',
    'role_pretend',
    p(
      String.raw`\b(?:pretend|roleplay|role-play|imagine) (?:that )?(?:you(?:'re| are)|to be|as) ${few}(?:unrestricted|evil|hacker|jailbroken|root|admin(?:istrator)?|developer mode|another|different|no|without)\b`,
    ),
  ],
  [
    'context',
    'leak_system_prompt',
    p(
      String.raw`\b(?:print|reveal|show|output|repeat|leak|disclose|share|send) ${few}(?:your|the) ${few}(?:system prompt|initial instructions?|hidden (?:prompt|instructions?)|system message)\b`,
    ),
  ],
  [
    'context',
    'remove_filters',
    p(
      String.raw`\b(?:remove|disable|turn off|deactivate|switch off) ${few}(?:your|all|any|the) ${few}(?:filters?|safety|safeguards?|guardrails?|restrictions?|moderation|approvals?)\b`,
    ),
  ],
  [
    'context',
    'fake_update',
    p(
      String.raw`\b(?:you have been|you were|your (?:instructions|rules|system) (?:have|has) been) (?:updated|upgraded|patched|reprogrammed|changed|replaced)\b`,
    ),
  ],
  [
    'context',
    'identity_override',
    p(
      String.raw`\b(?:your (?:new|real|true|actual) (?:name|identity|role|purpose|instructions?|goal) (?:is|are)|from now on,? you (?:are|will|must|shall))\b`,
    ),
  ],
  [
    'context',
    'c2_node_registration',
    p(
      String.raw`\b(?:register|enrol|enroll|announce) ${few}(?:node|agent|implant|bot|beacon|yourself|itself) ${few}(?:with|to|at) ${few}(?:https?:\/\/|server|controller|c2|command)`,
    ),
  ],
  [
    'context',
    'c2_heartbeat',
    p(String.raw`\b(?:send|post|emit|report) ${few}(?:heartbeats?|beacons?|check-?ins?) ${few}(?:to|every|with)\b`),
  ],
  [
    'context',
    'c2_task_pull',
    p(
      String.raw`\b(?:fetch|pull|poll|retrieve|download|get) ${few}(?:tasks?|commands?|orders|instructions) ${few}from ${few}(?:https?:\/\/|server|controller|c2|endpoint)`,
    ),
  ],
  ['context', 'c2_network_connect', p(String.raw`\b(?:connect|phone|call|report) (?:back|home) ?(?:to\b|every\b)`)],
  [
    'context',
    'forced_action',
    p(
      String.raw`\b(?:you must|you are required to|immediately|always) (?:now )?(?:run|execute|eval|invoke) ${few}(?:command|script|following|code|shell|curl|wget|bash)\b`,
    ),
  ],
  [
    'context',
    'anti_forensic_oneliner',
    p(
      String.raw`\b(?:history -c|unset HISTFILE|HISTFILE=\/dev\/null|HISTSIZE=0|rm (?:-\w+ )?\S*\.(?:bash|zsh)_history)\b`,
    ),
  ],
  ['context', 'anti_forensic_disk', p(String.raw`\b(?:shred|wipe|srm|truncate|rm) (?:-\S+ ){0,4}\S*\/var\/log\b`)],
  ['context', 'env_var_unset_agent', p(String.raw`\bunset ${few}(?:HERMES_\w+|AI_AGENT)\b`)],
  [
    'context',
    'known_c2_framework',
    p(
      String.raw`\b(?:cobalt ?strike|sliver c2|mythic c2|havoc c2|brute ratel|empire c2|metasploit|meterpreter|merlin c2|poshc2)\b`,
    ),
  ],
  ['context', 'c2_explicit', p(String.raw`\bc2 (?:server|channel|node|beacon|callback|framework|infrastructure)\b`)],
  [
    'context',
    'c2_explicit_long',
    p(String.raw`\bcommand[- ]and[- ]control (?:server|channel|node|beacon|callback|framework|infrastructure)\b`),
  ],
  [
    'strict',
    'send_to_url',
    p(String.raw`\b(?:send|post|upload|transmit|forward|exfiltrate) ${few}(?:to|at) https?:\/\/`),
  ],
  [
    'strict',
    'context_exfil',
    p(
      String.raw`\b(?:send|include|output|print|share|upload|post|append) ${few}(?:conversation|chat history|context window|full history|transcript|memory file|memories) ${few}(?:to|in|at|with) `,
    ),
  ],
  ['strict', 'ssh_backdoor', p(String.raw`\bauthorized_keys2?\b`)],
  [
    'strict',
    'ssh_access',
    p(String.raw`(?:\$HOME|~|\/root|\/home\/[\w.-]+)\/\.ssh\b|\bid_(?:rsa|ed25519|ecdsa)\b(?!\.pub)`),
  ],
  [
    'strict',
    'hermes_env',
    p(String.raw`(?:\$HOME|~|\/root|\/home\/[\w.-]+|\$\{?HERMES_HOME\}?)(?:\/\.hermes)?\/\.env\b|\.hermes\/\.env\b`),
  ],
  [
    'strict',
    'agent_config_mod',
    p(
      String.raw`\b(?:write|append|add|edit|modify|update|change|overwrite|insert)\b ${few}\S*(?:AGENTS\.md|CLAUDE\.md|\.cursorrules|SOUL\.md)\b`,
    ),
  ],
  [
    'strict',
    'hermes_config_mod',
    p(
      String.raw`\b(?:write|append|add|edit|modify|update|change|overwrite|insert|set)\b ${few}\S*(?:\.hermes\/config\.yaml|hermes config(?:\.yaml)?)\b`,
    ),
  ],
  [
    'strict',
    'hardcoded_secret',
    p(
      String.raw`\b(?:api[_-]?key|token|secret|password|passwd|credential)\w*["']? ?[:=] ?["'][A-Za-z0-9+/=_.-]{20,}["']`,
    ),
  ],
];
