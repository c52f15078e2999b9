/** Judges a shell command before it runs: allow, ask a person, or block whatever anyone says. */
import type { AssessContext, Assessment, CommandRisk } from './assessment.ts';
import { commandText, type SimpleCommand } from './model.ts';
import { loadShellParser, type ParseShell } from './parser.ts';
import { needsCloserLook } from './prefilter.ts';
import { block, type Finding, type Rule, type RuleContext, type RuleTable } from './rules.ts';
import { execution, executionRules, interpreterRule } from './rules-exec.ts';
import { fileRules, writes } from './rules-files.ts';
import { systemRules } from './rules-system.ts';
import { wrappers } from './unwrap.ts';
import { type Walk, walkCommand } from './walk.ts';

export type { AssessContext, Assessment, CommandRisk, Verdict } from './assessment.ts';

const rulesByName = new Map<string, Rule[]>();
for (const table of [fileRules, systemRules, executionRules] satisfies RuleTable[]) {
  for (const [names, rule] of table) {
    for (const name of names.split(' ')) rulesByName.set(name, [...(rulesByName.get(name) ?? []), rule]);
  }
}

/** Names that a rule or the walk itself cares about; without any of them nothing can be found. */
const watched: ReadonlySet<string> = new Set([
  ...rulesByName.keys(),
  ...Object.keys(wrappers),
  ...[
    'tee',
    'cp',
    'mv',
    'install',
    'ln',
    'rsync',
    'scp',
    'sed',
    'truncate',
    'sponge',
    'trap',
    'alias',
    'su',
    'runuser',
    'script',
    'ssh',
    'at',
    'batch',
  ],
  ...['ld_preload', 'dyld_insert_libraries', 'bash_env', 'prompt_command', 'docker_host', 'coproc'],
]);

/**
 * Never rejects for what the command holds: what cannot be read is asked about.
 * @param command as the model gave it
 */
export async function assessCommand(command: string, context: AssessContext): Promise<Assessment> {
  const source = normalise(command);
  if (context.listCommands !== true && !needsCloserLook(source, watched))
    return { verdict: 'allow', risks: [], commands: [] };
  const rules: RuleContext = { ...context, hermesHome: context.hermesHome ?? `${context.home}/.hermes` };
  const parse = await loadShellParser();
  const walk = walkSafely(parse, source, context);
  const risks = new Map<string, CommandRisk>();
  const add = (finding: Finding, text: string): void => {
    const known = risks.get(finding.id);
    if (known === undefined || (finding.block && !known.block)) {
      risks.set(finding.id, { id: finding.id, why: finding.why, command: text, block: finding.block ?? false });
    }
  };
  for (const found of walk.commands) for (const finding of judge(found, rules)) add(finding, commandText(found));
  if (walk.forkBomb) add(block('fork-bomb', 'starts itself without end'), source);
  for (const text of walk.unread) for (const finding of judgeUnread(text)) add(finding, text);
  const list = [...risks.values()];
  const verdict = list.some((risk) => risk.block) ? 'block' : list.length > 0 ? 'ask' : 'allow';
  return { verdict, risks: list, commands: [...new Set(walk.commands.map(commandText))] };
}

/** Nesting beyond the stack is as unreadable as a syntax error. */
function walkSafely(parse: ParseShell, source: string, context: AssessContext): Walk {
  try {
    return walkCommand(parse, source, context);
  } catch (error) {
    if (error instanceof RangeError) return { commands: [], unread: [source], forkBomb: false };
    throw error;
  }
}

function normalise(command: string): string {
  const visible = command.replace(/\x1b\[[0-?]*[ -/]*[@-~]/g, '').replaceAll('\0', '');
  return visible.normalize('NFKC');
}

function judge(command: SimpleCommand, context: RuleContext): Finding[] {
  const name = command.name.startsWith('mkfs.') ? 'mkfs' : command.name;
  const rules = [...(rulesByName.get(name) ?? []), interpreterRule(command), writes, execution];
  return rules.flatMap((rule) => rule?.(command, context) ?? []);
}

const hopeless: readonly (readonly [RegExp, Finding])[] = [
  [
    /\brm\s+(?:-\S+\s+)*-\w*[rR]\w*\s+(?:-\S+\s+)*(?:\/|~|\$HOME|\/(?:home|root|etc|usr|var|bin|sbin|boot|lib)\/?)(?:\*|\s|;|&|\||$)/,
    block('delete-system', 'deletes a system folder or the whole home'),
  ],
  [/\brm,-\w*[rR]\w*,(?:\/|~)[},]/, block('delete-system', 'deletes a system folder or the whole home')],
  [/(?:^|[;&|\s(])mkfs(?:\.\w+)?\s/, block('make-filesystem', 'formats a disk')],
  [
    /\bof=\/dev\/(?:sd|nvme|vd|hd|disk|mmcblk)|>\s*\/dev\/(?:sd|nvme|vd|hd|disk|mmcblk)/,
    block('raw-device', 'writes to a raw disk'),
  ],
  [/([\w:]+)\s*\(\)\s*\{\s*\1\s*\|\s*\1\s*&?\s*\}?/, block('fork-bomb', 'starts itself without end')],
  [
    /(?:^|[;&|(])\s*(?:sudo\s+)?(?:shutdown|reboot|halt|poweroff)\b/,
    block('power-off', 'shuts the machine down or restarts it'),
  ],
];

/** What the grammar cannot read is asked about; the worst is still recognised outside quotes. */
function judgeUnread(text: string): Finding[] {
  const bare = text
    .replace(/'[^']*'/g, "''")
    .replace(/"(?:[^"\\$`]|\\.)*"/g, '""')
    .replace(/\\(.)/g, '$1');
  const found = hopeless.filter(([pattern]) => pattern.test(bare)).map(([, finding]) => finding);
  return [...found, { id: 'unreadable', why: 'cannot be read as a shell command, so nobody knows what it does' }];
}
