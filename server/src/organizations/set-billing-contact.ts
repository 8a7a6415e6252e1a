import { decodeId } from '../base/ids.ts';
import { OperatorError } from '../base/operator-error.ts';
import { inTransaction } from '../database/connections.ts';
import type { Deps } from '../deps.ts';
import { findOrganization } from './find-organization.ts';
import { type PresentedOrganization, presentOrganization } from './present-organization.ts';
import * as queries from './queries.ts';

/**
 * Orders are attributed to the billing contact while that is an active member, of either role.
 *
 * @throws OperatorError where there is no such organization, or no such active member of it
 */
export async function setBillingContact(
  deps: Pick<Deps, 'database'>,
  input: { organizationId: string; memberId: string },
): Promise<PresentedOrganization> {
  const { organization_id } = await findOrganization(deps, input.organizationId);
  const memberId = decodeId('mem', input.memberId);
  return inTransaction(deps.database.pool, async (client) => {
    await queries.lockOrganization(client, [organization_id]);
    const [member] = memberId === undefined ? [] : await queries.selectMember(client, [organization_id, memberId]);
    if (member === undefined) throw new OperatorError(`${input.organizationId} has no member ${input.memberId}.`);
    if (member.deactivated_at !== null)
      throw new OperatorError(`${input.memberId} is deactivated and cannot be the billing contact; activate it first.`);
    const rows = await queries.updateBillingContact(client, [organization_id, member.member_id]);
    return presentOrganization(rows[0] as queries.OrganizationRow);
  });
}
