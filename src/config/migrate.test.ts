import { mkdirSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { makeHome } from './home.ts';
import { modernise } from './legacy.ts';
import { CONFIG_VERSION, migrateConfig, planMigration } from './migrate.ts';
import { validateConfig } from './validate.ts';
import { readYaml } from './yaml-text.ts';

const OLD = `# mine
_config_version: 12
compression:
  enabled: true # yes
  summary_model: small
display:
  tool_progress_overrides:
    telegram: "off"
stt:
  model: base
model:
  model: m   # which
unknown: {a: 1}
`;

const settings = (text: string) => {
  const read = readYaml(text);
  if (!read.ok) throw new Error(read.fault.reason);
  const { _config_version, ...config } = validateConfig(modernise(read.value)).config;
  return config;
};

describe('planMigration', () => {
  it('changes the spelling and not the meaning, keeping comments and what it does not know', () => {
    const plan = planMigration(OLD);
    expect(plan.steps).toHaveLength(4);
    expect(settings(plan.text)).toEqual(settings(OLD));
    for (const kept of ['# mine', '# yes', 'unknown: {a: 1}']) expect(plan.text).toContain(kept);
    for (const gone of ['summary_model', 'tool_progress_overrides', '  model: m'])
      expect(plan.text).not.toContain(gone);
    expect(plan.text).toContain(`_config_version: ${CONFIG_VERSION}`);
  });

  it('is done once, and leaves files alone that need nothing or are newer', () => {
    const { text } = planMigration(OLD);
    expect(planMigration(text)).toMatchObject({ steps: [], text });
    for (const same of [
      '',
      '# only\n',
      'agent:\n  verbose: true\n',
      `_config_version: ${CONFIG_VERSION + 1}\nmax_turns: 3\n`,
    ])
      expect(planMigration(same)).toMatchObject({ steps: [], text: same });
  });

  it('keeps the newer spelling where both are set', () => {
    const text = 'max_turns: 3\nagent:\n  max_turns: 5\n';
    expect(settings(planMigration(text).text).agent.max_turns).toBe(5);
  });
});

describe('migrateConfig', () => {
  it('keeps a copy of the file before, and does nothing to a broken one', async () => {
    const dir = mkdtempSync(join(tmpdir(), 'hermes-migrate-'));
    const home = makeHome(dir, dir, 'default', dir);
    mkdirSync(home.path('cache'));
    writeFileSync(home.path('config.yaml'), OLD);
    const plan = await migrateConfig(home);
    expect(readFileSync(home.path('config.yaml'), 'utf8')).toBe(plan.text);
    const [copy = ''] = readdirSync(home.path('backups', 'config'));
    expect(readFileSync(home.path('backups', 'config', copy), 'utf8')).toBe(OLD);
    writeFileSync(home.path('config.yaml'), 'a: [');
    await expect(migrateConfig(home)).rejects.toMatchObject({ code: 'config-broken' });
    expect(readFileSync(home.path('config.yaml'), 'utf8')).toBe('a: [');
  });
});
