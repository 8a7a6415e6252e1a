import { forgetViewsBy } from '../../../capabilities/gift-views/forget-views.ts';
import type { Deps } from '../../../core/deps.ts';
import { deleteNoticesTo } from '../../../core/notices/delete-notices-to.ts';
import { changeMember, type MemberChange } from '../../../core/organizations/change-member.ts';
import { eraseAddress, isErased } from '../../../core/organizations/erase-address.ts';
import { findEveryMembership } from '../../../core/organizations/find-memberships.ts';
import type { PresentedMember } from '../../../core/organizations/present-member.ts';
import { deleteFailures, deleteFlowsOf } from './flow-queries.ts';
import { deletePerson } from './queries.ts';

/**
 * Deactivates a member and erases the address, with the mails to it; and the person's sign-in, if no other organization has
 * them as an active member. The audit log keeps who changed what. The erased address cannot be restored.
 *
 * @throws OperatorError if the organization or the member does not exist, or the last active admin must stay
 */
export async function eraseMember(
  deps: Pick<Deps, 'database' | 'clock' | 'ids' | 'tracer'>,
  input: MemberChange,
): Promise<PresentedMember> {
  let address: string | undefined;
  const { member } = await changeMember(
    deps,
    { ...input, keepsAdmin: true },
    {
      isDone: isErased,
      async apply(client, before) {
        address = before.email;
        await deleteNoticesTo(client, before.organization_id, before.email);
        await forgetViewsBy(client, before.organization_id, before.member_id);
        return eraseAddress(client, deps, before);
      },
      event: () => ({ action: 'member.erased', details: {} }),
    },
  );
  if (address !== undefined && (await findEveryMembership(deps, address)).length === 0)
    for (const erase of [deletePerson, deleteFlowsOf, deleteFailures]) await erase(deps.database.home, [address]);
  return member;
}
