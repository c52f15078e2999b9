#!/usr/bin/env node
// Writes the pages of docs/ that are made from the program; with --check only says whether they are stale.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { configurationPage } from '../src/config/keys-doc.ts';

const docs = join(dirname(fileURLToPath(import.meta.url)), '..', 'docs');
const pages: Readonly<Record<string, () => string>> = { 'configuration.md': configurationPage };

let stale = 0;
for (const [name, make] of Object.entries(pages)) {
  const path = join(docs, name);
  const text = make();
  if (text === existing(path)) continue;
  if (process.argv.includes('--check')) {
    console.error(`docs/${name} is stale: run \`npm run docs\`.`);
    stale++;
  } else {
    mkdirSync(docs, { recursive: true });
    writeFileSync(path, text);
    console.error(`docs/${name} written.`);
  }
}
process.exitCode = stale > 0 ? 1 : 0;

function existing(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined; // not made yet
  }
}
