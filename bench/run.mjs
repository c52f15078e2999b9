#!/usr/bin/env node
// Measures Hermes against the least a Node agent can do (floor.mjs), interleaved in one run, and prints one table.
//
//   npm run bench -- [--runs 7] [--json FILE]
//
// The model is mock-model.mjs on loopback. Each run is a real process tree under reap.c (needs gcc on Linux),
// which accounts for the memory and CPU of the whole tree. Fresh home, tiny git repository as working directory.
import { execFileSync, spawn } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { writeLongSession } from './long-session.mjs';
import { startMock } from './mock-model.mjs';

const here = path.dirname(fileURLToPath(import.meta.url));
const hermes = path.join(here, '..', 'dist', 'hermes.js');
const { values: opt } = parseArgs({
  options: {
    runs: { type: 'string', default: '7' },
    json: { type: 'string' },
    verbose: { type: 'boolean', short: 'v' },
  },
});
const runs = Number(opt.runs);
const base = fs.mkdtempSync(path.join(os.tmpdir(), 'hermes-bench-'));
const reap = path.join(base, 'reap');
execFileSync('gcc', ['-O2', '-o', reap, path.join(here, 'reap.c')]);
const mock = await startMock({ port: 0 });

function folder(name) {
  const dir = path.join(base, name);
  const work = path.join(dir, 'work');
  fs.mkdirSync(work, { recursive: true });
  fs.writeFileSync(path.join(work, 'README.md'), '# bench\n');
  const env = {
    PATH: [path.dirname(process.execPath), '/usr/local/bin', '/usr/bin', '/bin'].join(':'),
    HOME: dir,
    TMPDIR: dir,
    LANG: 'C.UTF-8',
    TZ: 'UTC',
    TERM: 'xterm-256color',
    SHELL: '/bin/bash',
  };
  execFileSync('git', ['init', '-q'], { cwd: work, env });
  return { dir, work, env };
}

function hermesPeer(name) {
  const place = folder(name);
  const home = path.join(place.dir, '.hermes');
  fs.mkdirSync(home, { recursive: true });
  fs.writeFileSync(
    path.join(home, 'config.yaml'),
    `model:\n  default: mock-model\n  provider: custom\n  base_url: ${mock.url}/v1\n  api_key: x\n  context_length: 400000\napprovals:\n  mode: "off"\nagent:\n  max_turns: 200\n`,
  );
  const env = { ...place.env, HERMES_HOME: home, HERMES_YOLO_MODE: '1' };
  return { name, ...place, home, env, argv: (prompt) => [hermes, 'chat', '-q', prompt] };
}

const floorPlace = folder('floor');
const floor = {
  name: 'floor',
  ...floorPlace,
  env: { ...floorPlace.env, FLOOR_URL: `${mock.url}/v1` },
  argv: (prompt) => [path.join(here, 'floor.mjs'), prompt],
};
const peer = hermesPeer('hermes');

function once(who, argv, label) {
  return new Promise((resolve) => {
    const report = path.join(who.dir, 'reap.json');
    fs.rmSync(report, { force: true });
    const child = spawn(reap, [report, '120000', '20', '3000', '--', process.execPath, ...argv], {
      cwd: who.work,
      env: who.env,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let out = '';
    let err = '';
    child.stdout.on('data', (data) => {
      out += data;
    });
    child.stderr.on('data', (data) => {
      err += data;
    });
    child.on('close', () => {
      const numbers = JSON.parse(fs.readFileSync(report, 'utf8'));
      if (opt.verbose || numbers.code !== 0) console.error(`${label}: exit ${numbers.code}\n${err.slice(-800)}`);
      resolve({ ...numbers, out });
    });
  });
}

const between = (later, earlier) => Number(BigInt(later) - BigInt(earlier)) / 1e6;
const median = (list) => {
  const sorted = list.filter(Number.isFinite).sort((a, b) => a - b);
  return sorted.length === 0 ? Number.NaN : sorted[Math.floor(sorted.length / 2)];
};

async function turn(who, rounds, extra = []) {
  const script = rounds === 0 ? 'final' : `tools-${rounds}`;
  const label = `${who.name} ${script}`;
  mock.begin({ id: label, script, ttfb: 0, cmd: 'echo step-{k}' });
  const argv = who.argv(`[[${script}]] Run the steps one at a time with the shell tool, then say that you are done.`);
  const run = await once(who, [...argv, ...extra], label);
  const rows = mock.end();
  const main = rows.filter((row) => row.kind === 'main');
  const end = BigInt(run.t0_ns) + BigInt(Math.round(run.wall_ms * 1e6));
  const first = main[0];
  if (main.length !== rounds + 1 || !run.out.includes('All steps finished'))
    throw new Error(`${label}: ${main.length} requests instead of ${rounds + 1}, or no answer on stdout`);
  return {
    wall: run.wall_ms,
    first: between(first.t_ns, run.t0_ns),
    exit: between(end, main.at(-1).t_reply_ns),
    gap: median(main.slice(1).map((row, index) => between(row.t_ns, main[index].t_reply_ns))),
    rss: run.rss_peak_kb / 1024,
    extra: rows.length - main.length,
    bytes: first.bytes,
    system: first.system_bytes,
    tools: first.tools_bytes,
    stable: main.every((row) => !row.prefix_prev || row.prefix_stable),
  };
}

async function measure() {
  const kinds = { floor0: [], hermes0: [], floor50: [], hermes50: [], resume: [], version: [], node: [] };
  const long = hermesPeer('resume');
  await turn(long, 0); // the home exists, the compile cache is warm
  const id = await writeLongSession(path.join(long.home, 'state.db'), 1000, long.work);
  await turn(floor, 0);
  await turn(peer, 0);
  await turn(peer, 1);
  for (let run = 0; run < runs; run++) {
    kinds.floor0.push(await turn(floor, 0));
    kinds.hermes0.push(await turn(peer, 0));
    kinds.resume.push(await turn(long, 0, ['-r', id]));
    kinds.floor50.push(await turn(floor, 50));
    kinds.hermes50.push(await turn(peer, 50));
    kinds.node.push({ wall: (await once(floor, ['-e', '0'], 'node')).wall_ms });
    kinds.version.push({ wall: (await once(peer, [hermes, '--version'], 'version')).wall_ms });
  }
  return kinds;
}

const kinds = await measure();
mock.close();
const of = (kind, key) => median(kinds[kind].map((row) => row[key]));
const one = (value) => value.toFixed(1);
const rows = [];
function compare(what, value, against, factor, unit = 'ms') {
  const ratio = value / against;
  rows.push([
    what,
    `${one(value)} ${unit}`,
    `${one(against)} ${unit}`,
    `${ratio.toFixed(2)}×`,
    `≤ ${factor}×`,
    ratio <= factor ? 'yes' : 'NO',
  ]);
}
function limit(what, value, max, unit) {
  rows.push([what, `${one(value)} ${unit}`, '', '', `≤ ${max} ${unit}`, value <= max ? 'yes' : 'NO']);
}
compare('start → first request', of('hermes0', 'first'), of('floor0', 'first'), 4);
compare('tool round in a 50-call turn', of('hermes50', 'gap'), of('floor50', 'gap'), 3);
compare('peak memory, 50-call turn', of('hermes50', 'rss'), of('floor50', 'rss'), 2.2, 'MB');
compare('--version against node -e 0', of('version', 'wall'), of('node', 'wall'), 1.5);
limit('answer → exit', of('hermes0', 'exit'), 40, 'ms');
limit('resume of 1,000 messages over a new session', of('resume', 'first') - of('hermes0', 'first'), 50, 'ms');
limit(
  'system prompt and tool schemas of the first request',
  (of('hermes0', 'system') + of('hermes0', 'tools')) / 1000,
  12,
  'kB',
);
limit('model calls besides the turn', of('hermes50', 'extra'), 0, '');
rows.push([
  'prefix stable over 51 requests',
  kinds.hermes50.every((row) => row.stable) ? 'always' : 'broken',
  '',
  '',
  'always',
  kinds.hermes50.every((row) => row.stable) ? 'yes' : 'NO',
]);

console.log('| what | Hermes | floor | ratio | target | met |\n|---|---|---|---|---|---|');
for (const row of rows) console.log(`| ${row.join(' | ')} |`);
console.log(
  `\n${runs} interleaved runs after warm-up, medians; ${os.cpus().length} × ${os.cpus()[0]?.model ?? 'CPU'}; Node ${process.version}.`,
);
if (opt.json)
  fs.writeFileSync(
    opt.json,
    JSON.stringify({ at: new Date().toISOString(), node: process.version, rows, kinds }, null, 1),
  );
fs.rmSync(base, { recursive: true, force: true });
process.exit(0);
