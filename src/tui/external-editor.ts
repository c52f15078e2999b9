/** Ctrl+G: the line in the person's own editor. */
import { spawn } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { AppError } from '../lib/errors.ts';

/**
 * The terminal must be the editor's while this runs.
 * @returns the edited text without its last line end
 * @throws AppError `editor-failed`; the text is then unchanged
 */
export async function editExternally(text: string, env: Readonly<Record<string, string | undefined>>): Promise<string> {
  const editor = env.VISUAL || env.EDITOR || (process.platform === 'win32' ? 'notepad' : 'vi');
  const folder = await mkdtemp(join(tmpdir(), 'hermes-edit-'));
  const file = join(folder, 'message.md');
  try {
    await writeFile(file, text, { mode: 0o600 });
    await run(editor, file, env);
    return (await readFile(file, 'utf8')).replaceAll('\r\n', '\n').replace(/\n$/, '');
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

function run(editor: string, file: string, env: Readonly<Record<string, string | undefined>>): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  // The variable may hold arguments (`code --wait`), so a shell splits it.
  const child = spawn(`${editor} "${file}"`, { shell: true, stdio: 'inherit', env: { ...env } });
  const failed = (why: string) =>
    new AppError('editor-failed', `The editor \`${editor}\` ${why}.`, { hint: 'Set $EDITOR to one that works.' });
  child.once('error', (error) => reject(failed(`could not be started: ${error.message}`)));
  child.once('exit', (code) => (code === 0 ? resolve() : reject(failed(`ended with code ${code ?? 'none'}`))));
  return promise;
}
