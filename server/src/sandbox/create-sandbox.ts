import type { PoolClient } from 'pg';
import { encodeId } from '../base/ids.ts';
import { inTransaction } from '../database/connections.ts';
import type { Deps } from '../deps.ts';
import { findOrganization } from '../organizations/find-organization.ts';
import * as queries from './queries.ts';

export interface Sandbox {
  organization_id: string;
  created_at: Date;
}

/**
 * Gives the organization a sandbox; one that exists stays as it is.
 *
 * @throws OperatorError where there is no such organization
 */
export async function createSandbox(deps: Pick<Deps, 'database' | 'clock'>, organizationId: string): Promise<Sandbox> {
  const { organization_id } = await findOrganization(deps, organizationId);
  const row = await inTransaction(deps.database.pool, async (client) => {
    await openSandbox(client, deps, organization_id);
    const rows = await queries.selectSandbox(client, [organization_id]);
    return rows[0] as queries.SandboxRow;
  });
  return { organization_id: encodeId('org', row.organization_id), created_at: row.created_at };
}

/** The same within the caller's transaction. @param organizationId UUID */
export async function openSandbox(
  client: PoolClient,
  deps: Pick<Deps, 'clock'>,
  organizationId: string,
): Promise<void> {
  await queries.insertSandbox(client, [organizationId, new Date(deps.clock.now())]);
}
