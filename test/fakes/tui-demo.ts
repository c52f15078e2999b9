/** Runs the terminal door against the scripted app on the real terminal: `node test/fakes/tui-demo.ts`. */
import { runTui } from '../../src/tui/index.ts';
import { createFakeApp, hang, say } from './tui-app.ts';

const app = createFakeApp(process.cwd());
app.seed('old', ['What grows in shade?', 'Ferns and hostas.'], 'Garden plans');
const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));
app.scripts.push(async (io) => {
  for (const word of 'I should look at the file before I change anything. '.split(' ')) {
    io.emit({ type: 'reasoning_delta', text: `${word} ` });
    await pause(30);
  }
  io.emit({ type: 'text_end' });
  const call = { callId: '1', tool: 'patch', summary: 'edit src/a.ts' };
  io.emit({ type: 'toolcall_start', call });
  await pause(300);
  const detail = '--- src/a.ts\n+++ src/a.ts\n@@ -1,2 +1,2 @@\n-const a = 1;\n+const a = 2;';
  io.emit({ type: 'toolcall_end', call, result: { ok: true, summary: '1 change', detail, durationMs: 300 } });
  const choice = await io.ask({
    kind: 'approval',
    tool: 'terminal',
    action: 'rm -rf build',
    risks: [{ id: 'rm', why: 'deletes files recursively' }],
    choices: ['once', 'session', 'always', 'deny'],
  });
  io.emit({
    type: 'usage',
    usage: {
      input: 0,
      output: 0,
      cacheRead: 0,
      cacheWrite: 0,
      totalTokens: 0,
      cost: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, total: 0 },
    },
    contextTokens: 62_000,
    contextWindow: 100_000,
  });
  return say(`You chose **${choice}**.\n\n| a | b |\n|---|---|\n| 1 | 日本 |\n\n\`\`\`ts\nconst a = 2;\n\`\`\`\n`)(
    io,
    '',
  );
}, hang());

process.exitCode = await runTui(
  { openApp: () => pause(400).then(() => app), cwd: process.cwd() },
  {
    env: process.env,
    profile: undefined,
    stdin: process.stdin,
    stdout: process.stdout,
    stderr: process.stderr,
    signal: new AbortController().signal,
  },
);
