import { activateMember } from '../../src/core/organizations/activate-member.ts';
import { addMember } from '../../src/core/organizations/add-member.ts';
import { answerInvitation } from '../../src/core/organizations/answer-invitation.ts';
import { changeMemberRole } from '../../src/core/organizations/change-role.ts';
import { changeCustomRole, createCustomRole, removeCustomRole } from '../../src/core/organizations/custom-roles.ts';
import { deactivateMember } from '../../src/core/organizations/deactivate-member.ts';
import { resendInvitation } from '../../src/core/organizations/resend-invitation.ts';
import { setBillingContact } from '../../src/core/organizations/set-billing-contact.ts';
import { setSecondFactorPolicy } from '../../src/core/organizations/set-second-factor-policy.ts';
import type { Actor } from '../../src/platform/base/actor.ts';
import type { Environment } from '../../src/platform/base/environment.ts';
import type { Action } from '../../src/surfaces/audit-log.ts';
import type { AllDeps } from '../../src/surfaces/deps.ts';
import { eraseMember } from '../../src/surfaces/portal/sign-in/erase-member.ts';
import { resetSignIn } from '../../src/surfaces/portal/sign-in/reset-sign-in.ts';
import { memberOf } from './audit-log.ts';
import { OPERATOR } from './operator.ts';
import type { TestOrganization } from './test-service.ts';

/** An act and its event in the audit log. */
export interface AuditedAct {
  /** Prepares the act; its id is passed to the act. */
  prepare?(deps: AllDeps, organization: TestOrganization): Promise<string | undefined>;
  act(deps: AllDeps, organization: TestOrganization, actor: Actor, prepared: string): Promise<unknown>;
  /** The changed id: `prepared`, the organization's, a prefix, or undefined. */
  target: 'prepared' | 'organization' | `${string}_` | null;
  environment: Environment | null;
  sentence: string;
  /** True if repeating the act is another change. */
  isRepeatable?: boolean;
  /** Who can do it, if not both. */
  only?: 'member' | 'operator';
  /** Who is recorded, if not the actor. */
  by?: string;
}

/** About the organization as a whole. */
export const ofOrganization = { target: null, environment: null } as const;

const BOB = 'bob@example.com';

async function addColleague(deps: AllDeps, { organizationId }: TestOrganization, role: 'admin' | 'member') {
  const added = await addMember(deps, { organizationId, email: BOB, role, actor: OPERATOR });
  return added.member_id;
}

async function addPerson({ database }: AllDeps, email: string): Promise<string> {
  const text = `insert into portal.users (name, email, email_verified) values ('', $1, true)
    on conflict (email) do update set name = '' returning id`;
  return (await database.home.query(text, [email])).rows[0].id;
}

const invite: AuditedAct['act'] = (deps, { organizationId }, actor) =>
  addMember(deps, { organizationId, email: BOB, role: 'admin', actor });

async function inviteFirst(deps: AllDeps, organization: TestOrganization) {
  const { organizationId } = organization;
  const actor = memberOf(organization);
  return (await addMember(deps, { organizationId, email: BOB, role: 'admin', actor })).member_id;
}

const answer = (deps: AllDeps, organizationId: string, isAccepted: boolean) =>
  answerInvitation(deps, { organizationId, email: BOB, address: '203.0.113.7', isAccepted });

type MemberAction = Extract<
  Exclude<Action, 'member.team_set'>,
  `member.${string}` | `invitation.${string}` | `role.${string}` | 'billing_contact.set' | 'second_factor_policy.set'
>;

export const auditedMemberActs: { [Name in MemberAction]: AuditedAct } = {
  'billing_contact.set': {
    prepare: (deps, organization) => addColleague(deps, organization, 'member'),
    act: (deps, { organizationId }, actor, memberId) => setBillingContact(deps, { organizationId, memberId, actor }),
    target: 'prepared',
    environment: null,
    sentence: 'Made bob@example.com the billing contact',
  },
  'member.added': {
    act: invite,
    target: 'mem_',
    environment: null,
    sentence: 'Added bob@example.com as an admin',
    only: 'operator',
  },
  'member.invited': {
    act: invite,
    target: 'mem_',
    environment: null,
    sentence: 'Invited bob@example.com as an admin',
    only: 'member',
  },
  'invitation.accepted': {
    prepare: inviteFirst,
    act: (deps, { organizationId }) => answer(deps, organizationId, true),
    ...ofOrganization,
    sentence: 'Accepted the invitation',
    only: 'member',
    by: BOB,
  },
  'invitation.declined': {
    prepare: inviteFirst,
    act: (deps, { organizationId }) => answer(deps, organizationId, false),
    ...ofOrganization,
    sentence: 'Declined the invitation',
    only: 'member',
    by: BOB,
  },
  'invitation.withdrawn': {
    prepare: inviteFirst,
    act: (deps, { organizationId }, actor, memberId) =>
      deactivateMember(deps, { organizationId, memberId, actor, keepsAdmin: true }),
    target: 'prepared',
    environment: null,
    sentence: 'Withdrew the invitation of bob@example.com',
  },
  'invitation.resent': {
    prepare: inviteFirst,
    act: (deps, { organizationId }, actor, memberId) => resendInvitation(deps, { organizationId, memberId, actor }),
    target: 'prepared',
    environment: null,
    sentence: 'Invited bob@example.com once more',
    isRepeatable: true,
  },
  'member.deactivated': {
    prepare: (deps, organization) => addColleague(deps, organization, 'admin'),
    act: (deps, { organizationId }, actor, memberId) =>
      deactivateMember(deps, { organizationId, memberId, actor, keepsAdmin: true }),
    target: 'prepared',
    environment: null,
    sentence: 'Deactivated bob@example.com',
  },
  'member.activated': {
    async prepare(deps, organization) {
      const { organizationId } = organization;
      const memberId = await addColleague(deps, organization, 'member');
      await deactivateMember(deps, { organizationId, memberId, actor: OPERATOR, keepsAdmin: true });
      return memberId;
    },
    act: (deps, { organizationId }, actor, memberId) => activateMember(deps, { organizationId, memberId, actor }),
    target: 'prepared',
    environment: null,
    sentence: 'Activated bob@example.com again',
  },
  'member.role_changed': {
    prepare: (deps, organization) => addColleague(deps, organization, 'member'),
    act: (deps, { organizationId }, actor, memberId) =>
      changeMemberRole(deps, { organizationId, memberId, role: 'admin', actor, keepsAdmin: true }),
    target: 'prepared',
    environment: null,
    sentence: 'Made bob@example.com an admin',
  },
  'member.erased': {
    prepare: (deps, organization) => addColleague(deps, organization, 'member'),
    act: (deps, { organizationId }, actor, memberId) => eraseMember(deps, { organizationId, memberId, actor }),
    target: 'prepared',
    environment: null,
    sentence: 'Erased the address of a member',
  },
  'member.sign_in_reset': {
    async prepare(deps, organization) {
      const memberId = await addColleague(deps, organization, 'member');
      await addPerson(deps, 'bob@example.com');
      return memberId;
    },
    act: (deps, { organizationId }, actor, memberId) => resetSignIn(deps, { organizationId, memberId, actor }),
    target: 'prepared',
    environment: null,
    sentence: 'Reset the sign-in of bob@example.com',
  },
  'second_factor_policy.set': {
    act: (deps, { organizationId }, actor) => setSecondFactorPolicy(deps, { organizationId, isRequired: true, actor }),
    ...ofOrganization,
    sentence: 'Required a second factor of every admin',
  },
  'role.created': {
    act: (deps, { organizationUuid: organizationId }, actor) =>
      createCustomRole(deps, { organizationId, name: 'Front desk', permissions: ['gifts', 'manage'], actor }),
    target: 'role_',
    environment: null,
    sentence: 'Created the role “Front desk”: gifts, manage',
  },
  'role.changed': {
    prepare: addRole,
    act: (deps, { organizationUuid: organizationId }, actor, roleId) =>
      changeCustomRole(deps, { organizationId, roleId, name: 'Desk', permissions: ['gifts'], actor }),
    target: 'prepared',
    environment: null,
    sentence: 'Changed the role “Desk”: gifts',
  },
  'role.removed': {
    prepare: addRole,
    act: (deps, { organizationUuid: organizationId }, actor, roleId) =>
      removeCustomRole(deps, { organizationId, roleId, actor }),
    target: 'prepared',
    environment: null,
    sentence: 'Removed the role “Front desk”',
  },
};

async function addRole(deps: AllDeps, { organizationUuid: organizationId }: TestOrganization): Promise<string> {
  const input = { organizationId, name: 'Front desk', permissions: ['gifts', 'manage'], actor: OPERATOR } as const;
  return (await createCustomRole(deps, input)).role_id;
}
