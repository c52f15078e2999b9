/** Running text that nobody has seen: downloaded, decoded, piped, or put together by the shell. */
import { decodes, fetches, interpreterScript, isInterpreter, shellScript, shells } from './interpreters.ts';
import { known, type SimpleCommand, UNKNOWN, type Word } from './model.ts';
import { ask, type Finding, type Rule, type RuleTable } from './rules.ts';

const remote = ask('run-remote', 'runs what it downloads');
const decoded = ask('run-decoded', 'runs text that it decodes first');
const piped = ask('run-piped', 'runs text that another command writes');

/** The worst that can be said of where executed text comes from. */
function originOf(sources: readonly SimpleCommand[]): Finding {
  if (sources.some(fetches)) return remote;
  return sources.some(decodes) ? decoded : piped;
}

function innerOf(word: Word | undefined): readonly SimpleCommand[] {
  return word?.inner ?? [];
}

const shell: Rule = (command) => {
  const { inline, file, fromStdin } = shellScript(command);
  if (inline !== undefined)
    return inline.inner.length > 0
      ? originOf(inline.inner)
      : ask('shell-inline', 'runs a command line inside another shell');
  if (file !== undefined && file.inner.length > 0) return originOf(file.inner);
  if (!fromStdin) return undefined;
  const redirected = command.redirects
    .filter((redirect) => redirect.operator === '<')
    .flatMap((redirect) => innerOf(redirect.target));
  if (redirected.length > 0) return originOf(redirected);
  if (command.upstream.length > 0) return originOf(command.upstream);
  return command.stdin !== undefined ? ask('shell-inline', 'runs a command line inside another shell') : undefined;
};

const interpreter: Rule = (command) => {
  const { inline, file, fromStdin } = interpreterScript(command);
  const findings: Finding[] = [];
  const text = [inline?.text ?? '', command.stdin ?? ''].join('\n');
  if (/rmtree\(\s*['"](?:\/|~|\/(?:home|root|etc|usr|var|bin|sbin|boot|lib))\/?['"]/.test(text))
    findings.push({ id: 'delete-system', why: 'deletes a system folder or the whole home', block: true });
  const sources = [...innerOf(inline), ...innerOf(file)];
  if (sources.length > 0) findings.push(originOf(sources));
  else if (inline !== undefined)
    findings.push(ask('code-inline', `runs ${command.name} code given on the command line`));
  else if (fromStdin && command.upstream.length > 0) findings.push(originOf(command.upstream));
  else if (fromStdin && command.stdin !== undefined)
    findings.push(ask('code-inline', `runs ${command.name} code given on the command line`));
  return findings;
};

const evaluate: Rule = (command) => {
  const inner = command.args.flatMap((word) => word.inner);
  if (inner.length > 0) return inner.some(fetches) ? remote : inner.some(decodes) ? decoded : undefined;
  if (command.name === 'eval')
    return command.args.some((word) => !known(word))
      ? ask('eval-unknown', 'runs text that is only known when it runs')
      : undefined;
  return undefined;
};

const metadataHosts =
  /(?:^|[/@.])(?:169\.254\.169\.254|169\.254\.170\.2|metadata\.google\.internal|metadata\.goog|100\.100\.100\.200|\[?fd00:ec2::254\]?|2852039166|0xa9fea9fe|0251\.0376\.0251\.0376)(?:[:/]|$)/i;

const network: Rule = (command) =>
  command.args.some((word) => metadataHosts.test(word.text))
    ? ask('cloud-metadata', "reads the cloud machine's credentials service")
    : undefined;

/** Looks at every command. */
export const execution: Rule = (command) => {
  const findings: Finding[] = [];
  if (command.runs === 'remote') findings.push(remote);
  if (command.runs === 'decoded') findings.push(decoded);
  if (command.name === '' && command.path !== UNKNOWN)
    findings.push(ask('hidden-command', 'hides the name of the command it runs'));
  else if (command.name === '')
    findings.push(ask('hidden-command', 'runs a command whose name is only known when it runs'));
  if (command.name === 'awk' || command.name.endsWith('awk')) {
    if (command.args.some((word) => /\bsystem\s*\(|\|\s*"|"\s*\|\s*getline/.test(word.text)))
      findings.push(ask('code-inline', 'runs commands from inside awk'));
  }
  const loader = [...command.settings.keys()].find((name) =>
    /^(?:LD_PRELOAD|LD_LIBRARY_PATH|DYLD_INSERT_LIBRARIES|BASH_ENV|PROMPT_COMMAND)$/.test(name),
  );
  if (loader !== undefined && loader !== 'LD_LIBRARY_PATH')
    findings.push(ask('hijack-loader', `changes what programs load through ${loader}`));
  return findings;
};

export const executionRules: RuleTable = [
  [[...shells].join(' '), shell],
  ['eval . source', evaluate],
  ['iex invoke-expression', (command) => (command.upstream.length > 0 ? originOf(command.upstream) : piped)],
  [
    'curl wget aria2c fetch http https xh lynx nc ncat netcat telnet ftp lftp iwr irm invoke-webrequest invoke-restmethod socat',
    network,
  ],
];

export function interpreterRule(command: SimpleCommand): Rule | undefined {
  return isInterpreter(command.name) ? interpreter : undefined;
}
