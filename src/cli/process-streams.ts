/** The process's own streams, opened at first use: as pipes they load the network stack, which a fast run may not need. */
import { errorCode } from '../lib/errors.ts';
import type { CliContext, InputKind } from './context.ts';

export interface ProcessStreams extends Pick<CliContext, 'stdin' | 'stdout' | 'stderr'> {
  readonly inputKind: InputKind;
  /** Resolves when all that was written has been taken by its reader, or the reader is gone. */
  flush(): Promise<void>;
}

/** @param onOutputClosed called, perhaps several times, once nobody reads standard output */
export function createProcessStreams(onOutputClosed: () => void): ProcessStreams {
  let stdout: NodeJS.WriteStream | undefined;
  let stderr: NodeJS.WriteStream | undefined;
  return {
    get inputKind() {
      return inputKindOf(0);
    },
    get stdin() {
      return process.stdin;
    },
    get stdout() {
      stdout ??= guarded(process.stdout, onOutputClosed);
      return stdout;
    },
    get stderr() {
      stderr ??= guarded(process.stderr, () => {});
      return stderr;
    },
    async flush() {
      await new Promise((resolve) => setImmediate(resolve)); // an error of the last write is told one tick later
      await Promise.all([flushed(stdout), flushed(stderr)]);
    },
  };
}

function guarded(stream: NodeJS.WriteStream, onClosed: () => void): NodeJS.WriteStream {
  stream.on('error', (error) => {
    const code = errorCode(error);
    if (code === 'EPIPE' || code === 'ERR_STREAM_DESTROYED' || code === 'EIO') onClosed();
    // A full disk behind a redirect: the one channel to say so on may be the broken one, the code is not.
    else process.exitCode = 1;
  });
  return stream;
}

function flushed(stream: NodeJS.WriteStream | undefined): Promise<void> {
  if (stream === undefined || stream.writableLength === 0 || stream.destroyed) return Promise.resolve();
  return new Promise((resolve) => {
    stream.once('error', () => resolve());
    stream.write('', () => resolve());
  });
}

function inputKindOf(descriptor: number): InputKind {
  try {
    const stat = process.getBuiltinModule('node:fs').fstatSync(descriptor);
    if (stat.isCharacterDevice()) return process.getBuiltinModule('node:tty').isatty(descriptor) ? 'terminal' : 'none';
    if (stat.isFIFO()) return 'pipe';
    return stat.isSocket() ? 'socket' : 'file';
  } catch {
    return 'none'; // a descriptor that cannot be asked cannot be read either
  }
}
