import { actorName } from '../../platform/base/actor.ts';
import type { Deps } from '../deps.ts';
import { queueNotices } from '../notices/queue-notices.ts';
import { changeMember, type MemberChange } from './change-member.ts';
import type { PresentedMember } from './present-member.ts';
import * as queries from './queries.ts';
import { roleIdOf } from './role-id.ts';

/**
 * Activates a deactivated member; does nothing if the member is active. A person who never accepted is invited again.
 *
 * @throws OperatorError if the organization or the member does not exist
 */
export async function activateMember(
  deps: Pick<Deps, 'database' | 'clock' | 'ids' | 'tracer'>,
  input: MemberChange,
): Promise<PresentedMember> {
  const change = { ...input, keepsAdmin: false };
  const { member } = await changeMember(deps, change, {
    isDone: ({ deactivated_at, invitation }) => deactivated_at === null || invitation === 'pending',
    async apply(client, { organization_id, member_id, invitation, email, ...row }, { name }) {
      if (invitation === null) return queries.updateDeactivation(client, [organization_id, member_id, null]);
      const details = { organization_name: name, role: roleIdOf(row), by: actorName(input.actor), must_accept: true };
      const notice = { kind: 'member_invited', details } as const;
      await queueNotices(client, deps, { organizationId: organization_id, recipients: [email], notice });
      return queries.updateInvitation(client, [organization_id, member_id, 'pending']);
    },
    event: ({ email, invitation, ...row }) =>
      invitation === null
        ? { action: 'member.activated', details: { email } }
        : { action: 'member.invited', details: { email, role: roleIdOf(row) } },
    alert: 'member_activated',
  });
  return member;
}
