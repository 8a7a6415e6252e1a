import type { PoolClient } from 'pg';
import * as queries from './queries.ts';

/**
 * Until the transaction ends: changes of one organization that depend on one another, as of its members or its keys, go one
 * after another. Orders, which only refer to it, do not wait.
 *
 * @param organizationId UUID
 */
export async function lockOrganization(client: PoolClient, organizationId: string): Promise<void> {
  await queries.lockOrganization(client, [organizationId]);
}
