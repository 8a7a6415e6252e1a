import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Fault } from '../faults/fault.ts';
import { killPostgres } from '../faults/kill-postgres.ts';
import { killServer } from '../faults/kill-server.ts';
import { randomFrom } from '../faults/random.ts';
import { resetSandbox } from '../faults/reset-sandbox.ts';
import { stopServer } from '../faults/stop-server.ts';

// Issue 6, «Faults», in short.

const SEED = 6;
const SHORT: readonly [Fault, count: number][] = [
  [killServer, 2],
  [killPostgres, 2],
  [stopServer, 2],
  [resetSandbox, 5],
];

describe('under load, then the checker', { concurrency: true }, () => {
  for (const [fault, count] of SHORT)
    test(`${fault.name} ${count} times: ${fault.summary}`, async () => {
      const context = { count, seed: SEED, random: randomFrom(SEED), say: () => undefined, isQuick: true };
      const { violations, failures, count: injected } = await fault.run(context);
      assert.deepEqual({ violations, failures, injected }, { violations: [], failures: [], injected: count });
    });
});
