/** Gathers what a command prints, in bounded memory, and makes of it the text that a model reads. */
import { closeSync, mkdirSync, openSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { cleanOutput, looksBinary } from './clean-output.ts';

export interface OutputLimits {
  /** Longest text in characters; default 50,000. */
  readonly maxChars?: number;
  /** Where the full text goes when it is longer; none is kept when absent. Made when needed. */
  readonly spillDir?: string;
  /** Name of the spill file without its ending. */
  readonly name: string;
}

export interface CollectedOutput {
  /** Clean text of at most `maxChars` characters, the notes about cut or binary output beside it. */
  readonly text: string;
  /** Characters printed. */
  readonly totalChars: number;
  readonly truncated: boolean;
  readonly binary: boolean;
  /** Absolute path of the full text, as printed. */
  readonly spillPath: string | undefined;
}

export interface OutputCollector {
  push(text: string): void;
  /** Call once, at the end. */
  finish(): CollectedOutput;
}

const headShare = 0.4;
/** Characters that a spill file may hold: an endless command must not fill the disk. */
const maxSpillChars = 64_000_000;

export function createOutputCollector(limits: OutputLimits): OutputCollector {
  const maxChars = limits.maxChars ?? 50_000;
  let whole: string[] = []; // all of it, until it is too long
  let head = '';
  let tail: string[] = [];
  let tailChars = 0;
  let total = 0;
  let spill: Spill | undefined;

  const overflow = (): void => {
    const text = whole.join('');
    whole = [];
    head = text.slice(0, maxChars);
    tail = [text];
    tailChars = text.length;
    if (limits.spillDir !== undefined) spill = openSpill(limits.spillDir, limits.name);
    spill?.write(text);
  };

  return {
    push: (text) => {
      total += text.length;
      if (total <= maxChars) {
        whole.push(text);
        return;
      }
      if (head === '') {
        whole.push(text);
        overflow();
        return;
      }
      spill?.write(text);
      tail.push(text);
      tailChars += text.length;
      if (tailChars > 4 * maxChars) {
        tail = [tail.join('').slice(-2 * maxChars)];
        tailChars = 2 * maxChars;
      }
    },
    finish: () => {
      spill?.close();
      const spillPath = spill?.path;
      const cut = head !== '';
      const raw = cut ? head : whole.join('');
      const last = cut ? tail.join('').slice(-2 * maxChars) : '';
      const binary = looksBinary(raw) || looksBinary(last);
      const note = binary ? `[binary output, ${count(total)} characters; write it to a file to use it]\n` : '';
      const text = cut ? cutText(raw, last, total, maxChars, spill) : tidy(raw, binary);
      return {
        text: note + (binary && cut ? tidy(text, binary) : text),
        totalChars: total,
        truncated: cut,
        binary,
        spillPath,
      };
    },
  };
}

function tidy(raw: string, binary: boolean): string {
  const text = cleanOutput(raw);
  return binary ? text.replace(/\ufffd+/g, '\ufffd') : text;
}

/** 40 % head, 60 % tail, each cut at a line's end where one is near, so that no sequence is cut in two. */
function cutText(rawHead: string, rawTail: string, total: number, maxChars: number, spill: Spill | undefined): string {
  const headChars = Math.floor(maxChars * headShare);
  const tailChars = maxChars - headChars;
  const head = wholeStart(cleanOutput(rawHead).slice(0, headChars));
  const tail = wholeEnd(cleanOutput(rawTail).slice(-tailChars));
  const where = spill === undefined ? '' : `; full output${spill.full() ? '' : ' (its beginning)'}: ${spill.path}`;
  const omitted = Math.max(0, total - head.length - tail.length);
  return `${head}\n\n[OUTPUT TRUNCATED: ${count(omitted)} of ${count(total)} characters left out${where}]\n\n${tail}`;
}

function wholeStart(text: string): string {
  const at = text.lastIndexOf('\n');
  return at > text.length - 2000 && at > 0 ? text.slice(0, at) : text.replace(/[\ud800-\udbff]$/, '');
}

function wholeEnd(text: string): string {
  const at = text.indexOf('\n');
  return at !== -1 && at < 2000 && at < text.length - 1 ? text.slice(at + 1) : text.replace(/^[\udc00-\udfff]/, '');
}

function count(value: number): string {
  return String(value).replace(/\B(?=(?:\d{3})+$)/g, ','); // Intl costs more than the whole result
}

interface Spill {
  readonly path: string;
  write(text: string): void;
  close(): void;
  full(): boolean;
}

/** @returns undefined when the folder cannot be written: the cut text is then all there is */
function openSpill(dir: string, name: string): Spill | undefined {
  const path = join(dir, `${name.replace(/[^A-Za-z0-9_.-]/g, '_').slice(0, 120)}.txt`);
  let file: number;
  try {
    mkdirSync(dir, { recursive: true, mode: 0o700 });
    file = openSync(path, 'w', 0o600);
  } catch {
    return undefined;
  }
  let written = 0;
  let complete = true;
  return {
    path,
    write: (text) => {
      if (!complete) return;
      const part = text.slice(0, maxSpillChars - written);
      complete = part.length === text.length;
      written += part.length;
      try {
        writeSync(file, part);
      } catch {
        complete = false; // a full disk: what is there stays, and the note says that it is not all
      }
    },
    close: () => closeSync(file),
    full: () => complete,
  };
}
