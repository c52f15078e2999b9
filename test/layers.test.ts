import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, it } from 'vitest';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const place = mkdtempSync(join(tmpdir(), 'hermes-layers-'));
afterAll(() => rmSync(place, { recursive: true, force: true }));

interface Violation {
  readonly from: string;
  readonly to: string;
  readonly rule: { readonly name: string };
}

/** Lays out a tree with these imports and lets the project's own check look at it. */
function check(imports: readonly (readonly [from: string, to: string])[]): {
  violations: Violation[];
  comments: Map<string, string>;
} {
  const dir = mkdtempSync(join(place, 'tree-'));
  const files = new Map<string, string>();
  for (const [from, to] of imports) {
    if (!files.has(to)) files.set(to, 'export const value = 1;\n');
    const path = relative(dirname(from), to);
    files.set(
      from,
      `${files.get(from) ?? ''}export { value as v${files.size} } from '${path.startsWith('.') ? path : `./${path}`}';\n`,
    );
  }
  for (const [path, text] of files) {
    mkdirSync(dirname(join(dir, path)), { recursive: true });
    writeFileSync(join(dir, path), text);
  }
  writeFileSync(join(dir, 'tsconfig.json'), '{}');
  let output: string;
  try {
    const depcruise = join(root, 'node_modules', '.bin', 'depcruise');
    output = execFileSync(
      depcruise,
      ['--config', join(root, '.dependency-cruiser.mjs'), '--output-type', 'json', 'src'],
      { cwd: dir, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] },
    );
  } catch (error) {
    output = (error as { stdout: string }).stdout; // violations give a non-zero exit code
  }
  const { summary } = JSON.parse(output);
  const rules: { name: string; comment: string }[] = summary.ruleSetUsed.forbidden;
  return { violations: summary.violations, comments: new Map(rules.map(({ name, comment }) => [name, comment])) };
}

/** One wrong import for each direction there is. */
const WRONG = [
  ['src/lib/a.ts', 'src/config/b.ts', 'lib-knows-nothing-of-ours'],
  ['src/contracts/a.ts', 'src/lib/b.ts', 'contracts-are-types-only'],
  ['src/config/a.ts', 'src/state/b.ts', 'config-knows-no-service'],
  ['src/state/a.ts', 'src/model/b.ts', 'state-knows-no-service'],
  ['src/tools/a.ts', 'src/agent/b.ts', 'service-never-imports-core'],
  ['src/memory/a.ts', 'src/cli/b.ts', 'service-never-imports-core'],
  ['src/model/a.ts', 'src/tools/b.ts', 'model-knows-no-session'],
  ['src/security/a.ts', 'src/terminal/b.ts', 'security-knows-no-tool'],
  ['src/terminal/a.ts', 'src/tools/b.ts', 'terminal-knows-no-tool'],
  ['src/memory/c.ts', 'src/tools/d.ts', 'memory-knows-no-tool'],
  ['src/agent/a.ts', 'src/commands/b.ts', 'core-never-imports-a-door'],
  ['src/agent/c.ts', 'src/tui/d.ts', 'core-never-imports-a-door'],
  ['src/commands/a.ts', 'src/tui/b.ts', 'commands-know-no-door'],
  ['src/tui/a.ts', 'src/cli/b.ts', 'a-door-never-imports-another'],
  ['src/app.ts', 'src/cli/e.ts', 'app-knows-no-door'],
  ['src/cli/f.ts', 'src/main.ts', 'nothing-imports-main'],
] as const;

describe('the layer check', () => {
  it('fails on a wrong import in each direction, with a sentence that says why', () => {
    const { violations, comments } = check(WRONG.map(([from, to]) => [from, to] as const));
    for (const [from, to, rule] of WRONG) {
      expect(violations.map((one) => `${one.from} → ${one.to}: ${one.rule.name}`)).toContain(
        `${from} → ${to}: ${rule}`,
      );
      expect(comments.get(rule)).toMatch(/\w.*\.$/);
    }
  });

  it('fails on a cycle and lets imports that point down pass', () => {
    expect(
      check([
        ['src/lib/a.ts', 'src/lib/b.ts'],
        ['src/lib/b.ts', 'src/lib/a.ts'],
      ]).violations.map(({ rule }) => rule.name),
    ).toContain('no-cycle');
    const { violations } = check([
      ['src/agent/a.ts', 'src/tools/b.ts'],
      ['src/tools/b.ts', 'src/state/c.ts'],
      ['src/state/c.ts', 'src/lib/d.ts'],
      ['src/cli/a.ts', 'src/agent/a.ts'],
    ]);
    expect(violations).toEqual([]);
  });
});
