/** Deleting, overwriting and opening up files and devices. */
import { hasFlag, known, type SimpleCommand, splitArgs, UNKNOWN, type Word } from './model.ts';
import { isProtectedFolder, isRawDevice, resolvePath, sensitivePlace } from './paths.ts';
import { ask, block, type Finding, type Rule, type RuleContext, type RuleTable } from './rules.ts';

const recursiveDelete = ask('recursive-delete', 'deletes files recursively');
const rawWrite = block('raw-device', 'writes to a raw disk');
const fatalDelete = block('delete-system', 'deletes a system folder or the whole home');

const rm: Rule = (command, context) => {
  const { options, operands } = splitArgs(command.args);
  const recursive = hasFlag(options, 'r', 'recursive') || hasFlag(options, 'R') || hasFlag(options, 'd', 'dir');
  if (recursive && operands.some((word) => isProtectedFolder(word, command.cwd, context.home))) return fatalDelete;
  if (command.via === 'xargs') return ask('xargs-delete', 'deletes whatever files another command lists');
  if (command.via === 'find') return ask('find-delete', 'deletes every file that find matches');
  if (recursive) return recursiveDelete;
  if (operands.some((word) => isOutside(word, command, context)))
    return ask('delete-outside', 'deletes files outside the working folder');
  return undefined;
};

function isOutside(word: Word, command: SimpleCommand, context: RuleContext): boolean {
  if (word.text.startsWith(UNKNOWN)) return false;
  const path = resolvePath(word.text, command.cwd, context.home);
  return (
    path.startsWith('/') && path !== context.cwd && !path.startsWith(context.cwd === '/' ? '//' : `${context.cwd}/`)
  );
}

const find: Rule = (command, context) => {
  const starts = command.args.slice(0, firstExpression(command.args));
  const deletes = command.args.some((word) => word.text === '-delete');
  const removes = command.args.some(
    (word, at) =>
      /^-(?:exec|execdir|ok|okdir)$/.test(word.text) &&
      /(?:^|\/)(?:rm|unlink|shred|rmdir)$/.test(command.args[at + 1]?.text ?? ''),
  );
  if (!deletes && !removes) return undefined;
  const narrowed = command.args.some((word) =>
    /^-(?:i?name|i?path|i?regex|newer|m(?:time|min)|a(?:time|min)|size|empty|user|group|perm)$/.test(word.text),
  );
  if (!narrowed && starts.some((word) => isProtectedFolder(word, command.cwd, context.home))) return fatalDelete;
  return ask('find-delete', 'deletes every file that find matches');
};

function firstExpression(args: readonly Word[]): number {
  const at = args.findIndex((word) => /^[-(!]/.test(word.text) && !/^-[HLPO]\d?$/.test(word.text));
  return at === -1 ? args.length : at;
}

const chmod: Rule = (command) => {
  const modes = command.args.map((word) => word.text);
  const open = modes.some(
    (mode) => /^[0-7]?[0-7][0-7][2367]$/.test(mode) || /(?:^|,)(?:[ugo]*[oa][ugo]*)[+=][rwxXst]*w/.test(mode),
  );
  return open ? ask('open-permissions', 'lets every user write to files') : undefined;
};

const chown: Rule = (command) => {
  const { options, operands } = splitArgs(command.args);
  const toRoot = /^(?:root|0)(?:[:.]|$)/.test(operands[0]?.text ?? '');
  return toRoot && hasFlag(options, 'R', 'recursive')
    ? ask('chown-root', 'gives files to root recursively')
    : undefined;
};

const mkfs: Rule = () => block('make-filesystem', 'formats a disk');

const dd: Rule = (command, context) => {
  const values = command.args.map((word) => word.text);
  const output = values.find((value) => value.startsWith('of='))?.slice(3);
  if (output !== undefined && isRawDevice(resolvePath(output, command.cwd, context.home))) return rawWrite;
  if (values.some((value) => value.startsWith('if=') || value.startsWith('of=')))
    return ask('raw-copy', 'copies raw blocks with dd');
  return undefined;
};

const wipe: Rule = (command, context) => {
  const device = splitArgs(command.args).operands.some((word) =>
    isRawDevice(resolvePath(word.text, command.cwd, context.home)),
  );
  if (device) return rawWrite;
  return command.name === 'shred' && command.via !== undefined
    ? ask('find-delete', 'destroys every file that is listed')
    : undefined;
};

const diskutil: Rule = (command) => {
  const verb = command.args[0]?.text.toLowerCase() ?? '';
  return /^(?:erase|zerodisk|secureerase|partitiondisk|reformat|apfs$)/.test(verb)
    ? block('make-filesystem', 'erases a disk')
    : undefined;
};

/** Files that a command names as where it writes. */
function outputs(command: SimpleCommand): Word[] {
  const { options, operands } = splitArgs(command.args);
  const last = operands.at(-1);
  switch (command.name) {
    case 'tee':
    case 'truncate':
    case 'sponge':
      return operands;
    case 'cp':
    case 'mv':
    case 'install':
    case 'ln':
    case 'rsync':
    case 'scp': {
      const target = command.args.find((_word, at) =>
        /^(?:-t|--target-directory)$/.test(command.args[at - 1]?.text ?? ''),
      );
      return [
        ...((target ?? last) ? [target ?? last] : []),
        ...(command.name === 'mv' ? operands.slice(0, -1) : []),
      ].filter((word) => word !== undefined);
    }
    case 'sed':
    case 'perl':
      return hasFlag(options, command.name === 'sed' ? 'i' : '', 'in-place') ||
        options.some((option) => /^-[a-z0-9]*i/.test(option))
        ? operands
        : [];
    case 'dd':
      return command.args
        .filter((word) => word.text.startsWith('of='))
        .map((word) => ({ ...word, text: word.text.slice(3) }));
    default:
      return [];
  }
}

/** Looks at every command: redirections, and the outputs of the copying tools. */
export const writes: Rule = (command, context) => {
  const redirected = command.redirects
    .filter(({ operator }) => operator.includes('>') && !operator.endsWith('&'))
    .map(({ target }) => target);
  const findings: Finding[] = [];
  for (const word of [...redirected, ...outputs(command)]) {
    const path = resolvePath(word.text, command.cwd, context.home);
    if (isRawDevice(path)) findings.push(rawWrite);
    const place = sensitivePlace(intoFolder(path, word, command), context.hermesHome);
    if (place !== undefined) findings.push(place);
  }
  return findings;
};

/** `cp key ~/.ssh/` writes into the folder although the trailing slash is gone by now. */
function intoFolder(path: string, word: Word, command: SimpleCommand): string {
  const inside =
    (word.text.endsWith('/') || /^\/etc$/.test(path)) && /^(?:cp|mv|install|ln|rsync|scp)$/.test(command.name);
  if (!inside || !known(word)) return path;
  const source = splitArgs(command.args).operands[0]?.text ?? '';
  return `${path}/${source.slice(source.lastIndexOf('/') + 1)}`;
}

export const fileRules: RuleTable = [
  ['rm unlink rmdir srm', rm],
  ['find fd fdfind', find],
  ['chmod', chmod],
  ['chown chgrp', chown],
  ['mkfs newfs mke2fs mkswap', mkfs],
  ['dd', dd],
  ['wipefs sgdisk sfdisk blkdiscard shred hdparm parted fdisk badblocks', wipe],
  ['diskutil', diskutil],
];
