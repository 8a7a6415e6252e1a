import { setTimeout as wait } from 'node:timers/promises';
import type { PoolClient } from 'pg';
import { type Caller, parametersOf, requireAdmitted } from '../../platform/authentication/caller.ts';
import { type Database, LOCK_TIMEOUT_MS } from '../../platform/database/connections.ts';
import { inOrganization } from '../../platform/database/in-organization.ts';
import type { Deps } from '../deps.ts';
import * as queries from './queries.ts';

/** Long enough for several resets of a small sandbox, one after another. */
const WAIT_MS = 2_000;
const POLL_MS = 50;

/** A million orders take about half a minute. */
export const DELETED_WITHIN_MS = 300_000;

/** When the last queued act on each sandbox ends, by organization. */
const latestEnds = new WeakMap<Database['servers'], Map<string, Promise<void>>>();

/**
 * Runs the act in a transaction that locks the organization's sandbox.
 *
 * A reset can hold the lock for half a minute. So acts wait without a connection, for two seconds, in one queue a process.
 *
 * @param caller of a sandbox
 * @throws BestowError `resource_locked` if the sandbox stays locked; SQLSTATE 55P03 becomes the same error; as
 *   `requireAdmitted`
 */
export async function lockSandbox<Result>(
  deps: Pick<Deps, 'database'>,
  caller: Caller,
  act: (client: PoolClient) => Promise<Result>,
): Promise<Result> {
  const { servers } = deps.database;
  const { organizationId } = caller;
  // Refuses before the queue, so that a wrong key cannot make others wait.
  await isUnlocked(deps, caller, Number.POSITIVE_INFINITY);
  const ends = latestEnds.get(servers) ?? new Map<string, Promise<void>>();
  latestEnds.set(servers, ends);
  const run = lockAfter(ends.get(organizationId), deps, caller, act);
  const end: Promise<void> = run.then(forget, forget);
  ends.set(organizationId, end);
  function forget(): void {
    if (ends.get(organizationId) === end) ends.delete(organizationId);
  }
  return await run;
}

/** @throws BestowError as `requireAdmitted`; `resource_locked` only from `untilMs` on */
async function isUnlocked({ database }: Pick<Deps, 'database'>, caller: Caller, untilMs: number): Promise<boolean> {
  const [row] = await queries.selectSandboxCaller(database.read, parametersOf(caller));
  if (row?.caller_state === 'sandbox_locked' && performance.now() < untilMs) return false;
  requireAdmitted(caller, row);
  return true;
}

async function lockAfter<Result>(
  before: Promise<void> | undefined,
  deps: Pick<Deps, 'database'>,
  caller: Caller,
  act: (client: PoolClient) => Promise<Result>,
): Promise<Result> {
  const untilMs = performance.now() + WAIT_MS;
  if (before !== undefined) await Promise.race([before, wait(WAIT_MS, undefined, { ref: false })]);
  while (!(await isUnlocked(deps, caller, untilMs))) await wait(POLL_MS);
  return await inOrganization(
    deps.database,
    caller.organizationId,
    async (client) => {
      const [row] = await queries.lockSandbox(client, parametersOf(caller));
      requireAdmitted(caller, row);
      return await act(client);
    },
    // Another process may have checked at the same moment.
    { lockWaitMs: LOCK_TIMEOUT_MS, withinMs: DELETED_WITHIN_MS },
  );
}
