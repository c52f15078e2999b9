import { describe, expect, it } from 'vitest';
import { testContext } from '../../test/support/cli-context.ts';
import { createCommandTable } from './command-table.ts';
import { dispatch } from './dispatch.ts';
import { takeProfile } from './profile-flag.ts';

async function run(...args: string[]) {
  const test = testContext();
  const code = await dispatch(args, test.ctx, '1.2.3').catch((error: unknown) => error);
  return { code, stdout: test.stdout() };
}

describe('dispatch', () => {
  it('shows version and help by flag and by word', async () => {
    expect(await run('--version')).toEqual({ code: 0, stdout: 'hermes 1.2.3\n' });
    expect((await run('version')).stdout).toMatch(/^hermes 1\.2\.3\nnode /);
    const help = (await run('--help')).stdout;
    expect((await run('help')).stdout).toBe(help);
    for (const { name } of createCommandTable('')) expect(help).toContain(`\n  ${name} `);
  });

  it('every command has help that names only its own flags, by three ways alike', async () => {
    for (const { name, load } of createCommandTable('1')) {
      const command = await load();
      const { code, stdout } = await run(name, '--help');
      expect(code).toBe(0);
      expect(stdout).toContain(`Usage: hermes ${name}`);
      expect((await run('help', name)).stdout).toBe(stdout);
      expect((await run('--help', name)).stdout).toBe(stdout);
      for (const sub of Object.keys(command.group?.subcommands ?? {})) {
        expect(stdout).toContain(`\n  ${sub}`);
        expect((await run(name, sub, '--help')).stdout).toContain(`Usage: hermes ${name} ${sub}`);
      }
    }
  });

  it('refuses unknown commands, subcommands and words too many', async () => {
    for (const args of [['nope'], ['sessions', 'nope'], ['tools', 'extra'], ['chat', 'extra'], ['-c', 'title', 'nope']])
      expect((await run(...args)).code).toMatchObject({ code: 'usage', exitCode: 2 });
  });
});

describe('takeProfile', () => {
  it('takes the profile out wherever it stands', () => {
    const taken = { args: ['chat', '-q', 'x'], profile: 'coder' };
    expect(takeProfile(['-p', 'coder', 'chat', '-q', 'x'])).toEqual(taken);
    expect(takeProfile(['chat', '--profile=coder', '-q', 'x'])).toEqual(taken);
    expect(takeProfile(['chat', '-q', 'x', '--profile', 'coder'])).toEqual(taken);
  });

  it('leaves free text and what follows -- alone', () => {
    expect(takeProfile(['-q', '-p'])).toEqual({ args: ['-q', '-p'], profile: undefined });
    expect(takeProfile(['x', '--', '-p', 'a'])).toEqual({ args: ['x', '--', '-p', 'a'], profile: undefined });
    for (const args of [['-p'], ['-p', '-q']]) expect(() => takeProfile(args)).toThrow('-p needs the name');
  });
});
