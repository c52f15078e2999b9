#!/usr/bin/env node
// The archive of `npm pack` installs globally without a build step or native compile, and runs.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const place = mkdtempSync(join(tmpdir(), 'hermes-pack-'));
const npm = (args, options = {}) =>
  execFileSync('npm', args, { cwd: root, stdio: ['ignore', 'pipe', 2], encoding: 'utf8', ...options });

try {
  npm(['pack', '--silent', '--ignore-scripts', '--pack-destination', place]);
  const archive = readdirSync(place).find((name) => name.endsWith('.tgz'));
  if (archive === undefined) throw new Error('npm pack made no archive.');
  npm([
    'install',
    '--silent',
    '--global',
    '--ignore-scripts',
    '--offline',
    '--prefix',
    join(place, 'prefix'),
    join(place, archive),
  ]);
  const env = {
    ...process.env,
    HERMES_HOME: join(place, 'home'),
    PATH: [dirname(process.execPath), process.env.PATH].join(delimiter),
  };
  const bin = join(place, 'prefix', 'bin', 'hermes');
  const answer = execFileSync(bin, ['-z', 'run: echo packed-hermes'], { encoding: 'utf8', env, cwd: place });
  if (!answer.includes('packed-hermes')) throw new Error(`The installed hermes answered: ${answer}`);
  console.log(`${archive} installs with no build step and runs.`);
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
} finally {
  rmSync(place, { recursive: true, force: true });
}
