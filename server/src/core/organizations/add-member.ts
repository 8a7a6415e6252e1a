import type { RoleId } from '../../platform/authentication/roles.ts';
import { type Actor, actorName } from '../../platform/base/actor.ts';
import { OperatorError } from '../../platform/base/operator-error.ts';
import { inOrganization } from '../../platform/database/in-organization.ts';
import type { Deps } from '../deps.ts';
import { queueNotices } from '../notices/queue-notices.ts';
import { recordEvent } from './actions.ts';
import { alertAdmins } from './alert-admins.ts';
import { findOrganization } from './find-organization.ts';
import { type PresentedMember, presentMember } from './present-member.ts';
import { insertMember, type MemberRow, selectMemberByEmail } from './queries.ts';
import { findRole } from './role-id.ts';

/**
 * Adds a member and emails the invitation. The membership begins when the person accepts, or at once if the operator adds
 * the member.
 *
 * @throws OperatorError if the organization does not exist or already has a member with this address
 */
export async function addMember(
  deps: Pick<Deps, 'database' | 'clock' | 'ids' | 'tracer'>,
  input: { organizationId: string; email: string; role: RoleId; actor: Actor },
): Promise<PresentedMember> {
  const { organization_id, name } = await findOrganization(deps, input.organizationId);
  const { email, role, actor } = input;
  const isInvited = actor.kind !== 'operator';
  return inOrganization(deps.database, organization_id, async (client) => {
    const createdAt = new Date(deps.clock.now());
    const { stored, customRoleId, name: roleName } = await findRole(client, organization_id, role);
    const [added] = await insertMember(client, [
      organization_id,
      deps.ids.next(),
      email,
      stored,
      createdAt,
      isInvited,
      customRoleId,
    ]);
    if (added === undefined)
      throw alreadyMember(email, (await selectMemberByEmail(client, [organization_id, email]))[0]);
    const member = presentMember(added);
    await recordEvent(client, deps, actor, {
      organizationId: organization_id,
      action: isInvited ? 'member.invited' : 'member.added',
      target: member.member_id,
      details: { email, role, ...(roleName !== undefined && { role_name: roleName }) },
    });
    const details = { organization_name: name, role, by: actorName(actor), ...(isInvited && { must_accept: true }) };
    const notice = { kind: 'member_invited', details } as const;
    await queueNotices(client, deps, { organizationId: organization_id, recipients: [email], notice });
    if (role === 'admin') {
      const organization = { organization_id, name };
      await alertAdmins(client, deps, {
        organization,
        change: isInvited ? 'admin_invited' : 'admin_added',
        about: email,
        actor,
      });
    }
    return member;
  });
}

function alreadyMember(email: string, earlier: MemberRow | undefined): OperatorError {
  if (earlier?.invitation === 'pending') return new OperatorError(`${email} is already invited.`);
  const advice = earlier?.deactivated_at ? ' but deactivated; activate them instead' : '';
  return new OperatorError(`${email} is already a member${advice}.`);
}
