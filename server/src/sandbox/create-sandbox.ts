import type { PoolClient } from 'pg';
import { recordEvent } from '../audit/record-event.ts';
import type { Actor } from '../base/actor.ts';
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
export async function createSandbox(
  deps: Pick<Deps, 'database' | 'clock' | 'ids'>,
  { organizationId, actor }: { organizationId: string; actor: Actor },
): Promise<Sandbox> {
  const { organization_id } = await findOrganization(deps, organizationId);
  const row = await inTransaction(deps.database.pool, async (client) => {
    await openSandbox(client, deps, { organizationId: organization_id, actor });
    const rows = await queries.selectSandbox(client, [organization_id]);
    return rows[0] as queries.SandboxRow;
  });
  return { organization_id: encodeId('org', row.organization_id), created_at: row.created_at };
}

/** The same within the caller's transaction. @param owner with the organization's UUID */
export async function openSandbox(
  client: PoolClient,
  deps: Pick<Deps, 'clock' | 'ids'>,
  { organizationId, actor }: { organizationId: string; actor: Actor },
): Promise<void> {
  const [created] = await queries.insertSandbox(client, [organizationId, new Date(deps.clock.now())]);
  if (created === undefined) return;
  await recordEvent(client, deps, actor, {
    organizationId,
    // Of the organization: what becomes of its sandbox is told in Live mode too.
    action: 'sandbox.created',
    details: {},
  });
}
