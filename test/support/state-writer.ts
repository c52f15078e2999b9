// Run as a process of its own: node state-writer.ts <state.db> <session id> <count>.
// Prints `<row id> <milliseconds waited>` after each append that was acknowledged.
import { openSessionStore } from '../../src/state/sqlite-store.ts';

const [path = '', sessionId = '', count = '0'] = process.argv.slice(2);
const store = await openSessionStore({ path });
await store.create({
  id: sessionId,
  source: 'cli',
  model: 'm',
  provider: 'p',
  systemPrompt: '',
  toolNames: [],
  cwd: '/',
  profile: 'default',
});
for (let index = 0; index < Number(count); index += 1) {
  const before = Date.now();
  const [rowId] = await store.append(sessionId, [
    { message: { role: 'user', content: `message ${index}`, timestamp: before } },
  ]);
  process.stdout.write(`${rowId} ${Date.now() - before}\n`);
}
await store.close();
