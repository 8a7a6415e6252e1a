import type { Actor } from '../../platform/base/actor.ts';
import { inOrganization } from '../../platform/database/in-organization.ts';
import type { Deps } from '../deps.ts';
import { recordEvent } from './actions.ts';
import { findOrganization } from './find-organization.ts';
import { releaseGiftsWithin } from './hold-gifts.ts';
import { type PresentedOrganization, presentOrganization } from './present-organization.ts';
import * as queries from './queries.ts';

/**
 * Ends a suspension; does nothing if the organization is not suspended.
 *
 * @param input.releasesGifts also ends the hold of its gifts; without it the organization cannot order
 * @throws OperatorError if the organization does not exist
 */
export async function reinstateOrganization(
  deps: Pick<Deps, 'database' | 'clock' | 'ids'>,
  { organizationId, actor, releasesGifts = false }: { organizationId: string; actor: Actor; releasesGifts?: boolean },
): Promise<PresentedOrganization> {
  const { organization_id } = await findOrganization(deps, organizationId);
  return inOrganization(deps.database, organization_id, async (client) => {
    const [reinstated] = await queries.reinstateOrganization(client, [organization_id]);
    if (reinstated !== undefined) {
      await recordEvent(client, deps, actor, {
        organizationId: organization_id,
        action: 'organization.reinstated',
        details: {},
      });
      await queries.appendEvent(client, [organization_id, 'organization.reinstated', new Date(deps.clock.now())]);
    }
    if (releasesGifts) await releaseGiftsWithin(client, deps, organization_id, actor);
    const [organization] = await queries.selectOrganization(client, [organization_id]);
    return presentOrganization(organization as queries.OrganizationRow);
  });
}
