import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { loadEnvironment } from './environment.ts';
import { makeHome, profileHome } from './home.ts';

function setUp(files: { home?: string; project?: string; managed?: string } = {}) {
  const root = mkdtempSync(join(tmpdir(), 'hermes-env-'));
  const [dir, cwd, managed] = ['home', 'project', 'managed'].map((name) => join(root, name)) as [
    string,
    string,
    string,
  ];
  for (const [path, text] of [
    [dir, files.home],
    [cwd, files.project],
    [managed, files.managed],
  ] as const) {
    mkdirSync(path);
    if (text !== undefined) writeFileSync(join(path, '.env'), text);
  }
  const home = makeHome(dir, dir, 'default', root);
  return {
    home,
    cwd,
    load: (env: Record<string, string> = {}) => loadEnvironment(home, { HERMES_MANAGED_DIR: managed, ...env }, cwd),
  };
}

describe('loadEnvironment', () => {
  it('lets the home win over the shell, the project fill gaps and the administrator win over all', () => {
    const { load } = setUp({
      home: 'A_API_KEY=home\nB=home',
      project: 'A_API_KEY=project\nC=project\nD=project',
      managed: 'D=managed\nB=managed',
    });
    const loaded = load({ A_API_KEY: 'shell', C: 'shell' });
    expect(loaded.env).toMatchObject({ A_API_KEY: 'home', B: 'managed', C: 'shell', D: 'managed' });
    expect(['A_API_KEY', 'B', 'C', 'E'].map(loaded.origin)).toEqual(['.env', 'managed .env', 'shell', undefined]);
  });

  it('takes an empty value for none, without touching variables of other programs', () => {
    const { load } = setUp({ home: 'OPENAI_API_KEY=\nX=' });
    const { env } = load({ OPENAI_API_KEY: 'shell', ANTHROPIC_API_KEY: '', GIT_PAGER: '' });
    expect(env).toMatchObject({ OPENAI_API_KEY: 'shell', GIT_PAGER: '' });
    expect(env).not.toHaveProperty('ANTHROPIC_API_KEY');
    expect(env).not.toHaveProperty('X');
  });

  it('does not let a project steer Hermes, its programs, or where the user’s keys are sent', () => {
    const project =
      'HERMES_YOLO_MODE=1\nLD_PRELOAD=x\nNODE_OPTIONS=--import=x\nOPENAI_BASE_URL=http://evil\nOWN_API_KEY=k\nOWN_BASE_URL=http://own\n';
    const { env, warnings } = setUp({ project }).load();
    expect(Object.keys(env).sort()).toEqual(['HERMES_MANAGED_DIR', 'OWN_API_KEY', 'OWN_BASE_URL']);
    expect(warnings.join()).toContain('OPENAI_BASE_URL');
  });

  it('does not let a file move the home or the administrator’s folder', () => {
    const { env } = setUp({ home: 'HERMES_MANAGED_DIR=/elsewhere\nHERMES_HOME=/elsewhere' }).load();
    expect(env.HERMES_MANAGED_DIR).not.toBe('/elsewhere');
    expect(env.HERMES_HOME).toBeUndefined();
  });

  it('cleans keys of characters that no header may hold, with a warning that does not tell them', () => {
    const { env, warnings } = setUp({ home: 'A_API_KEY=sk-\u200b12\u2019\nNAME=é' }).load({ B_TOKEN: 'tök' });
    expect(env).toMatchObject({ A_API_KEY: 'sk-12', NAME: 'é', B_TOKEN: 'tk' });
    expect(warnings).toHaveLength(2);
    expect(warnings.join()).not.toContain('sk-');
  });

  it('starts with a file that cannot be read', () => {
    const { home, cwd } = setUp();
    mkdirSync(home.path('.env'));
    expect(loadEnvironment(home, { A: '1' }, cwd).env).toEqual({ A: '1' });
  });

  it('KF-192: gives a profile nothing of the default profile', () => {
    const { home, cwd } = setUp({ home: 'X_API_KEY=default-only' });
    mkdirSync(home.path('profiles', 'b'), { recursive: true });
    writeFileSync(home.path('profiles', 'b', '.env'), 'Y_API_KEY=b');
    const { env } = loadEnvironment(profileHome(home.root, 'b', '/'), {}, cwd);
    expect(env).toEqual({ Y_API_KEY: 'b' });
  });
});
