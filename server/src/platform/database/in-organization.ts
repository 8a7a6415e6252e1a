import type { PoolClient } from 'pg';
import type { Database } from './connections.ts';
import { inTransaction, SNAPSHOT_OF_ONE } from './transaction.ts';

interface TransactionOptions {
  /** Milliseconds until the wait for a lock fails with SQLSTATE 55P03; by default as long as a statement may take. */
  lockWaitMs?: number;
  /** Milliseconds until the connection is closed, which rolls the transaction back. */
  withinMs?: number;
  /** Only reads, on one snapshot. */
  isSnapshot?: boolean;
}

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/**
 * Runs the act in a transaction on the organization's server; an error rolls all of it back. Row security hides other
 * organizations.
 *
 * @param organizationId UUID; the act may create the organization
 * @throws OutcomeUnknown if the connection is lost or closed during the commit
 */
export function inOrganization<Result>(
  database: Pick<Database, 'laneOf'>,
  organizationId: string,
  act: (client: PoolClient) => Promise<Result>,
  { lockWaitMs, withinMs, isSnapshot = false }: TransactionOptions = {},
): Promise<Result> {
  if (!UUID.test(organizationId)) throw new Error('An organization’s id must be a UUID.');
  const settings = [`set local app.organization_id to '${organizationId}'`];
  if (lockWaitMs !== undefined) settings.push(`set local lock_timeout = ${lockWaitMs}`);
  const run = async (client: PoolClient) => {
    await client.query(settings.join('; '));
    return await act(client);
  };
  return inTransaction(database.laneOf(organizationId).pool, run, withinMs, isSnapshot ? SNAPSHOT_OF_ONE : 'begin');
}
