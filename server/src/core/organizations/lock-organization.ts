import type { PoolClient } from 'pg';
import * as queries from './queries.ts';

/**
 * Locks an organization until the transaction ends, to serialize changes of its members or keys. Orders do not wait for
 * this lock.
 *
 * @param organizationId UUID
 */
export async function lockOrganization(client: PoolClient, organizationId: string): Promise<void> {
  await queries.lockOrganization(client, [organizationId]);
}
