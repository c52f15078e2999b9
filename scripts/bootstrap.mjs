#!/usr/bin/env node
// Runs before every npm script, on any Node from 18 up and with nothing installed: brings the locked
// dependencies, a Node 24 and (with the word `build`) a fresh build, and says what it does. Does nothing when all is there.
import { execFileSync, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const say = (text) => console.error(`hermes: ${text}`);
const fail = (text) => {
  say(text);
  process.exit(1);
};

function run(command, args, why) {
  say(why);
  const done = spawnSync(command, args, { cwd: root, stdio: ['ignore', 2, 2], shell: process.platform === 'win32' });
  if (done.status !== 0) fail(`\`${command} ${args.join(' ')}\` failed; mend what it says above and try again.`);
}

/** Content, not time: a fresh clone gives every file the same time. */
function installDependencies() {
  const stamp = join(root, 'node_modules', '.hermes-lock');
  const want = createHash('sha256')
    .update(readFileSync(join(root, 'package-lock.json')))
    .digest('hex');
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === want) return;
  run(
    'npm',
    ['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'],
    'installing the locked dependencies (once, about a minute) ...',
  );
  writeFileSync(stamp, want);
}

const localNode = join(root, 'node_modules', 'node', 'bin', process.platform === 'win32' ? 'node.exe' : 'node');
function nodeVersion(command) {
  try {
    return Number(execFileSync(command, ['-p', 'process.versions.node'], { encoding: 'utf8' }).split('.')[0]);
  } catch {
    return 0; // not there, or not runnable on this machine: both mean "supply one"
  }
}

function provideNode() {
  if (existsSync(localNode) && nodeVersion(localNode) >= 24) return localNode;
  if (Number(process.versions.node.split('.')[0]) >= 24) return process.execPath;
  run('npm', ['rebuild', 'node', '--loglevel=error'], 'supplying Node 24 (this machine has an older one) ...');
  if (nodeVersion(localNode) < 24) fail('Node 24 could not be installed here; install Node 24 or newer and try again.');
  return localNode;
}

function newest(path) {
  const stat = statSync(path);
  if (!stat.isDirectory()) return stat.mtimeMs;
  return Math.max(stat.mtimeMs, ...readdirSync(path).map((name) => newest(join(path, name))));
}

function buildWhenStale(node) {
  const stamp = join(root, 'dist', '.built');
  const inputs = ['src', 'scripts/build.mjs', 'package.json', 'package-lock.json'].map((path) => join(root, path));
  if (existsSync(stamp) && statSync(stamp).mtimeMs > Math.max(...inputs.map(newest))) return;
  run(node, [join(root, 'scripts', 'build.mjs')], 'building ...');
  mkdirSync(dirname(stamp), { recursive: true });
  writeFileSync(stamp, '');
}

installDependencies();
const node = provideNode();
if (process.argv.includes('build')) buildWhenStale(node);
