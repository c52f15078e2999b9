/** The first hour of a new person, and the first of one who brings a home of the original product. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { startModelServer } from '../support/model-server.ts';
import { buildOriginalHome, ORIGINAL_SESSIONS } from '../support/original-home.ts';
import { homeWithModel, runHermes, tempHome } from '../support/run-hermes.ts';

describe('a new home, with the demo', () => {
  const languages = [
    {
      name: 'English',
      asks: ['run: echo hello-hermes', 'write "hello" to notes.txt', 'read notes.txt', 'list files'],
      answers: ['hello-hermes', 'notes.txt', '1|hello', 'notes.txt'],
      remember: [
        'remember that I like teal',
        'what do you know about me?',
        'search our earlier talks for teal',
        'teal',
      ],
    },
    {
      name: 'Japanese',
      asks: ['実行: echo hello-hermes', 'notes.txt に「やあ」と書いて', 'notes.txt を読んで', 'ファイル一覧'],
      answers: ['hello-hermes', 'notes.txt', '1|やあ', 'notes.txt'],
      remember: ['私は紅茶が好きだと覚えて', '私について何を知っていますか', '以前の会話から紅茶を検索して', '紅茶'],
    },
    {
      name: 'Chinese',
      asks: ['运行: echo hello-hermes', '把“你好”写入 notes.txt', '读取 notes.txt', '列出文件'],
      answers: ['hello-hermes', 'notes.txt', '1|你好', 'notes.txt'],
      remember: ['记住我喜欢绿茶', '你知道关于我的什么？', '搜索以前的对话：绿茶', '绿茶'],
    },
  ] as const;

  it.each(languages)('does what it is asked in $name', async ({ asks, answers, remember }) => {
    const home = tempHome();
    const cwd = join(home, 'work');
    mkdirSync(cwd);
    const ask = async (text: string) => {
      const { code, stdout, stderr } = await runHermes(['-z', text], { home, cwd });
      expect([code, stderr], text).toEqual([0, '']);
      return stdout;
    };
    for (const [index, text] of asks.entries()) expect(await ask(text)).toContain(answers[index]);
    const [note, about, search, word] = remember;
    await ask(note);
    expect(readFileSync(join(home, 'memories', 'USER.md'), 'utf8')).toContain(word);
    expect(await ask(about)).toContain(word);
    expect(await ask(search)).toMatch(new RegExp(`>>>.*${word}.*<<<`));
  });
});

describe.each([11, 23] as const)('a home of the original, layout %i', (layout) => {
  it('is opened as it is: sessions, memory, settings; nothing of it changes unasked', async () => {
    const server = await startModelServer();
    try {
      const home = homeWithModel(server.baseUrl); // only to know what the settings must hold
      const model = readFileSync(join(home, 'config.yaml'), 'utf8');
      buildOriginalHome(home, layout);
      const config = `# mine\n${model}display:\n  compact: true   # small screen\nmy_own_note: stays\n`;
      writeFileSync(join(home, 'config.yaml'), config);
      const files = ['config.yaml', '.env', 'memories/MEMORY.md', 'memories/USER.md'];
      const read = () => files.map((name) => readFileSync(join(home, name), 'utf8'));
      const before = read();
      const here = ['-m', 'custom:mock-model']; // the sessions themselves remember OpenRouter
      const run = async (...args: string[]) => {
        const result = await runHermes(args, { home });
        expect([result.code, result.stderr], args.join(' ')).toEqual([0, '']);
        return result.stdout;
      };

      const list = await run('sessions', 'list');
      expect(list).toContain('Deploy pipeline #2');
      expect(list).toContain('来週の在庫調整会議は中止です');
      expect(await run('sessions', 'search', '在庫')).toContain(ORIGINAL_SESSIONS.japanese);
      expect(await run('sessions', 'show', ORIGINAL_SESSIONS.tools)).toContain('remember the bastion');
      expect(await run('config', 'show')).toContain('my_own_note: stays');
      expect(await run('doctor')).toContain('state.db is whole (6 sessions');

      expect(await run('-r', 'Deploy pipeline', ...here, '-z', 'go on')).toBe('ok\n');
      expect(server.requests.at(-1)?.raw).toContain('A nightly job now renews the token.');
      expect(await run('-r', ORIGINAL_SESSIONS.crashed, ...here, '-z', 'go on')).toBe('ok\n');
      expect(await run('-z', 'fresh')).toBe('ok\n');
      expect(server.requests.at(-1)?.raw).toContain('reached through the bastion host');
      expect(server.requests.at(-1)?.raw).toContain('Prefers short answers.');
      expect(read()).toEqual(before);

      await run('config', 'set', 'agent.max_turns', '70');
      expect(readFileSync(join(home, 'config.yaml'), 'utf8')).toBe(`${config}agent:\n  max_turns: 70\n`);
    } finally {
      await server.close();
    }
  });
});

describe('every command', () => {
  const looks = [
    'help',
    'version',
    'status',
    'status --json',
    'doctor --json',
    'context',
    'context --json',
    'tools',
    'tools --summary',
    'tools --json',
    'sessions',
    'sessions list -n 1 --json',
    'sessions list --workspace --all',
    'sessions search one --json',
    'sessions show latest --json',
    'sessions export - --format md --redact',
    'config show --all',
    'config get model.provider',
    'config path',
    'config env-path',
    'config check',
    'config migrate --dry-run',
    'profile',
    'profile list',
    'model --show',
    'model --providers --json',
    'logs -n 3 --level info --since 1h --component cli',
    'logs list',
    'completion bash',
    'completion zsh',
    'completion fish',
  ];
  it('looks without changing anything, and parses what it prints as JSON', async () => {
    const home = tempHome();
    await runHermes(['-z', 'run: echo one'], { home });
    const look = async (line: string) => {
      const { code, stdout, stderr } = await runHermes(line.split(' '), { home });
      expect([code, stderr], line).toEqual([0, '']);
      expect(stdout, line).not.toBe('');
      const json = line.endsWith('--json') && !line.startsWith('sessions show');
      if (json) expect(() => JSON.parse(stdout), line).not.toThrow();
    };
    await inPairs(looks, look);
  });

  it('helps with every command and subcommand that any help names', async () => {
    const named = async (path: string[]): Promise<string[][]> => {
      const { code, stdout } = await runHermes([...path, '--help']);
      expect(code, path.join(' ')).toBe(0);
      expect(stdout).toContain('Usage: hermes');
      const block = /\nCommands:\n((?: {2}.+\n)+)/.exec(stdout)?.[1] ?? '';
      return [...block.matchAll(/^ {2}([a-z][\w-]*)/gm)].map(([, name = '']) => [...path, name]);
    };
    const tops = await named([]);
    expect(tops.length).toBeGreaterThan(10);
    await inPairs(tops, async (top) => {
      for (const sub of await named(top)) await named(sub);
    });
  });

  it('sets up without a terminal: silently, or by saying which commands do it', async () => {
    const server = await startModelServer();
    try {
      const home = tempHome();
      expect((await runHermes(['setup'], { home })).stderr).toMatch(/hermes config set .*\n {2}hermes model /);
      const args = ['setup', '--non-interactive', '--base-url', server.baseUrl, '--model', 'mock-model'];
      expect((await runHermes(args, { home })).stdout).toBe('custom:mock-model is the default and answers.\n');
      expect((await runHermes(['-z', 'hi'], { home })).stdout).toBe('ok\n');
      expect((await runHermes(['doctor', '--live'], { home })).stdout).toContain('custom:mock-model answers');
    } finally {
      await server.close();
    }
  });

  it('keeps profiles apart, from the first to the last', async () => {
    const user = tempHome();
    const run = async (line: string) => {
      const result = await runHermes(line.split(' '), { home: user, env: { HERMES_HOME: undefined }, cwd: user });
      expect(result.code, `${line}: ${result.stderr}`).toBe(0);
      return result.stdout;
    };
    await run('profile create work');
    await run('-p work -z hello');
    expect(await run('-p work sessions list')).toContain('hello');
    expect(await run('sessions list')).not.toContain('hello');
    await run('profile use work');
    expect(await run('profile list')).toContain('* work');
    await run('profile use default');
    await run('profile rename work job');
    await run('profile export job');
    expect(existsSync(join(user, 'job.tar.gz'))).toBe(true);
    await run('profile delete job -y');
    await run('profile import job.tar.gz');
    expect(await run('-p job sessions list')).toContain('hello');
  });
});

/** Two processes at a time. */
async function inPairs<T>(items: readonly T[], work: (item: T) => Promise<void>): Promise<void> {
  const queue = items.values();
  const worker = async () => {
    for (const item of queue) await work(item);
  };
  await Promise.all([worker(), worker()]);
}
