import { setTimeout as wait } from 'node:timers/promises';
import type { Pool, PoolClient } from 'pg';
import { inTransaction, waitBrieflyForLocks } from '../database/connections.ts';
import type { Deps } from '../deps.ts';
import { DELETED_WITHIN_MS } from './delete-contents.ts';
import * as queries from './queries.ts';
import { isUnlockedSandbox, sandboxIsLocked } from './require-unlocked-sandbox.ts';

/** Long enough for several resets of a small sandbox, one after another. */
const WAIT_MS = 2_000;
const POLL_MS = 50;

/** When the last queued act on each sandbox ends, by organization. */
const latestEnds = new WeakMap<Pool, Map<string, Promise<void>>>();

/**
 * Runs the act in a transaction that locks the organization's sandbox.
 *
 * A reset can hold the lock for half a minute. So acts wait without a connection, for two seconds, in one queue a process.
 *
 * @param organizationId UUID
 * @throws BestowError `resource_locked` if the sandbox stays locked; SQLSTATE 55P03 becomes the same error
 */
export function lockSandbox<Result>(
  deps: Pick<Deps, 'database'>,
  organizationId: string,
  act: (client: PoolClient) => Promise<Result>,
): Promise<Result> {
  const { pool } = deps.database;
  const ends = latestEnds.get(pool) ?? new Map<string, Promise<void>>();
  latestEnds.set(pool, ends);
  const run = lockAfter(ends.get(organizationId), deps, organizationId, act);
  const end: Promise<void> = run.then(forget, forget);
  ends.set(organizationId, end);
  function forget(): void {
    if (ends.get(organizationId) === end) ends.delete(organizationId);
  }
  return run;
}

async function lockAfter<Result>(
  before: Promise<void> | undefined,
  deps: Pick<Deps, 'database'>,
  organizationId: string,
  act: (client: PoolClient) => Promise<Result>,
): Promise<Result> {
  const untilMs = performance.now() + WAIT_MS;
  if (before !== undefined) await Promise.race([before, wait(WAIT_MS, undefined, { ref: false })]);
  while (!(await isUnlockedSandbox(deps, { organizationId, environment: 'sandbox' }))) {
    if (performance.now() >= untilMs) throw sandboxIsLocked();
    await wait(POLL_MS);
  }
  return await inTransaction(
    deps.database.pool,
    async (client) => {
      // Another process may have checked at the same moment.
      await waitBrieflyForLocks(client);
      await queries.lockSandbox(client, [organizationId]);
      return await act(client);
    },
    DELETED_WITHIN_MS,
  );
}
