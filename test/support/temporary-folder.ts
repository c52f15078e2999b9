// All that tests leave behind lies in one folder, which goes with the run.
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

let place = '';

export function setup(): void {
  place = mkdtempSync(join(tmpdir(), 'hermes-test-'));
  chmodSync(place, 0o755); // one test looks at it as somebody else
  process.env.TMPDIR = place; // workers inherit it
}

export function teardown(): void {
  rmSync(place, { recursive: true, force: true, maxRetries: 3 });
}
