import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { displayPath, resolveHome, resolveRoot } from './home.ts';
import { ensureHome, storageError } from './home-setup.ts';

const folder = () => mkdtempSync(join(tmpdir(), 'hermes-home-'));
const find = (homedir: string, env: Record<string, string> = {}, profile?: string, platform?: NodeJS.Platform) =>
  resolveHome({ homedir, env, profile, ...(platform && { platform }) });

describe('resolveHome', () => {
  it('refuses to guess where a home is when the environment names none', () => {
    expect(() => resolveHome({ env: {}, homedir: '' })).toThrow(expect.objectContaining({ code: 'home-unknown' }));
  });

  it('takes flag before variable before sticky profile before the default', () => {
    const user = folder();
    const root = join(user, '.hermes');
    for (const name of ['coder', 'writer']) mkdirSync(join(root, 'profiles', name), { recursive: true });
    expect(find(user)).toMatchObject({ root, dir: root, profile: 'default' });
    writeFileSync(join(root, 'active_profile'), 'coder\n');
    expect(find(user)).toMatchObject({ root, dir: join(root, 'profiles', 'coder'), profile: 'coder' });
    expect(find(user, {}, 'default').dir).toBe(root);
    expect(find(user, {}, 'writer').profile).toBe('writer');
    const elsewhere = folder();
    expect(find(user, { HERMES_HOME: elsewhere })).toMatchObject({
      root: elsewhere,
      dir: elsewhere,
      profile: 'default',
    });
    const inside = join(root, 'profiles', 'coder');
    expect(find(user, { HERMES_HOME: inside })).toMatchObject({ root, dir: inside, profile: 'coder' });
    expect(find(user, { HERMES_HOME: inside }, 'writer').dir).toBe(join(root, 'profiles', 'writer'));
    expect(find(user, { HERMES_HOME: '~/.hermes' }).dir).toBe(root);
    expect(find(user, { HERMES_HOME: '' }).profile).toBe('coder');
  });

  it('appends the suffix to the default alone and knows the place of Windows', () => {
    expect(resolveRoot({ homedir: '/h', env: { HERMES_DATA_DIR_SUFFIX: '-dev' } })).toBe('/h/.hermes-dev');
    expect(resolveRoot({ homedir: '/h', env: { HERMES_DATA_DIR_SUFFIX: '-dev', HERMES_HOME: '/x' } })).toBe('/x');
    expect(resolveRoot({ homedir: '/h', env: { LOCALAPPDATA: '/l' }, platform: 'win32' })).toBe(join('/l', 'hermes'));
  });

  it('refuses unknown and impossible names, naming what there is', () => {
    const user = folder();
    mkdirSync(join(user, '.hermes', 'profiles', 'coder'), { recursive: true });
    expect(() => find(user, {}, 'codr')).toThrow(
      expect.objectContaining({ code: 'profile-unknown', exitCode: 1, hint: expect.stringContaining('"coder"') }),
    );
    expect(() => find(user, {}, '../x')).toThrow(expect.objectContaining({ code: 'profile-name' }));
    writeFileSync(join(user, '.hermes', 'active_profile'), 'gone');
    expect(() => find(user)).toThrow(expect.objectContaining({ hint: expect.stringContaining('profile use default') }));
  });

  it('shows the short form', () => {
    expect(displayPath('/home/ana/.hermes/profiles/coder', '/home/ana')).toBe('~/.hermes/profiles/coder');
    expect(displayPath('/home/anabel/x', '/home/ana')).toBe('/home/anabel/x');
  });
});

describe('ensureHome', () => {
  it('makes folders and first files for the user alone, and leaves existing ones', async () => {
    const user = folder();
    mkdirSync(join(user, '.hermes'));
    writeFileSync(join(user, '.hermes', 'SOUL.md'), 'mine');
    const home = find(user);
    await ensureHome(home);
    for (const name of ['memories', 'skills', 'cache']) expect(statSync(home.path(name)).mode & 0o777).toBe(0o700);
    for (const name of ['config.yaml', '.env']) expect(statSync(home.path(name)).mode & 0o777).toBe(0o600);
    expect(readFileSync(home.path('SOUL.md'), 'utf8')).toBe('mine');
    writeFileSync(home.path('config.yaml'), 'model: x\n');
    await ensureHome(home);
    expect(readFileSync(home.path('config.yaml'), 'utf8')).toBe('model: x\n');
  });

  it('keeps a link to a folder and refuses one that leads nowhere, naming both ends', async () => {
    const user = folder();
    const target = folder();
    symlinkSync(target, join(user, '.hermes'));
    const home = find(user);
    await ensureHome(home);
    expect(existsSync(join(target, 'memories'))).toBe(true);
    symlinkSync(join(user, 'nowhere'), home.path('extra'));
    const broken = folder();
    symlinkSync(join(broken, 'gone'), join(broken, '.hermes'));
    await expect(ensureHome(find(broken))).rejects.toMatchObject({
      code: 'home-storage',
      message: expect.stringContaining(join(broken, 'gone')),
    });
    expect(existsSync(join(broken, 'gone'))).toBe(false);
  });

  it('says in one sentence why a home cannot be used', async () => {
    const user = folder();
    writeFileSync(join(user, '.hermes'), '');
    await expect(ensureHome(find(user))).rejects.toMatchObject({
      code: 'home-storage',
      hint: expect.stringContaining('mv '),
    });
    const home = find(folder());
    for (const [code, expected] of [
      ['ENOSPC', 'disk-full'],
      ['EDQUOT', 'disk-full'],
      ['EACCES', 'home-unwritable'],
      ['EROFS', 'home-unwritable'],
    ])
      expect(storageError(home, Object.assign(new Error('x'), { code }))).toMatchObject({
        code: expected,
        hint: expect.stringMatching(/~|HERMES_HOME/),
      });
  });

  it.skipIf(process.getuid?.() === 0)('refuses a home it may not write', async () => {
    const user = folder();
    chmodSync(user, 0o500);
    await expect(ensureHome(find(user))).rejects.toMatchObject({ code: 'home-unwritable' });
  });
});
