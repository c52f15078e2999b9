// No test may ever touch the home of the person who runs it: HERMES_HOME must be given by the test itself.
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

process.env.HERMES_HOME = mkdtempSync(join(tmpdir(), 'home-'));
for (const name of Object.keys(process.env)) if (/_API_KEY$|_TOKEN$|_BASE_URL$/.test(name)) delete process.env[name];
