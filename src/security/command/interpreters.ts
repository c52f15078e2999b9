/** Programs that execute text they are given: which text, and where it comes from. */
import { known, type SimpleCommand, splitArgs, UNKNOWN, type Word } from './model.ts';
import { printf } from './words.ts';

export const shells: ReadonlySet<string> = new Set([
  'sh',
  'bash',
  'zsh',
  'ksh',
  'mksh',
  'dash',
  'ash',
  'fish',
  'csh',
  'tcsh',
  'rbash',
]);

const interpreterPattern =
  /^(?:python|pypy|perl|ruby|node|nodejs|php|lua|luajit|deno|bun|osascript|pwsh|powershell|tclsh|rscript)[\d.]*$/;

export function isInterpreter(name: string): boolean {
  return interpreterPattern.test(name);
}

export interface Script {
  /** `-c text`, `-e text`. */
  readonly inline: Word | undefined;
  readonly file: Word | undefined;
  /** Neither: it executes its standard input. */
  readonly fromStdin: boolean;
}

/** Options of shells that take the next word. */
const shellValued = /^(?:[-+]o|[-+]O|--rcfile|--init-file)$/;

export function shellScript(command: SimpleCommand): Script {
  for (let at = 0; at < command.args.length; at += 1) {
    const word = command.args[at];
    const text = word?.text ?? '';
    if (word === undefined || !/^[-+]./.test(text)) return script(undefined, text === '-' ? undefined : word);
    if (text === '--') return script(undefined, command.args[at + 1]);
    if (/^-[a-zA-Z]*c[a-zA-Z]*$/.test(text)) {
      const payload = command.args.slice(at + 1).find((later) => !/^[-+]./.test(later.text));
      return { inline: payload, file: undefined, fromStdin: payload === undefined };
    }
    if (/^-[a-zA-Z]*s[a-zA-Z]*$/.test(text)) return script(undefined, undefined);
    if (/^--(?:version|help)$/.test(text)) return { inline: undefined, file: undefined, fromStdin: false };
    if (shellValued.test(text)) at += 1;
  }
  return script(undefined, undefined);
}

/** Short options whose next word is the program; `-m module` is a file in all but name. */
export function interpreterScript(command: SimpleCommand): Script {
  const { name, args } = command;
  const inlineFlag = inlineFlagOf(name);
  for (let at = 0; at < args.length; at += 1) {
    const word = args[at];
    const text = word?.text ?? '';
    if (word === undefined) break;
    if (text === '-') return script(undefined, undefined);
    if (!text.startsWith('-')) {
      const evaluates = (name === 'deno' && text === 'eval') || (name === 'bun' && text === 'exec');
      return evaluates ? script(args[at + 1], undefined) : script(undefined, word);
    }
    if (inlineFlag.test(text)) return script(args[at + 1] ?? word, undefined);
    if (/^--(?:eval|print|execute)=/.test(text)) return script(word, undefined);
    if (/^(?:-m|--module|-V|-v|--version|--help|-h|--check|--test|-file)$/i.test(text))
      return { inline: undefined, file: undefined, fromStdin: false };
    if (/^(?:-r|--require|--import|-I|-W|-X|--loader|-C)$/.test(text)) at += 1;
  }
  return script(undefined, undefined);
}

function inlineFlagOf(name: string): RegExp {
  if (/^(?:python|pypy)/.test(name)) return /^-[a-zA-Z]*c$/;
  if (/^(?:pwsh|powershell)/.test(name)) return /^-(?:c|command|e|ec|enc|encodedcommand)$/i;
  if (/^(?:node|bun)/.test(name)) return /^(?:-[a-z]*[ep]|--eval|--print)$/;
  if (name === 'php') return /^-r$/;
  return /^-[a-zA-Z0-9]*[eE]$/;
}

function script(inline: Word | undefined, file: Word | undefined): Script {
  return { inline, file, fromStdin: inline === undefined && file === undefined };
}

/** Shell text that a command executes, as far as it is written in the command line itself. */
export function shellPayloads(command: SimpleCommand): string[] {
  const texts = command.args.map((word) => word.text);
  const { name } = command;
  if (shells.has(name)) {
    const { inline, fromStdin } = shellScript(command);
    if (inline !== undefined) return [inline.text];
    return fromStdin ? stdinTexts(command) : [];
  }
  if (name === 'eval') return [texts.join(' ')];
  if (name === 'watch') return [texts.filter((text) => !text.startsWith('-')).join(' ')];
  if (name === 'ssh') return [splitSsh(command.args)];
  if (name === 'trap') return texts.slice(0, 1);
  if (name === 'alias') return texts.flatMap((text) => (text.includes('=') ? [text.slice(text.indexOf('=') + 1)] : []));
  if (name === 'env') return optionValue(texts, /^(?:-[a-z]*S|--split-string)$/);
  if (/^(?:su|runuser|script|flock)$/.test(name)) return optionValue(texts, /^(?:-[a-z]*c|--command)$/);
  if (name === 'at' || name === 'batch') return stdinTexts(command);
  if (/^[gmn]?awk$/.test(name))
    return quotedStrings(texts.filter((text) => /system\s*\(|\||getline/.test(text)).join('\n'));
  if (isInterpreter(name)) {
    const { inline, fromStdin } = interpreterScript(command);
    return quotedStrings([inline?.text ?? '', ...(fromStdin ? stdinTexts(command) : [])].join('\n'));
  }
  return [];
}

/** Literal texts that reach standard input: here-documents, and what an `echo` upstream prints, decoded if need be. */
function stdinTexts(command: SimpleCommand): string[] {
  if (command.stdin !== undefined) return [command.stdin];
  return command.upstream.flatMap((source, at) => {
    const text = printed(source);
    if (text === undefined) return [];
    const decoders = command.upstream.slice(at + 1);
    return decoders.some((stage) => stage.name === 'base64') ? [text, decodeBase64(text)] : [text];
  });
}

/** The literal text that a command prints, if it only prints. */
export function printed(command: SimpleCommand): string | undefined {
  if (command.name === 'cat' && command.args.length === 0) return command.stdin;
  if (command.name === 'printf') return printf(command.args.map((word) => word.text));
  if (command.name !== 'echo') return undefined;
  const texts = command.args.filter((word) => !/^-[neE]+$/.test(word.text)).map((word) => word.text);
  return texts.join(' ').replaceAll('\\n', '\n');
}

function decodeBase64(text: string): string {
  const decoded = Buffer.from(text, 'base64').toString('utf8');
  return decoded.includes('\ufffd') ? UNKNOWN : decoded;
}

function optionValue(texts: readonly string[], flag: RegExp): string[] {
  const at = texts.findIndex((text) => flag.test(text));
  const value = at === -1 ? undefined : texts[at + 1];
  return value === undefined ? [] : [value];
}

function splitSsh(args: readonly Word[]): string {
  let at = 0;
  while (at < args.length && args[at]?.text.startsWith('-'))
    at += /^-[bcDEeFIiJLlmOopQRSWw]$/.test(args[at]?.text ?? '') ? 2 : 1;
  return args
    .slice(at + 1)
    .map((word) => word.text)
    .join(' ');
}

/** String literals of a program, long enough to be a command. */
function quotedStrings(program: string): string[] {
  const strings: string[] = [];
  for (const [, double, single] of program.matchAll(/"((?:[^"\\\n]|\\.){4,2000})"|'((?:[^'\\\n]|\\.){4,2000})'/g))
    strings.push(double ?? single ?? '');
  return strings.slice(0, 50);
}

/** Whether a pipeline stage fetches from the network. */
export function fetches(command: SimpleCommand): boolean {
  return /^(?:curl|wget|aria2c|fetch|http|https|xh|lynx|ftp|lftp|nc|ncat|netcat|scp|iwr|irm|invoke-webrequest|invoke-restmethod|gh)$/.test(
    command.name,
  );
}

/** Whether a pipeline stage turns unreadable text into readable. */
export function decodes(command: SimpleCommand): boolean {
  const { options } = splitArgs(command.args);
  const first = command.args[0]?.text ?? '';
  if (/^base(?:64|32|nc)$/.test(command.name)) return options.some((option) => /^-[a-z]*[dD]|^--d/.test(option));
  if (command.name === 'xxd') return options.some((option) => /^-[a-z]*r|^--?revert/.test(option));
  if (command.name === 'openssl') return /^(?:enc|base64|aes|des|rc4|bf)/.test(first) && options.includes('-d');
  if (command.name === 'uudecode' || command.name === 'tr' || command.name === 'rev' || command.name === 'rot13')
    return true;
  return /^(?:gunzip|zcat|unxz|xzcat|bunzip2|bzcat)$/.test(command.name);
}

/** Files that a command downloads, decodes or writes, by path as given. */
export function writtenFiles(
  command: SimpleCommand,
): { readonly path: Word; readonly origin: 'remote' | 'decoded' | 'text' }[] {
  const files: { path: Word; origin: 'remote' | 'decoded' | 'text' }[] = [];
  const stages = [command, ...command.upstream];
  const origin = stages.some(fetches) ? 'remote' : stages.some(decodes) ? 'decoded' : 'text';
  for (const { operator, target } of command.redirects)
    if (operator.includes('>')) files.push({ path: target, origin });
  if (command.name === 'tee') for (const path of splitArgs(command.args).operands) files.push({ path, origin });
  if (fetches(command)) for (const path of downloads(command)) files.push({ path, origin: 'remote' });
  return files.filter((file) => known(file.path));
}

function downloads(command: SimpleCommand): Word[] {
  const named: Word[] = [];
  command.args.forEach((word, at) => {
    const next = command.args[at + 1];
    const attached = /^(?:-[oO]|--output(?:-document)?=)(.+)$/.exec(word.text)?.[1];
    const takesNext =
      command.name === 'curl' ? /^-[a-zA-Z]*o$|^--output$/ : /^-[a-zA-Z]*[oO]$|^--output(?:-document)?$/;
    if (takesNext.test(word.text) && next !== undefined) named.push(next);
    else if (attached !== undefined) named.push({ ...word, text: attached });
  });
  const saves = command.name === 'wget' || command.args.some((word) => /^-[a-zA-Z]*O|^--remote-name/.test(word.text));
  if (named.length > 0 || !saves) return named;
  return command.args
    .filter((word) => word.text.includes('/') && !word.text.startsWith('-'))
    .map((word) => ({ ...word, text: word.text.split(/[?#]/)[0]?.split('/').at(-1) ?? '' }));
}
