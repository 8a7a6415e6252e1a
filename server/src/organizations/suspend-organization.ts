import { recordEvent } from '../audit/record-event.ts';
import type { Actor } from '../base/actor.ts';
import { inTransaction } from '../database/connections.ts';
import type { Deps } from '../deps.ts';
import { findOrganization } from './find-organization.ts';
import { type PresentedOrganization, presentOrganization } from './present-organization.ts';
import * as queries from './queries.ts';

/**
 * Suspends an organization: from the next request on, its keys are refused and its portal is read-only. Suspending again
 * keeps the first timestamp.
 *
 * @throws OperatorError if the organization does not exist
 */
export async function suspendOrganization(
  deps: Pick<Deps, 'database' | 'clock' | 'ids'>,
  { organizationId, actor }: { organizationId: string; actor: Actor },
): Promise<PresentedOrganization> {
  const { organization_id } = await findOrganization(deps, organizationId);
  return inTransaction(deps.database.pool, async (client) => {
    const suspendedAt = new Date(deps.clock.now());
    const [suspended] = await queries.suspendOrganization(client, [organization_id, suspendedAt]);
    if (suspended !== undefined)
      await recordEvent(client, deps, actor, {
        organizationId: organization_id,
        action: 'organization.suspended',
        details: {},
      });
    const rows = suspended ? [suspended] : await queries.selectOrganization(client, [organization_id]);
    return presentOrganization(rows[0] as queries.OrganizationRow);
  });
}
