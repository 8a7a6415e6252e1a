import type { Actor } from '../../platform/base/actor.ts';
import { decodeId } from '../../platform/base/ids.ts';
import { OperatorError } from '../../platform/base/operator-error.ts';
import { inOrganization } from '../../platform/database/in-organization.ts';
import type { Deps } from '../deps.ts';
import { recordEvent } from './actions.ts';
import { findOrganization } from './find-organization.ts';
import { lockOrganization } from './lock-organization.ts';
import { type PresentedOrganization, presentOrganization } from './present-organization.ts';
import * as queries from './queries.ts';

/**
 * Sets the billing contact. Orders are attributed to the billing contact, an active member of either role.
 *
 * @throws OperatorError if the organization or an active member with this id does not exist
 */
export async function setBillingContact(
  deps: Pick<Deps, 'database' | 'clock' | 'ids'>,
  input: { organizationId: string; memberId: string; actor: Actor },
): Promise<PresentedOrganization> {
  const { organization_id } = await findOrganization(deps, input.organizationId);
  const memberId = decodeId('mem', input.memberId);
  return inOrganization(deps.database, organization_id, async (client) => {
    await lockOrganization(client, organization_id);
    const [member] = memberId === undefined ? [] : await queries.selectMember(client, [organization_id, memberId]);
    if (member === undefined) throw new OperatorError(`${input.organizationId} has no member ${input.memberId}.`);
    if (member.deactivated_at !== null)
      throw new OperatorError(`${member.email} is deactivated and cannot be the billing contact; activate them first.`);
    const [changed] = await queries.updateBillingContact(client, [organization_id, member.member_id]);
    if (changed !== undefined)
      await recordEvent(client, deps, input.actor, {
        organizationId: organization_id,
        action: 'billing_contact.set',
        target: input.memberId,
        details: { email: member.email },
      });
    const rows = changed ? [changed] : await queries.selectOrganization(client, [organization_id]);
    return presentOrganization(rows[0] as queries.OrganizationRow);
  });
}
