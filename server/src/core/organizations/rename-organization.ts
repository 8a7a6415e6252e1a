import type { Actor } from '../../platform/base/actor.ts';
import { inOrganization } from '../../platform/database/in-organization.ts';
import type { Deps } from '../deps.ts';
import { recordEvent } from './actions.ts';
import { findOrganization } from './find-organization.ts';
import { type PresentedOrganization, presentOrganization } from './present-organization.ts';
import * as queries from './queries.ts';

/**
 * Renames an organization. Later gifts without a sender’s name have the new one; those that were ordered keep the earlier one.
 * The same name again changes nothing.
 *
 * @param input.name 1 to 200 characters on one line
 * @throws OperatorError if the organization does not exist
 */
export async function renameOrganization(
  deps: Pick<Deps, 'database' | 'clock' | 'ids'>,
  { organizationId, name, actor }: { organizationId: string; name: string; actor: Actor },
): Promise<PresentedOrganization> {
  const { organization_id } = await findOrganization(deps, organizationId);
  return inOrganization(deps.database, organization_id, async (client) => {
    const [before] = await queries.lockName(client, [organization_id]);
    if (before !== undefined && before.name !== name) {
      await queries.updateName(client, [organization_id, name]);
      await recordEvent(client, deps, actor, {
        organizationId: organization_id,
        action: 'organization.renamed',
        details: { name, before: before.name },
      });
    }
    const [organization] = await queries.selectOrganization(client, [organization_id]);
    return presentOrganization(organization as queries.OrganizationRow);
  });
}
