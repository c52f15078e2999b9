/** Services, processes, containers, repositories, databases, and Hermes itself. */
import { hasFlag, splitArgs } from './model.ts';
import { ask, block, type Rule, type RuleTable } from './rules.ts';

const powerOff = block('power-off', 'shuts the machine down or restarts it');

const power: Rule = (command) => (command.args.some((word) => /^--?help$/.test(word.text)) ? undefined : powerOff);

const init: Rule = (command) => (/^[06]$/.test(command.args[0]?.text ?? '') ? powerOff : undefined);

const systemctl: Rule = (command) => {
  const verb = splitArgs(command.args).operands[0]?.text ?? '';
  if (/^(?:poweroff|reboot|halt|kexec|soft-reboot|emergency|rescue)$/.test(verb)) return powerOff;
  return /^(?:stop|restart|try-restart|disable|mask|kill|isolate)$/.test(verb)
    ? ask('service-control', 'stops or disables a system service')
    : undefined;
};

const service: Rule = (command) => {
  const words = splitArgs(command.args).operands.map((word) => word.text);
  return words.some((word) => /^(?:stop|restart|unload|bootout|remove|disable)$/.test(word))
    ? ask('service-control', 'stops or disables a system service')
    : undefined;
};

const kill: Rule = (command) => {
  const texts = command.args.map((word) => word.text);
  // The first argument is a signal unless it stands alone: `kill -1 42` hangs up on 42, `kill -9 -1` ends all.
  const targets = /^-(?:s|n|-signal)$/.test(texts[0] ?? '')
    ? texts.slice(2)
    : /^-[\w]+$/.test(texts[0] ?? '') && texts.length > 1
      ? texts.slice(1)
      : texts;
  if (targets.includes('-1')) return block('kill-all', 'kills every process');
  const found = command.args.flatMap((word) => word.inner).some((inner) => /^(?:pgrep|pidof)$/.test(inner.name));
  if (found || command.via === 'xargs') return ask('kill-matching', 'kills every process that matches');
  return undefined;
};

const killMatching: Rule = (command) => {
  const texts = command.args.map((word) => word.text);
  const hermes = texts.some((text) => /^(?:hermes|hermes-agent|hermes gateway)\b/i.test(text));
  if (hermes) return ask('hermes-stop', 'kills Hermes itself');
  const hard = texts.some((text) => /^-(?:9|KILL|SIGKILL|r)$|^--(?:signal[= ]?(?:9|KILL|SIGKILL)|regexp)$/i.test(text));
  const named = texts.some(
    (text, at) => /^(?:-s|--signal)$/.test(texts[at - 1] ?? '') && /^(?:9|(?:SIG)?KILL)$/i.test(text),
  );
  return hard || named ? ask('kill-matching', 'kills processes by name without letting them finish') : undefined;
};

const docker: Rule = (command) => {
  const findings = [];
  const words = splitArgs(command.args).operands.map((word) => word.text);
  const verbs =
    command.name === 'docker-compose' || command.name === 'podman-compose'
      ? words
      : words.filter((word) => !/^(?:compose|container|service|stack)$/.test(word));
  const valued = /^(?:-H|--host|-f|--file|-p|--project-name|-c|--context|--profile|--env-file)$/;
  const verb = verbs.find(
    (word) => !command.args.some((arg, at) => arg.text === word && valued.test(command.args[at - 1]?.text ?? '')),
  );
  if (verb !== undefined && /^(?:stop|restart|kill|down)$/.test(verb))
    findings.push(ask('container-control', 'stops containers'));
  const redirected =
    command.settings.has('DOCKER_HOST') ||
    command.args.some((word) => /^(?:-H|--host(?:=.*)?|-H\w+:.*)$/.test(word.text));
  if (redirected) findings.push(ask('container-daemon', 'sends container commands to another daemon'));
  return findings;
};

const gitValued = /^(?:-C|-c|--git-dir|--work-tree|--namespace|--exec-path)$/;

const git: Rule = (command) => {
  let at = 0;
  while (command.args[at]?.text.startsWith('-')) at += gitValued.test(command.args[at]?.text ?? '') ? 2 : 1;
  const verb = command.args[at]?.text ?? '';
  const { options, operands } = splitArgs(command.args.slice(at + 1));
  if (verb === 'reset' && hasFlag(options, '', 'hard')) return ask('git-reset-hard', 'throws away uncommitted changes');
  const forced =
    hasFlag(options, 'f', 'force') || options.some((option) => option.startsWith('--force') || option === '--mirror');
  if (verb === 'push' && (forced || operands.some((word) => word.text.startsWith('+'))))
    return ask('git-force-push', 'overwrites history on the remote');
  if (verb === 'clean' && hasFlag(options, 'f', 'force') && !hasFlag(options, 'n', 'dry-run'))
    return ask('git-clean', 'deletes files that git does not know');
  const deletesBranch = hasFlag(options, 'D') || (hasFlag(options, 'd', 'delete') && forced);
  if (verb === 'branch' && deletesBranch) return ask('git-delete-branch', 'deletes a branch that may not be merged');
  return undefined;
};

const destructiveSql =
  /\bdrop\s+(?:table|database|schema|view|index|user|role|tablespace|column)\b|\btruncate\s+(?:table\s+)?[\w"`.[]+|\bdelete\s+from\s+[\w"`.[\]]+(?![\s\S]*?\bwhere\b)/i;

const sql: Rule = (command) => {
  const texts = [
    ...command.args.map((word) => word.text),
    command.stdin ?? '',
    ...command.upstream.flatMap((stage) => [stage.stdin ?? '', ...stage.args.map((word) => word.text)]),
  ];
  const statements = texts.flatMap((text) => text.split(';'));
  if (/^(?:dropdb|dropuser)$/.test(command.name)) return ask('sql-destructive', 'deletes a database');
  return statements.some((statement) => destructiveSql.test(statement))
    ? ask('sql-destructive', 'deletes data or tables from a database')
    : undefined;
};

const hermes: Rule = (command, context) => {
  const [first, second] = splitArgs(command.args).operands.map((word) => word.text);
  const gateway = first === 'gateway';
  if (gateway && /^(?:stop|restart|uninstall)$/.test(second ?? '')) {
    return context.inGateway === true
      ? block('hermes-stop-self', 'stops the gateway that runs it')
      : ask('hermes-stop', 'stops or restarts the Hermes gateway');
  }
  if (gateway && command.detached) return ask('hermes-detached', 'starts a second gateway in the background');
  return first === 'update' || first === 'uninstall'
    ? ask('hermes-update', 'changes the Hermes installation')
    : undefined;
};

const sudo: Rule = (command) => {
  const { options } = splitArgs(command.args);
  const reads = options.some((option) => /^-[A-Za-z]*S/.test(option) || option === '--stdin');
  const given =
    command.stdin !== undefined || command.upstream.some((stage) => /^(?:echo|printf|cat|yes)$/.test(stage.name));
  return reads && given ? block('sudo-password', 'feeds a password to sudo') : undefined;
};

const windows: Rule = (command) => {
  const texts = command.args.map((word) => word.text.toLowerCase());
  const has = (pattern: RegExp): boolean => texts.some((text) => pattern.test(text));
  const finding = ask('windows-destructive', 'deletes or changes system data on Windows');
  switch (command.name) {
    case 'del':
    case 'erase':
    case 'rd':
      return has(/^\/[sq]$/) ? finding : undefined;
    case 'remove-item':
    case 'ri':
      return has(/^-r(?:ecurse)?$/) ? finding : undefined;
    case 'taskkill':
      return has(/^\/f$/) ? finding : undefined;
    case 'icacls':
      return has(/everyone/) ? finding : undefined;
    case 'reg':
      return has(/^delete$/) ? finding : undefined;
    case 'vssadmin':
      return has(/^delete$/) ? finding : undefined;
    case 'format':
      return has(/^[a-z]:/) ? finding : undefined;
    default:
      return finding;
  }
};

export const systemRules: RuleTable = [
  ['shutdown reboot halt poweroff', power],
  ['init telinit', init],
  ['systemctl', systemctl],
  ['service launchctl rc-service', service],
  ['kill', kill],
  ['pkill killall', killMatching],
  ['docker podman nerdctl docker-compose podman-compose', docker],
  ['git', git],
  [
    'psql mysql mariadb sqlite3 sqlite duckdb sqlcmd clickhouse clickhouse-client snowsql cockroach bq dropdb dropuser',
    sql,
  ],
  ['hermes', hermes],
  ['sudo', sudo],
  ['del erase rd remove-item ri taskkill icacls reg vssadmin format diskpart bcdedit', windows],
];
