import { Type } from 'typebox';
import { EmailDelivery } from '../../core/gifts/gift/schema.ts';
import { activateMember } from '../../core/organizations/activate-member.ts';
import { addMember } from '../../core/organizations/add-member.ts';
import type { MemberChange } from '../../core/organizations/change-member.ts';
import { changeMemberRole } from '../../core/organizations/change-role.ts';
import { deactivateMember } from '../../core/organizations/deactivate-member.ts';
import { findMember } from '../../core/organizations/find-member.ts';
import { resendInvitation } from '../../core/organizations/resend-invitation.ts';
import { setBillingContact } from '../../core/organizations/set-billing-contact.ts';
import { Reason } from '../../faces/operator-acts/schemas.ts';
import { Role } from '../../platform/authentication/role-schema.ts';
import { BestowError } from '../../platform/base/errors.ts';
import type { AllDeps } from '../deps.ts';
import { resetSignIn } from '../portal/sign-in/reset-sign-in.ts';
import type { OperatorRegister } from './register.ts';

const PATH = '/organizations/{organization_id}/members';
const ONE = `${PATH}/{member_id}` as const;

/** By the last part of the path. */
const acts = [
  ['activate', 'activateMember', 'Reactivates a member.', activateMember],
  [
    'deactivate',
    'deactivateMember',
    'Deactivates a member at once.',
    (deps: AllDeps, change: MemberChange) => deactivateMember(deps, { ...change, keepsAdmin: false }),
  ],
  [
    'invite-again',
    'resendInvitation',
    'Emails a person once more that they are invited or were added.',
    resendInvitation,
  ],
  [
    'reset-sign-in',
    'resetSignIn',
    'Removes a person’s authenticator app, recovery codes, passkeys and sessions. All admins get a mail.',
    resetSignIn,
  ],
  ['billing-contact', 'setBillingContact', 'Attributes the organization’s orders to a member.', setBillingContact],
] as const;

/** Changes of members, as `bestow member` makes them. */
export function memberActs(register: OperatorRegister, deps: AllDeps): void {
  register(
    {
      method: 'POST',
      path: PATH,
      operationId: 'addMember',
      tag: 'Members',
      summary: 'Adds an active member, such as another first admin, who gets a mail.',
      body: Type.Object({
        email: Type.Unsafe<string>({ ...EmailDelivery.properties.email, description: 'The mail goes there.' }),
        role: Role,
        reason: Reason,
      }),
      response: Type.Object({ member_id: Type.String() }),
    },
    ({ params, body: { email, role }, actor }) =>
      addMember(deps, { organizationId: params.organization_id, email, role, actor }),
  );

  register(
    {
      method: 'PUT',
      path: `${ONE}/role`,
      operationId: 'changeMemberRole',
      tag: 'Members',
      summary: 'Changes a member’s role.',
      body: Type.Object({ role: Role, reason: Reason }),
    },
    ({ params, body: { role }, actor }) =>
      changed(deps, params, actor, (change) => changeMemberRole(deps, { ...change, role, keepsAdmin: false })),
  );

  for (const [name, operationId, summary, act] of acts)
    register(
      {
        method: 'POST',
        path: `${ONE}/${name}`,
        operationId,
        tag: 'Members',
        summary,
        body: Type.Object({ reason: Reason }),
      },
      ({ params, actor }) => changed(deps, params, actor, (change) => act(deps, change)),
    );
}

/** @throws BestowError `not_found` if the member is of another organization */
async function changed(
  deps: AllDeps,
  { organization_id: organizationId, member_id: memberId }: { organization_id: string; member_id: string },
  actor: MemberChange['actor'],
  act: (change: MemberChange) => Promise<unknown>,
): Promise<void> {
  const found = await findMember(deps, memberId);
  if (found.organizationId !== organizationId) throw new BestowError('not_found');
  await act({ organizationId, memberId, actor });
}
