import { setTimeout as wait } from 'node:timers/promises';
import type { Pool, PoolClient } from 'pg';
import { inTransaction, waitBrieflyForLocks } from '../database/connections.ts';
import type { Deps } from '../deps.ts';
import { DELETED_WITHIN_MS } from './delete-contents.ts';
import * as queries from './queries.ts';
import { isFreeSandbox, sandboxIsHeld } from './require-free-sandbox.ts';

/** Enough for the resets of a small sandbox that come at once, on a busy machine too. */
const WAIT_MS = 2_000;
const LOOK_EVERY_MS = 50;

/** Of each sandbox that this process holds or waits for, the end of the latest of those acts. */
const latestEnds = new WeakMap<Pool, Map<string, Promise<void>>>();

/**
 * Runs the act in a transaction that alone holds the organization's sandbox. Another one may hold it for half a minute, and
 * the connections are everybody's: so this waits without one, for two seconds, and one by one in each process.
 *
 * @param organizationId UUID
 * @throws BestowError `resource_locked` where the sandbox was not free by then; so is SQLSTATE 55P03
 */
export function holdSandbox<Result>(
  deps: Pick<Deps, 'database'>,
  organizationId: string,
  act: (client: PoolClient) => Promise<Result>,
): Promise<Result> {
  const { pool } = deps.database;
  const ends = latestEnds.get(pool) ?? new Map<string, Promise<void>>();
  latestEnds.set(pool, ends);
  const run = holdAfter(ends.get(organizationId), deps, organizationId, act);
  const end: Promise<void> = run.then(forget, forget);
  ends.set(organizationId, end);
  function forget(): void {
    if (ends.get(organizationId) === end) ends.delete(organizationId);
  }
  return run;
}

async function holdAfter<Result>(
  before: Promise<void> | undefined,
  deps: Pick<Deps, 'database'>,
  organizationId: string,
  act: (client: PoolClient) => Promise<Result>,
): Promise<Result> {
  const untilMs = performance.now() + WAIT_MS;
  if (before !== undefined) await Promise.race([before, wait(WAIT_MS, undefined, { ref: false })]);
  while (!(await isFreeSandbox(deps, { organizationId, environment: 'sandbox' }))) {
    if (performance.now() >= untilMs) throw sandboxIsHeld();
    await wait(LOOK_EVERY_MS);
  }
  return await inTransaction(
    deps.database.pool,
    async (client) => {
      // Another process may have looked in the same moment.
      await waitBrieflyForLocks(client);
      await queries.holdSandbox(client, [organizationId]);
      return await act(client);
    },
    DELETED_WITHIN_MS,
  );
}
