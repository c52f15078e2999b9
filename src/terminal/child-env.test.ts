import { describe, expect, it } from 'vitest';
import { childEnv } from './child-env.ts';

const base = { PATH: '/bin', HOME: '/home/ann' };

function env(
  more: Record<string, string>,
  options: Partial<Parameters<typeof childEnv>[0]> = {},
): Record<string, string> {
  return childEnv({ base: { ...base, ...more }, home: '/h', sessionId: 's1', ...options });
}

describe('childEnv', () => {
  it.each([
    'OPENAI_API_KEY',
    'ANTHROPIC_TOKEN',
    'OPENROUTER_BASE_URL',
    'GH_TOKEN',
    'GITHUB_APP_ID',
    'MODAL_TOKEN_ID',
    'DAYTONA_API_KEY',
    'HASS_URL',
    'EMAIL_ADDRESS',
    'TELEGRAM_BOT_TOKEN',
    'TELEGRAM_ALLOWED_USERS',
    'DISCORD_HOME_CHANNEL',
    'DB_PASSWORD',
    'AWS_SECRET_ACCESS_KEY',
    'PGPASSWORD',
    'SUDO_PASSWORD',
    'npm_config__auth',
    'STRIPE_KEY',
    'my_secret',
  ])('KF-147: withholds %s', (name) => {
    expect(env({ [name]: 'value' })).not.toHaveProperty(name);
  });

  it.each([
    'PATH',
    'HOME',
    'LANG',
    'SSH_AUTH_SOCK',
    'KEYBOARD',
    'MONKEY_PATH',
    'GOOGLE_APPLICATION_CREDENTIALS',
    'HTTPS_PROXY',
    'AWS_PROFILE',
    'AWS_REGION',
    'TOKENIZERS_PARALLELISM',
  ])('lets %s through', (name) => expect(env({ [name]: '/value' })).toHaveProperty(name, '/value'));

  it('withholds values that are secrets under a harmless name', () => {
    expect(
      env({ THING: 'sk-test-0000000000000000', URL: 'postgres://u:p@h/d', PAGE: 'https://h/p' }),
    ).not.toHaveProperty('THING');
    expect(env({ URL: 'postgres://u:p@h/d' })).not.toHaveProperty('URL');
    expect(env({ PAGE: 'https://h/p' })).toHaveProperty('PAGE');
  });

  it('lets through what the user names; skills never get a provider key', () => {
    const secrets = { OPENAI_API_KEY: 'a', NOTION_TOKEN: 'b' };
    expect(env(secrets, { passthrough: ['OPENAI_API_KEY'] })).toMatchObject({ OPENAI_API_KEY: 'a' });
    const forSkills = env(secrets, { skillPassthrough: ['OPENAI_API_KEY', 'NOTION_TOKEN'] });
    expect(forSkills).toHaveProperty('NOTION_TOKEN', 'b');
    expect(forSkills).not.toHaveProperty('OPENAI_API_KEY');
  });

  it('withholds the names of the home', () => {
    expect(env({ PLAIN: 'x' }, { secretNames: ['PLAIN'] })).not.toHaveProperty('PLAIN');
  });

  it('says who runs the command, where and for which session, and opens no editor', () => {
    const made = env({ EDITOR: 'vim', PWD: '/x', HERMES_YOLO_MODE: '1' }, { extra: { TZ: 'UTC' } });
    expect(made).toMatchObject({
      HERMES_HOME: '/h',
      HERMES_SESSION_ID: 's1',
      AI_AGENT: 'hermes',
      TZ: 'UTC',
      PAGER: 'cat',
    });
    expect(made.EDITOR).not.toBe('vim');
    expect(made).not.toHaveProperty('PWD');
    expect(made).not.toHaveProperty('HERMES_YOLO_MODE');
  });
});
