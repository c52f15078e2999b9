#!/usr/bin/env node
// Bundles src/ into dist/: one tiny entry that turns the compile cache on, and code-split chunks loaded when first used.
import { copyFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const out = join(root, 'dist');
const require = createRequire(import.meta.url);
const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));

rmSync(out, { recursive: true, force: true });
mkdirSync(out, { recursive: true });

const result = await build({
  absWorkingDir: root,
  entryPoints: { main: 'src/main.ts' },
  outdir: out,
  bundle: true,
  splitting: true,
  format: 'esm',
  platform: 'node',
  target: 'node24',
  minifySyntax: true,
  minifyWhitespace: true,
  keepNames: false,
  legalComments: 'none',
  chunkNames: 'chunks/[name]-[hash]',
  define: { __HERMES_VERSION__: JSON.stringify(version) },
  // CommonJS dependencies ask for `require`; an ES module has none of its own.
  banner: {
    js: "import{createRequire as __createRequire}from'node:module';const require=__createRequire(import.meta.url);",
  },
  // Lean stand-ins, tested against the SDKs themselves: each of those costs a start 50 ms.
  alias: { openai: './src/model/sdk/openai.ts', '@anthropic-ai/sdk': './src/model/sdk/anthropic.ts' },
  metafile: true,
  logLevel: 'warning',
});

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
writeFileSync(join(out, 'meta.json'), JSON.stringify(result.metafile));
for (const [from, to] of [
  ['web-tree-sitter/web-tree-sitter.wasm', 'web-tree-sitter.wasm'],
  ['tree-sitter-bash/tree-sitter-bash.wasm', 'tree-sitter-bash.wasm'],
])
  copyFileSync(require.resolve(from), join(out, to));
writeFileSync(join(out, '.built'), '');
