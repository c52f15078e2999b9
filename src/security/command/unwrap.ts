/** Commands that run other commands: which word of theirs is the command. */
import type { SimpleCommand, Word } from './model.ts';

interface Wrapper {
  /** Options that take the next word. */
  readonly valued?: string;
  /** Words before the command. */
  readonly skip?: number;
  /** `NAME=value` may stand before the command. */
  readonly settings?: boolean;
  readonly detaches?: boolean;
}

export const wrappers: Readonly<Record<string, Wrapper>> = {
  sudo: {
    valued: '-u -g -h -p -C -r -t -T -U -D -R --user --group --host --prompt --chdir --chroot --role --type',
    settings: true,
  },
  doas: { valued: '-u -C', settings: true },
  env: { valued: '-u -C --unset --chdir', settings: true },
  command: {},
  builtin: {},
  exec: { valued: '-a' },
  eval: {},
  time: { valued: '-f -o' },
  nice: { valued: '-n' },
  ionice: { valued: '-c -n' },
  nohup: { detaches: true },
  setsid: { detaches: true },
  timeout: { valued: '-s -k --signal --kill-after', skip: 1 },
  gtimeout: { valued: '-s -k', skip: 1 },
  stdbuf: { valued: '-i -o -e' },
  unbuffer: {},
  chrt: { skip: 1 },
  taskset: { skip: 1 },
  chroot: { skip: 1 },
  unshare: {},
  nsenter: { valued: '-t -S -G' },
  strace: { valued: '-e -o -p -s -u -E' },
  ltrace: { valued: '-e -o -p -s -u' },
  'systemd-run': { valued: '-p -u -M -H' },
  'systemd-inhibit': {},
  busybox: {},
  toybox: {},
  coproc: {},
  watch: { valued: '-n' },
  flock: { valued: '-w -E', skip: 1 },
  torsocks: {},
  proxychains: {},
  proxychains4: {},
  firejail: {},
  fakeroot: {},
  caffeinate: { valued: '-t -w' },
  parallel: { valued: '-j -a' },
  xargs: { valued: '-I -n -P -L -d -s -E -a --replace --max-args --max-procs --delimiter --arg-file' },
  noglob: {},
  faketime: { skip: 1 },
  entr: {},
  dbus: {},
};

/** The command inside; undefined when this is no wrapper, or wraps nothing. */
export function unwrap(command: SimpleCommand): SimpleCommand | undefined {
  const wrapper = Object.hasOwn(wrappers, command.name) ? wrappers[command.name] : undefined;
  if (wrapper === undefined || command.name === 'eval') return undefined;
  const valued = new Set(wrapper.valued?.split(' '));
  const settings = new Map(command.settings);
  let skip = wrapper.skip ?? 0;
  for (let at = 0; at < command.args.length; at += 1) {
    const text = command.args[at]?.text ?? '';
    if (command.name === 'command' && /^-[vV]+$/.test(text)) return undefined;
    if (command.name === 'flock' && text === '-c') return undefined;
    if (text.startsWith('-') && text.length > 1) {
      if (valued.has(text)) at += 1;
      continue;
    }
    const setting = wrapper.settings ? /^([A-Za-z_]\w*)=([\s\S]*)$/.exec(text) : null;
    if (setting?.[1] !== undefined) settings.set(setting[1], setting[2] ?? '');
    else if (skip > 0) skip -= 1;
    else {
      return renamed(command, command.args.slice(at), {
        settings,
        via: command.name === 'xargs' || command.name === 'parallel' ? 'xargs' : command.via,
        detached: command.detached || wrapper.detaches === true,
      });
    }
  }
  return undefined;
}

/** The commands that `find` would run on what it finds. */
export function findActions(command: SimpleCommand): SimpleCommand[] {
  const actions: SimpleCommand[] = [];
  command.args.forEach((word, at) => {
    if (!/^-(?:exec|execdir|ok|okdir)$/.test(word.text)) return;
    const rest = command.args.slice(at + 1);
    const end = rest.findIndex((part) => part.text === ';' || part.text === '+');
    actions.push(renamed(command, end === -1 ? rest : rest.slice(0, end), { via: 'find' }));
  });
  return actions;
}

function renamed(command: SimpleCommand, words: readonly Word[], more: Partial<SimpleCommand>): SimpleCommand {
  const [first, ...args] = words;
  return { ...command, ...more, name: nameOf(first), path: first?.text ?? '', args };
}

/** Lower case, without folder; '' when only the running shell knows it. */
export function nameOf(word: Word | undefined): string {
  if (word === undefined) return '';
  const base = word.text
    .slice(word.text.lastIndexOf('/') + 1)
    .toLowerCase()
    .replace(/\.exe$/, '');
  const unsure = base.includes('\ufffc') || (word.glob && /[*?[]/.test(base));
  return unsure ? '' : base;
}
