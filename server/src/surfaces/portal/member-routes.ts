import { Type } from 'typebox';
import type { Deps } from '../../core/deps.ts';
import { EmailDelivery } from '../../core/gifts/gift/schema.ts';
import { activateMember } from '../../core/organizations/activate-member.ts';
import { addMember } from '../../core/organizations/add-member.ts';
import type { MemberChange } from '../../core/organizations/change-member.ts';
import { changeMemberRole } from '../../core/organizations/change-role.ts';
import { deactivateMember } from '../../core/organizations/deactivate-member.ts';
import { findOrganization } from '../../core/organizations/find-organization.ts';
import { listMembers } from '../../core/organizations/list-members.ts';
import { renameOrganization } from '../../core/organizations/rename-organization.ts';
import { setBillingContact } from '../../core/organizations/set-billing-contact.ts';
import { setSecondFactorPolicy } from '../../core/organizations/set-second-factor-policy.ts';
import { setTeam } from '../../core/organizations/set-team.ts';
import type { Member as Caller } from '../../faces/portal-access/access.ts';
import type { Register } from '../../faces/portal-access/register.ts';
import { Name, nullable, Time } from '../../platform/api/schema.ts';
import { Role } from '../../platform/authentication/role-schema.ts';
import { BestowError } from '../../platform/base/errors.ts';
import { encodeId } from '../../platform/base/ids.ts';
import { RateLimiter } from '../../platform/rate-limits/rate-limit.ts';
import { limitAttempts } from './limit-attempts.ts';
import { findPersonNames } from './sign-in/person-names.ts';

// The same rule as in `/v1`.
const Email = Type.Unsafe<string>({ ...EmailDelivery.properties.email, description: 'The invitation goes there.' });

const Member = Type.Object(
  {
    member_id: Type.String(),
    email: Type.String(),
    name: nullable(Type.String({ description: 'As the person set it; only of active members.' })),
    role: Role,
    team_id: nullable(Type.String()),
    is_billing_contact: Type.Boolean({ description: 'Orders are attributed to this member while active.' }),
    created_at: Time,
    deactivated_at: nullable(Time),
    invitation: nullable(
      Type.Union([Type.Literal('pending'), Type.Literal('ended')], {
        description: 'Pending until the person accepts; ended if declined or withdrawn.',
      }),
    ),
  },
  { $id: 'Member' },
);

const PATH = '/organizations/{organization_id}/members';
const ONE = `${PATH}/{member_id}` as const;

/** For each organization: a burst of twenty, then one a minute. Invitations go to any address. */
const INVITATIONS = { perSecond: 1 / 60, burst: 20 };

/** The organization's members, the same in both environments. */
export function memberRoutes(register: Register, deps: Deps): void {
  const invitations = new RateLimiter('invitations', INVITATIONS, deps.clock);

  register(
    {
      method: 'GET',
      path: PATH,
      operationId: 'listMembers',
      tag: 'Members',
      summary: 'All members and invitations: active first, oldest first.',
      access: 'member',
      response: Type.Object({ data: Type.Array(Member) }),
    },
    async ({ params }) => {
      const members = await presentMembers(deps, params.organization_id);
      const isActive = ({ deactivated_at }: { deactivated_at: Date | null }) => deactivated_at === null;
      return { data: [...members.filter(isActive), ...members.filter((member) => !isActive(member))] };
    },
  );

  register(
    {
      method: 'POST',
      path: PATH,
      operationId: 'inviteMember',
      tag: 'Members',
      summary: 'Invites a person by mail. The membership begins when they accept.',
      access: 'member',
      needs: 'members',
      needsFreshSignIn: true,
      body: Type.Object({ email: Email, role: Role }),
      response: Member,
    },
    async ({ params, body: { email, role }, member }) => {
      limitAttempts(
        invitations,
        member.organizationId,
        (wait) => `Too many invitations at once. Try again in ${wait}.`,
      );
      const { organization_id: organizationId } = params;
      const { member_id } = await addMember(deps, { organizationId, email, role, actor: member.actor });
      return findMember(deps, organizationId, member_id);
    },
  );

  registerPolicy(register, deps);
  registerChanges(register, deps);
}

function registerPolicy(register: Register, deps: Deps): void {
  register(
    {
      method: 'PUT',
      path: '/organizations/{organization_id}/name',
      operationId: 'renameOrganization',
      tag: 'Members',
      summary: 'Renames the organization, for members and recipients.',
      access: 'member',
      needs: 'settings',
      needsFreshSignIn: true,
      body: Type.Object({ name: Name }),
    },
    async ({ params, body, member }) => {
      await renameOrganization(deps, {
        organizationId: params.organization_id,
        name: body.name,
        actor: member.actor,
      });
    },
  );

  register(
    {
      method: 'PUT',
      path: '/organizations/{organization_id}/second-factor-policy',
      operationId: 'setSecondFactorPolicy',
      tag: 'Members',
      summary: 'Sets whether every admin needs a second factor. All admins get an email.',
      access: 'member',
      needs: 'members',
      needsFreshSignIn: true,
      body: Type.Object({ is_required: Type.Boolean() }),
    },
    async ({ params, body, member, session }) => {
      if (body.is_required && !session.isTwoFactor) throw new BestowError('second_factor_required');
      await setSecondFactorPolicy(deps, {
        organizationId: params.organization_id,
        isRequired: body.is_required,
        actor: member.actor,
      });
    },
  );
}

function registerChanges(register: Register, deps: Deps): void {
  async function changed(
    { organization_id: organizationId, member_id: memberId }: { organization_id: string; member_id: string },
    { actor }: Caller,
    act: (change: MemberChange) => Promise<unknown>,
  ) {
    await findMember(deps, organizationId, memberId);
    await act({ organizationId, memberId, actor });
    return findMember(deps, organizationId, memberId);
  }

  register(
    {
      method: 'PUT',
      path: `${ONE}/role`,
      operationId: 'changeMemberRole',
      tag: 'Members',
      summary: 'Changes a member’s role; the last active admin stays admin.',
      access: 'member',
      needs: 'members',
      needsFreshSignIn: true,
      body: Type.Object({ role: Role }),
      response: Member,
    },
    ({ params, body: { role }, member }) =>
      changed(params, member, (change) => changeMemberRole(deps, { ...change, role, keepsAdmin: true })),
  );

  register(
    {
      method: 'PUT',
      path: `${ONE}/team`,
      operationId: 'setTeam',
      tag: 'Members',
      summary: 'Puts a member into a team, or into none. Members of a team see what it sends.',
      access: 'member',
      needs: 'members',
      needsFreshSignIn: true,
      body: Type.Object({ team_id: nullable(Type.String({ maxLength: 60 })) }),
      response: Member,
    },
    ({ params, body: { team_id: teamId }, member }) =>
      changed(params, member, (change) => setTeam(deps, { ...change, teamId })),
  );

  for (const [name, operationId, summary, act] of actions)
    register(
      {
        method: 'POST',
        path: `${ONE}/${name}` as const,
        operationId,
        tag: 'Members',
        summary,
        access: 'member',
        needs: 'members',
        needsFreshSignIn: name === 'activate',
        response: Member,
      },
      ({ params, member }) => changed(params, member, (change) => act(deps, change)),
    );
}

type Action = [
  name: string,
  operationId: string,
  summary: string,
  act: (deps: Deps, change: MemberChange) => Promise<unknown>,
];

const actions: Action[] = [
  [
    'deactivate',
    'deactivateMember',
    'Deactivates a member at once; the last active admin stays.',
    (deps, change) => deactivateMember(deps, { ...change, keepsAdmin: true }),
  ],
  ['activate', 'activateMember', 'Reactivates a member with the previous role.', activateMember],
  ['billing-contact', 'setBillingContact', 'Makes an active member the billing contact.', setBillingContact],
];

async function presentMembers(deps: Deps, organizationId: string) {
  const [{ billing_contact_member_id: contact }, members] = await Promise.all([
    findOrganization(deps, organizationId),
    listMembers(deps, organizationId),
  ]);
  const contactId = contact === null ? undefined : encodeId('mem', contact);
  // An invitation must not reveal the name of its person.
  const active = members.filter(({ deactivated_at }) => deactivated_at === null);
  const names = await findPersonNames(
    deps,
    active.map(({ email }) => email),
  );
  return members.map(({ organization_id: _, ...member }) => ({
    ...member,
    name: member.deactivated_at === null ? (names.get(member.email.toLowerCase()) ?? null) : null,
    is_billing_contact: member.member_id === contactId,
  }));
}

/** @throws BestowError `not_found` */
async function findMember(deps: Deps, organizationId: string, memberId: string) {
  const found = (await presentMembers(deps, organizationId)).find(({ member_id }) => member_id === memberId);
  if (found === undefined) throw new BestowError('not_found');
  return found;
}
