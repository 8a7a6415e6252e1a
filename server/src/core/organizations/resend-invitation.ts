import { type Actor, actorName } from '../../platform/base/actor.ts';
import { decodeId } from '../../platform/base/ids.ts';
import { OperatorError } from '../../platform/base/operator-error.ts';
import { inOrganization } from '../../platform/database/in-organization.ts';
import type { Deps } from '../deps.ts';
import { queueNotices } from '../notices/queue-notices.ts';
import { recordEvent } from './actions.ts';
import { findOrganization } from './find-organization.ts';
import { type PresentedMember, presentMember } from './present-member.ts';
import { selectMember } from './queries.ts';
import { roleIdOf } from './role-id.ts';

/**
 * Emails a person once more that they are invited, or were added. The person need not answer the new mail instead of the first.
 *
 * @param input `org_…` and `mem_…` ids
 * @throws OperatorError if there is no such member, or the membership has ended
 */
export async function resendInvitation(
  deps: Pick<Deps, 'database' | 'clock' | 'ids' | 'tracer'>,
  { organizationId, memberId, actor }: { organizationId: string; memberId: string; actor: Actor },
): Promise<PresentedMember> {
  const { organization_id, name } = await findOrganization(deps, organizationId);
  const uuid = decodeId('mem', memberId);
  return inOrganization(deps.database, organization_id, async (client) => {
    const [row] = uuid === undefined ? [] : await selectMember(client, [organization_id, uuid]);
    if (row === undefined) throw new OperatorError(`There is no member ${memberId}.`);
    const isInvited = row.invitation === 'pending';
    if (!isInvited && row.deactivated_at !== null)
      throw new OperatorError(`The membership of ${row.email} has ended; invite the person again.`);
    const { email } = row;
    const details = {
      organization_name: name,
      role: roleIdOf(row),
      by: actorName(actor),
      ...(isInvited && { must_accept: true }),
    };
    await queueNotices(client, deps, {
      organizationId: organization_id,
      recipients: [email],
      notice: { kind: 'member_invited', details },
    });
    const action = 'invitation.resent';
    await recordEvent(client, deps, actor, {
      organizationId: organization_id,
      action,
      target: memberId,
      details: { email },
    });
    return presentMember(row);
  });
}
