import { OperatorError } from '../base/operator-error.ts';
import { inTransaction } from '../database/connections.ts';
import type { Deps } from '../deps.ts';
import { findMember } from './find-member.ts';
import { type PresentedMember, presentMember } from './present-member.ts';
import * as queries from './queries.ts';

/**
 * Ends a member's part in the organization; deactivating again keeps the first time.
 *
 * @returns the member, and whether this left the organization without an active admin
 * @throws OperatorError where there is no such member
 */
export async function deactivateMember(
  deps: Pick<Deps, 'database' | 'clock'>,
  id: string,
): Promise<{ member: PresentedMember; wasLastActiveAdmin: boolean }> {
  const { organizationId, memberId } = await findMember(deps, id);
  return inTransaction(deps.database.pool, async (client) => {
    // Two admins deactivated at the same moment: the second must see the first.
    await queries.lockOrganization(client, [organizationId]);
    const [before] = await queries.selectMember(client, [organizationId, memberId]);
    if (before === undefined) throw new OperatorError(`There is no member ${id}.`);
    if (before.deactivated_at !== null) return { member: presentMember(before), wasLastActiveAdmin: false };
    const now = new Date(deps.clock.now());
    const [after] = await queries.updateDeactivation(client, [organizationId, memberId, now]);
    const [admins] = await queries.countActiveAdmins(client, [organizationId]);
    return {
      member: presentMember(after as queries.MemberRow),
      wasLastActiveAdmin: before.role === 'admin' && admins?.count === 0,
    };
  });
}
