import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Fault } from '../faults/fault.ts';
import { resetSandbox } from '../faults/other-faults.ts';
import { randomFrom } from '../faults/random.ts';
import { killPostgres, killServer, stopServer } from '../faults/server-faults.ts';

const SEED = 6;
const SHORT: readonly [Fault, count: number][] = [
  [killServer, 2],
  [killPostgres, 2],
  [stopServer, 2],
  [resetSandbox, 5],
];

describe('no invariant breaks', { concurrency: true }, () => {
  for (const [fault, count] of SHORT)
    test(`after ${count} times ${fault.name}`, async () => {
      const context = { count, random: randomFrom(SEED), say: () => undefined, isQuick: true };
      const { violations, failures, count: injected } = await fault.run(context);
      assert.deepEqual({ violations, failures, injected }, { violations: [], failures: [], injected: count });
    });
});
