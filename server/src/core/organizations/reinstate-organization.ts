import { recordEvent } from '../../platform/audit/record-event.ts';
import type { Actor } from '../../platform/base/actor.ts';
import { inOrganization } from '../../platform/database/in-organization.ts';
import type { Deps } from '../deps.ts';
import { findOrganization } from './find-organization.ts';
import { type PresentedOrganization, presentOrganization } from './present-organization.ts';
import * as queries from './queries.ts';

/**
 * Ends a suspension; does nothing if the organization is not suspended.
 *
 * @throws OperatorError if the organization does not exist
 */
export async function reinstateOrganization(
  deps: Pick<Deps, 'database' | 'clock' | 'ids'>,
  { organizationId, actor }: { organizationId: string; actor: Actor },
): Promise<PresentedOrganization> {
  const { organization_id } = await findOrganization(deps, organizationId);
  return inOrganization(deps.database, organization_id, async (client) => {
    const [reinstated] = await queries.reinstateOrganization(client, [organization_id]);
    if (reinstated !== undefined)
      await recordEvent(client, deps, actor, {
        organizationId: organization_id,
        action: 'organization.reinstated',
        details: {},
      });
    const rows = reinstated ? [reinstated] : await queries.selectOrganization(client, [organization_id]);
    return presentOrganization(rows[0] as queries.OrganizationRow);
  });
}
