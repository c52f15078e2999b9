#!/usr/bin/env node
// Bundles src/ into dist/: a tiny entry that turns the compile cache on, one chunk with all that a turn needs (each
// further file costs a start half a millisecond), and chunks for the rest, loaded when first used.
import { copyFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { rolldown } from 'rolldown';
import { cheapEmoji } from './cheap-emoji.ts';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const out = join(root, 'dist');
const require = createRequire(import.meta.url);
const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));

/** Imported one after the other, each at its moment, by `hermes chat -q`; with what they import, the hot path. */
const HOT = [
  'cli/start',
  'cli/converse',
  'cli/prompt-input',
  'cli/run-turn',
  'cli/open-log',
  'app',
  'model/library-core',
].map((name) => join(root, 'src', `${name}.ts`));

const graph = new Map();
const bundle = await rolldown({
  cwd: root,
  input: { main: 'src/main.ts' },
  platform: 'node',
  // Lean stand-ins, tested against the SDKs themselves: each of those costs a start 50 ms.
  resolve: {
    alias: {
      openai: join(root, 'src/model/sdk/openai.ts'),
      '@anthropic-ai/sdk': join(root, 'src/model/sdk/anthropic.ts'),
    },
  },
  transform: { define: { __HERMES_VERSION__: JSON.stringify(version) }, target: 'node24' },
  plugins: [
    cheapEmoji,
    {
      name: 'graph',
      buildEnd() {
        for (const id of this.getModuleIds()) graph.set(id, this.getModuleInfo(id)?.importedIds ?? []);
      },
    },
  ],
  onLog(level, log, handler) {
    // A part of the hot chunk may well be imported lazily by the rest.
    if (log.code !== 'EVAL' && log.code !== 'INEFFECTIVE_DYNAMIC_IMPORT') handler(level, log);
  },
});

const hot = new Set();
function reach(id) {
  if (hot.has(id)) return;
  hot.add(id);
  for (const next of graph.get(id) ?? []) reach(next);
}

rmSync(out, { recursive: true, force: true });
mkdirSync(out, { recursive: true });
await bundle.generate({ format: 'esm' }); // fills the graph
for (const id of HOT) {
  if (!graph.has(id)) throw new Error(`scripts/build.mjs names ${id} as hot, but nothing imports it.`);
  reach(id);
}
const { output } = await bundle.write({
  dir: out,
  format: 'esm',
  minify: { compress: { target: 'node24' }, mangle: false, codegen: { removeWhitespace: true } },
  comments: { legal: false },
  entryFileNames: '[name].js',
  chunkFileNames: 'chunks/[name]-[hash].js',
  codeSplitting: { groups: [{ name: 'turn', test: (id) => hot.has(id) }] },
});
await bundle.close();

writeFileSync(
  join(out, 'hermes.js'),
  `#!/usr/bin/env node
import * as nodeModule from 'node:module';
if (!(Number(process.versions.node.split('.')[0]) >= 24)) { console.error('hermes: needs Node 24 or newer, this is ' + process.version + '; install it from your package manager and try again.'); process.exit(1); }
nodeModule.enableCompileCache();
await import('./main.js');
`,
  { mode: 0o755 },
);
writeFileSync(join(out, 'package.json'), '{"type":"module"}\n');
for (const [from, to] of [
  ['web-tree-sitter/web-tree-sitter.wasm', 'web-tree-sitter.wasm'],
  ['tree-sitter-bash/tree-sitter-bash.wasm', 'tree-sitter-bash.wasm'],
])
  copyFileSync(require.resolve(from), join(out, to));
writeFileSync(join(out, '.built'), '');
if (process.argv.includes('--list'))
  for (const chunk of output) console.log(chunk.fileName, Object.keys(chunk.modules ?? {}).length);
