import type { PoolClient } from 'pg';
import type { Actor } from '../../platform/base/actor.ts';
import { encodeId } from '../../platform/base/ids.ts';
import { inOrganization } from '../../platform/database/in-organization.ts';
import type { Deps } from '../deps.ts';
import { findOrganization } from '../organizations/find-organization.ts';
import { recordEvent } from './actions.ts';
import * as queries from './queries.ts';

export interface Sandbox {
  organization_id: string;
  created_at: Date;
}

/**
 * Creates the organization's sandbox; does nothing if it exists.
 *
 * @throws OperatorError if the organization does not exist
 */
export async function createSandbox(
  deps: Pick<Deps, 'database' | 'clock' | 'ids'>,
  { organizationId, actor }: { organizationId: string; actor: Actor },
): Promise<Sandbox> {
  const { organization_id } = await findOrganization(deps, organizationId);
  const row = await inOrganization(deps.database, organization_id, async (client) => {
    await openSandbox(client, deps, { organizationId: organization_id, actor });
    const rows = await queries.selectSandbox(client, [organization_id]);
    return rows[0] as queries.SandboxRow;
  });
  return { organization_id: encodeId('org', row.organization_id), created_at: row.created_at };
}

/** Does the same within the caller's transaction. @param owner with the organization's UUID */
export async function openSandbox(
  client: PoolClient,
  deps: Pick<Deps, 'clock' | 'ids'>,
  { organizationId, actor }: { organizationId: string; actor: Actor },
): Promise<void> {
  const [created] = await queries.insertSandbox(client, [organizationId, new Date(deps.clock.now())]);
  if (created === undefined) return;
  await recordEvent(client, deps, actor, {
    organizationId,
    // Recorded for the organization, so Live mode shows it too.
    action: 'sandbox.created',
    details: {},
  });
}
