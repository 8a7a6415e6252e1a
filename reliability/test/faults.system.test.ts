import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { killClaims, killLithicClaims, killTremendousClaims } from '../faults/claims/kill-claims.ts';
import { killForEvents } from '../faults/event-faults.ts';
import type { Fault } from '../faults/fault.ts';
import { killBatches } from '../faults/kill-batches.ts';
import { resetSandbox } from '../faults/other-faults.ts';
import { randomFrom } from '../faults/random.ts';
import { killPostgres, killServer, stopServer } from '../faults/server-faults.ts';

const SEED = 6;
const SHORT: readonly [Fault, count: number][] = [
  [killServer, 2],
  [killPostgres, 2],
  [killForEvents, 3],
  [killClaims, 10],
  [killLithicClaims, 10],
  [killTremendousClaims, 10],
  [killBatches, 1],
  [stopServer, 2],
  [resetSandbox, 5],
];

describe('no invariant breaks', { concurrency: 4 }, () => {
  for (const [fault, count] of SHORT)
    test(`after ${count} times ${fault.name}`, async () => {
      const context = { count, random: randomFrom(SEED), say: () => undefined, isQuick: true };
      const { violations, failures, count: injected } = await fault.run(context);
      assert.deepEqual({ violations, failures, injected }, { violations: [], failures: [], injected: count });
    });
});
