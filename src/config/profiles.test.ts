import { execFileSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { envValues } from './env-file.ts';
import { makeHome, profileNames, readStickyProfile } from './home.ts';
import { ensureHome } from './home-setup.ts';
import { findAlias, removeAlias, writeAlias } from './profile-alias.ts';
import { archiveName, exportProfile, importProfile } from './profile-archive.ts';
import {
  aboutProfile,
  createProfile,
  deleteProfile,
  describeProfile,
  renameProfile,
  sharedBots,
  useProfile,
} from './profiles.ts';

async function setUp() {
  const homedir = mkdtempSync(join(tmpdir(), 'hermes-profiles-'));
  const root = join(homedir, '.hermes');
  const home = makeHome(root, root, 'default', homedir);
  await ensureHome(home);
  const put = (name: string, text: string) => {
    mkdirSync(join(home.path(name), '..'), { recursive: true });
    writeFileSync(home.path(name), text);
  };
  return { at: { root, homedir }, home, put };
}

const FULL: Record<string, string> = {
  'config.yaml':
    '# mine\nmodel: m\ntelegram: {require_mention: false}\nplatforms: {discord: {enabled: true}}\nmemory: {provider: mem0}\n',
  '.env': '# keys\nOPENAI_API_KEY=k\nTELEGRAM_BOT_TOKEN=t\nDISCORD_ALLOWED_USERS=1\n',
  'SOUL.md': 'me',
  'memories/MEMORY.md': 'fact',
  'skills/a/SKILL.md': 'skill',
  'mem0.json': '{}',
  'auth.json': '{"refresh":"once"}',
  'sessions/x.json': '{}',
  'state.db': 'db',
  'plugins/p/index.js': '1',
};

describe('createProfile', () => {
  it('makes a home of its own, for the user alone', async () => {
    const { at } = await setUp();
    const { home } = await createProfile(at, 'coder', { description: 'writes code', noSkills: true });
    expect(statSync(home.dir).mode & 0o777).toBe(0o700);
    expect(existsSync(home.path('config.yaml'))).toBe(true);
    expect(existsSync(home.path('.no-bundled-skills'))).toBe(true);
    expect(aboutProfile(home).description).toBe('writes code');
    expect(readdirSync(join(at.root, 'profiles'))).toEqual(['coder']);
  });

  it('copies what makes the agent, without chat accounts, sessions and sign-ins', async () => {
    const { at, put } = await setUp();
    for (const [name, text] of Object.entries(FULL)) put(name, text);
    const { home, stripped } = await createProfile(at, 'two', { cloneFrom: 'default' });
    expect(Object.fromEntries(envValues(readFileSync(home.path('.env'), 'utf8')))).toEqual({ OPENAI_API_KEY: 'k' });
    expect(readFileSync(home.path('config.yaml'), 'utf8')).toBe('# mine\nmodel: m\nmemory: {provider: mem0}\n');
    expect([...stripped].sort()).toEqual(['DISCORD_ALLOWED_USERS', 'TELEGRAM_BOT_TOKEN', 'platforms', 'telegram']);
    for (const name of ['SOUL.md', 'memories/MEMORY.md', 'skills/a/SKILL.md', 'mem0.json'])
      expect(readFileSync(home.path(name), 'utf8')).toBe(FULL[name]);
    for (const name of ['auth.json', 'sessions/x.json', 'state.db', 'plugins'])
      expect(existsSync(home.path(name))).toBe(false);

    const { home: all } = await createProfile(at, 'three', { cloneFrom: 'default', cloneAll: true, channels: true });
    expect(readFileSync(all.path('.env'), 'utf8')).toBe(FULL['.env']);
    expect(existsSync(all.path('plugins/p/index.js'))).toBe(true);
    for (const name of ['auth.json', 'sessions/x.json', 'state.db', 'profiles'])
      expect(existsSync(all.path(name))).toBe(false);
    expect(sharedBots(at)).toEqual([{ variable: 'TELEGRAM_BOT_TOKEN', profiles: ['default', 'three'] }]);
  });

  it('leaves nothing behind when it cannot be made', async () => {
    const { at } = await setUp();
    await createProfile(at, 'coder');
    const before = readdirSync(join(at.root, 'profiles'));
    for (const [name, options] of [
      ['coder', {}],
      ['Bad Name', {}],
      ['default', {}],
      ['x', { cloneFrom: 'nobody' }],
    ] as const)
      await expect(createProfile(at, name, options)).rejects.toMatchObject({
        code: expect.stringMatching(/^profile-/),
      });
    expect(readdirSync(join(at.root, 'profiles'))).toEqual(before);
  });
});

describe('managing profiles', () => {
  it('moves the sticky choice with a rename and forgets it with a deletion', async () => {
    const { at, home } = await setUp();
    await createProfile(at, 'a');
    await useProfile(at, 'a');
    await renameProfile(at, 'a', 'b');
    expect([readStickyProfile(at.root), profileNames(at.root)]).toEqual(['b', ['b']]);
    await deleteProfile(at, 'b');
    expect([readStickyProfile(at.root), readdirSync(join(at.root, 'profiles'))]).toEqual(['default', []]);
    await renameProfile(at, 'default', 'Main One');
    await describeProfile(home, 'all');
    expect(aboutProfile(home)).toEqual({ description: 'all', displayName: 'Main One' });
    await expect(deleteProfile(at, 'default')).rejects.toMatchObject({ code: 'profile-default' });
    await expect(useProfile(at, 'b')).rejects.toMatchObject({ code: 'profile-unknown' });
  });
});

describe('aliases', () => {
  it('run the program with the profile and every argument, and hide no other command', async () => {
    const { at } = await setUp();
    const bin = join(at.homedir, 'bin');
    mkdirSync(bin);
    writeFileSync(join(bin, 'hermes'), '#!/bin/sh\nprintf "%s|" "$@"\n', { mode: 0o755 });
    const place = { ...at, env: { PATH: `${bin}:/usr/bin:/bin` } };
    const path = await writeAlias(place, 'coder');
    expect(execFileSync(path, ['a b', '--x'], { env: place.env, encoding: 'utf8' })).toBe('-p|coder|a b|--x|');
    expect(await writeAlias(place, 'coder')).toBe(path);
    expect(findAlias(place, 'coder')).toBe(path);
    for (const name of ['ls', 'hermes'])
      await expect(writeAlias(place, 'coder', name)).rejects.toMatchObject({ code: 'alias-taken' });
    writeFileSync(join(at.homedir, '.local', 'bin', 'mine'), 'x');
    expect(await removeAlias(place, 'mine')).toBe(false);
    expect(await removeAlias(place, 'coder')).toBe(true);
    expect(readdirSync(join(at.homedir, '.local', 'bin'))).toEqual(['mine']);
  });
});

describe('archives', () => {
  it('carry a profile over without its secrets', async () => {
    const { at, home, put } = await setUp();
    for (const [name, text] of Object.entries(FULL)) put(name, text);
    put('skills/a/.env', 'SECRET=1');
    await createProfile(at, 'other');
    const file = await exportProfile(home, join(at.homedir, 'default.tar.gz'));
    const { home: copy } = await importProfile(at, file, 'copy');
    for (const name of ['config.yaml', 'SOUL.md', 'skills/a/SKILL.md', 'sessions/x.json', 'state.db'])
      expect(readFileSync(copy.path(name), 'utf8')).toBe(FULL[name]);
    for (const name of ['auth.json', 'skills/a/.env', 'profiles']) expect(existsSync(copy.path(name))).toBe(false);
    expect(readFileSync(copy.path('.env'), 'utf8')).not.toContain('OPENAI_API_KEY=k');
    await expect(importProfile(at, file, 'copy')).rejects.toMatchObject({ code: 'profile-exists' });
    await expect(importProfile(at, file, 'default')).rejects.toMatchObject({ code: 'profile-default' });
    await expect(exportProfile(home, home.path('x.tar.gz'))).rejects.toMatchObject({ code: 'archive-failed' });
    expect(archiveName('/a/Coder.tar.gz')).toBe('coder');
  });

  it('are refused when an entry could reach outside, before anything is written', async () => {
    const { at } = await setUp();
    const work = join(at.homedir, 'work');
    mkdirSync(join(work, 'in'), { recursive: true });
    writeFileSync(join(work, 'evil'), 'x');
    symlinkSync('/etc', join(work, 'in', 'link'));
    const cases = {
      up: ['-C', join(work, 'in'), '../evil'],
      absolute: [join(work, 'evil')],
      link: ['-C', join(work, 'in'), 'link'],
    };
    for (const [name, args] of Object.entries(cases)) {
      const file = join(work, `${name}.tar.gz`);
      execFileSync('tar', ['-cPzf', file, ...args]);
      await expect(importProfile(at, file, name)).rejects.toMatchObject({ code: 'archive-unsafe' });
    }
    writeFileSync(join(work, 'text.tar.gz'), 'no archive');
    await expect(importProfile(at, join(work, 'text.tar.gz'), 'text')).rejects.toMatchObject({
      code: 'archive-failed',
    });
    await expect(importProfile(at, join(work, 'none.tar.gz'), 'none')).rejects.toMatchObject({
      code: 'archive-failed',
    });
    expect(profileNames(at.root)).toEqual([]);
  });

  it('may have one folder around everything', async () => {
    const { at, home } = await setUp();
    writeFileSync(home.path('SOUL.md'), 'wrapped');
    const file = join(at.homedir, 'w.tgz');
    execFileSync('tar', ['-czf', file, '-C', at.homedir, '.hermes/SOUL.md', '.hermes/config.yaml']);
    const { home: copy } = await importProfile(at, file, archiveName(file));
    expect(readFileSync(copy.path('SOUL.md'), 'utf8')).toBe('wrapped');
  });
});
