import type { Actor } from '../../platform/base/actor.ts';
import { inOrganization } from '../../platform/database/in-organization.ts';
import type { Deps } from '../deps.ts';
import { recordEvent } from './actions.ts';
import { findOrganization } from './find-organization.ts';
import { holdGiftsWithin } from './hold-gifts.ts';
import { type PresentedOrganization, presentOrganization } from './present-organization.ts';
import * as queries from './queries.ts';

/**
 * Suspends an organization: from the next request on, its keys are refused and its portal is read-only. Suspending again
 * keeps the first timestamp.
 *
 * @param input.holdsGifts also holds all its unclaimed gifts
 * @throws OperatorError if the organization does not exist
 */
export async function suspendOrganization(
  deps: Pick<Deps, 'database' | 'clock' | 'ids'>,
  { organizationId, actor, holdsGifts = false }: { organizationId: string; actor: Actor; holdsGifts?: boolean },
): Promise<PresentedOrganization> {
  const { organization_id } = await findOrganization(deps, organizationId);
  return inOrganization(deps.database, organization_id, async (client) => {
    const suspendedAt = new Date(deps.clock.now());
    const [suspended] = await queries.suspendOrganization(client, [organization_id, suspendedAt]);
    if (suspended !== undefined) {
      await recordEvent(client, deps, actor, {
        organizationId: organization_id,
        action: 'organization.suspended',
        details: {},
      });
      await queries.appendEvent(client, [organization_id, 'organization.suspended', suspendedAt]);
    }
    if (holdsGifts) await holdGiftsWithin(client, deps, organization_id, actor);
    const [organization] = await queries.selectOrganization(client, [organization_id]);
    return presentOrganization(organization as queries.OrganizationRow);
  });
}
