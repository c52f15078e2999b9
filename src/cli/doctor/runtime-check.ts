/** Node and the programs that tools call. */
import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';
import { bad, type Check, type CheckContext, type Finding, ok, warn } from './finding.ts';

interface Program {
  readonly name: string;
  readonly use: string;
  readonly needed: boolean;
}

const PROGRAMS: readonly Program[] = [
  { name: 'bash', use: 'the terminal tool runs commands with it', needed: true },
  { name: 'git', use: 'work on repositories', needed: false },
];

export const runtimeCheck: Check = {
  title: 'Runtime',
  async run({ cli }) {
    return [
      node(),
      ...PROGRAMS.map((program) => found(program, cli.env)),
      whereIs('hermes', cli.env) === undefined
        ? warn('`hermes` is not on the PATH.', { mend: 'npm link' })
        : ok('`hermes` is on the PATH'),
    ];
  },
};

function node(): Finding {
  const { node: version } = process.versions;
  return Number(version.split('.')[0]) >= 24
    ? ok(`Node ${version}`)
    : bad(`Node ${version} is too old.`, { mend: 'install Node 24 or newer' });
}

function found({ name, use, needed }: Program, env: CheckContext['cli']['env']): Finding {
  const path = whereIs(name, env);
  if (path !== undefined) return ok(`${name} (${path})`);
  return (needed ? bad : warn)(`${name} is not installed: ${use}.`, {
    mend: installCommand(name, env),
  });
}

function installCommand(name: string, env: CheckContext['cli']['env']): string {
  const managers = [
    ['brew', 'brew install'],
    ['apt-get', 'sudo apt-get install'],
    ['dnf', 'sudo dnf install'],
    ['pacman', 'sudo pacman -S'],
    ['apk', 'sudo apk add'],
  ];
  const manager = managers.find(([program = '']) => whereIs(program, env) !== undefined)?.[1];
  return manager === undefined ? `install ${name}` : `${manager} ${name}`;
}

function whereIs(name: string, env: CheckContext['cli']['env']): string | undefined {
  const suffixes = process.platform === 'win32' ? ['.exe', '.cmd', '.bat'] : [''];
  for (const folder of (env.PATH ?? '').split(delimiter).filter((part) => part !== ''))
    for (const suffix of suffixes) {
      const path = join(folder, name + suffix);
      try {
        accessSync(path, constants.X_OK);
        return path;
      } catch {
        // not here
      }
    }
  return undefined;
}
