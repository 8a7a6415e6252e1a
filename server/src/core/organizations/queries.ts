import type { StoredRole } from '../../platform/authentication/roles.ts';
import { foldAddress } from '../../platform/database/folding.ts';
import { statement, statementOnEachShard } from '../../platform/database/statement.ts';
import { appendEvents } from '../../platform/events/append-events.ts';
import type { EventType } from '../../platform/events/event-types.ts';

export interface OrganizationRow {
  organization_id: string;
  name: string;
  billing_contact_member_id: string | null;
  created_at: Date;
  /** Null unless the organization is suspended. */
  suspended_at: Date | null;
  /** Null unless its unclaimed gifts are on hold. */
  gifts_held_at: Date | null;
}

export interface MemberRow {
  organization_id: string;
  member_id: string;
  email: string;
  role: StoredRole;
  /** Set if the role is `custom`. */
  custom_role_id: string | null;
  team_id: string | null;
  created_at: Date;
  /** Null while the member is active. */
  deactivated_at: Date | null;
  /** Pending until the person answers; ended if declined or withdrawn. Such members are deactivated. */
  invitation: 'pending' | 'ended' | null;
}

const organizationColumns = 'organization_id, name, billing_contact_member_id, created_at, suspended_at, gifts_held_at';
const memberColumns =
  'organization_id, member_id, email, role, custom_role_id, team_id, created_at, deactivated_at, invitation';

export const insertOrganization = statement<[organizationId: string, name: string, createdAt: Date]>(
  'organizations.insert',
  'insert into organizations (organization_id, name, created_at) values ($1, $2, $3)',
);

export const selectOrganization = statement<[organizationId: string], OrganizationRow>(
  'organizations.select',
  `select ${organizationColumns} from organizations where organization_id = $1`,
);

export interface OrganizationSummaryRow extends OrganizationRow {
  active_members: number;
  active_keys: number;
  has_sandbox: boolean;
}

export const selectOrganizations = statementOnEachShard<[now: Date], OrganizationSummaryRow>(
  'organizations.list',
  'the operator lists all organizations',
  `select o.organization_id, o.name, o.billing_contact_member_id, o.created_at, o.suspended_at,
     o.gifts_held_at,
     (select count(*)::integer from members m
      where m.organization_id = o.organization_id and m.deactivated_at is null) as active_members,
     (select count(*)::integer from api_keys k
      where k.organization_id = o.organization_id and k.grant_id is null and k.revoked_at is null
        and (k.expires_at > $1) is not false) as active_keys,
     exists (select from sandboxes s where s.organization_id = o.organization_id) as has_sandbox
   from organizations o
   order by o.organization_id`,
);

export const selectOrganizationNames = statementOnEachShard<[], { organization_id: string; name: string }>(
  'organizations.list_names',
  'the operator names an organization by its name or a part of its id',
  'select organization_id, name from organizations order by organization_id',
);

/** Tells both environments; the last statement of its transaction that locks. */
export const appendEvent = statement<
  [organizationId: string, type: EventType & `organization.${string}`, now: Date],
  { last_sequence: number }
>(
  'organizations.append_event',
  `with ${appendEvents(`select $1::uuid as organization_id, e.environment, $2::text as type, null::uuid as order_id,
       null::uuid as gift_id, null::jsonb as data, $3::timestamptz as created_at, 0 as position
     from unnest(enum_range(null::environment)) as e (environment)`)}
   select last_sequence from event_counter where organization_id = $1`,
);

/** Returns no row if the organization is already suspended. */
export const suspendOrganization = statement<[organizationId: string, suspendedAt: Date], OrganizationRow>(
  'organizations.suspend',
  `update organizations set suspended_at = $2
   where organization_id = $1 and suspended_at is null
   returning ${organizationColumns}`,
);

/** Returns no row if the organization is not suspended. */
export const reinstateOrganization = statement<[organizationId: string], OrganizationRow>(
  'organizations.reinstate',
  `update organizations set suspended_at = null
   where organization_id = $1 and suspended_at is not null
   returning ${organizationColumns}`,
);

/** Waits for claims under way. Returns no row if the gifts are already on hold. */
export const holdGifts = statement<[organizationId: string, heldAt: Date], { organization_id: string }>(
  'organizations.hold_gifts',
  `update organizations set gifts_held_at = $2
   where organization_id = $1 and gifts_held_at is null
   returning organization_id`,
);

/** Returns no row if the gifts are not on hold. */
export const releaseGifts = statement<[organizationId: string], { organization_id: string }>(
  'organizations.release_gifts',
  `update organizations set gifts_held_at = null
   where organization_id = $1 and gifts_held_at is not null
   returning organization_id`,
);

/** Returns no row if nothing changes. */
export const updateBillingContact = statement<[organizationId: string, memberId: string], OrganizationRow>(
  'organizations.update_billing_contact',
  `update organizations set billing_contact_member_id = $2
   where organization_id = $1 and billing_contact_member_id is distinct from $2
   returning ${organizationColumns}`,
);

/** Returns no row if nothing changes. */
export const updateSecondFactorPolicy = statement<[organizationId: string, isRequired: boolean], OrganizationRow>(
  'organizations.update_second_factor_policy',
  `update organizations set requires_second_factor = $2
   where organization_id = $1 and requires_second_factor <> $2
   returning ${organizationColumns}`,
);

export const lockName = statement<[organizationId: string], { name: string }>(
  'organizations.lock_name',
  'select name from organizations where organization_id = $1 for no key update',
);

export const updateName = statement<[organizationId: string, name: string]>(
  'organizations.update_name',
  'update organizations set name = $2 where organization_id = $1',
);

export const lockOrganization = statement<[organizationId: string], { organization_id: string }>(
  'organizations.lock',
  'select organization_id from organizations where organization_id = $1 for no key update',
);

/** Returns no row if the organization has a member with this address, compared without case. */
export const insertMember = statement<
  [
    organizationId: string,
    memberId: string,
    email: string,
    role: StoredRole,
    createdAt: Date,
    isInvited: boolean,
    customRoleId: string | null,
  ],
  MemberRow
>(
  'members.insert',
  `insert into members (organization_id, member_id, email, role, created_at, deactivated_at, invitation, custom_role_id)
   values ($1, $2, $3, $4, $5, case when $6::boolean then $5::timestamptz end, case when $6 then 'pending' end, $7)
   on conflict (organization_id, ${foldAddress('email')}) do nothing
   returning ${memberColumns}`,
);

export const selectMembers = statement<[organizationId: string], MemberRow>(
  'members.list',
  `select ${memberColumns} from members where organization_id = $1 order by created_at, member_id`,
);

export const selectMemberByEmail = statement<[organizationId: string, email: string], MemberRow>(
  'members.select_by_email',
  `select ${memberColumns} from members where organization_id = $1 and ${foldAddress('email')} = ${foldAddress('$2')}`,
);

export const selectMemberOrganization = statementOnEachShard<[memberId: string], { organization_id: string }>(
  'members.select_organization',
  'the operator names a member by its id alone',
  'select organization_id from members where member_id = $1',
);

export const selectMember = statement<[organizationId: string, memberId: string], MemberRow>(
  'members.select',
  `select ${memberColumns} from members where organization_id = $1 and member_id = $2`,
);

export const updateDeactivation = statement<
  [organizationId: string, memberId: string, deactivatedAt: Date | null],
  MemberRow
>(
  'members.update_deactivation',
  `update members set deactivated_at = $3
   where organization_id = $1 and member_id = $2
   returning ${memberColumns}`,
);

export const updateInvitation = statement<
  [organizationId: string, memberId: string, invitation: 'pending' | 'ended'],
  MemberRow
>(
  'members.update_invitation',
  `update members set invitation = $3 where organization_id = $1 and member_id = $2 returning ${memberColumns}`,
);

const pendingInvitation = `organization_id = $1 and ${foldAddress('email')} = ${foldAddress('$2')} and invitation = 'pending'
     and deactivated_at is not null`;

export const acceptInvitation = statement<[organizationId: string, email: string], MemberRow>(
  'members.accept_invitation',
  `update members set invitation = null, deactivated_at = null where ${pendingInvitation} returning ${memberColumns}`,
);

export const declineInvitation = statement<[organizationId: string, email: string], MemberRow>(
  'members.decline_invitation',
  `update members set invitation = 'ended' where ${pendingInvitation} returning ${memberColumns}`,
);

export interface InvitationRow {
  organization_id: string;
  organization_name: string;
  role: StoredRole;
  custom_role_id: string | null;
  /** As spelled in the invitation. */
  email: string;
}

export const selectInvitations = statementOnEachShard<[email: string], InvitationRow>(
  'members.select_invitations',
  'a person signs in once, and may be invited to several organizations',
  `select m.organization_id, o.name as organization_name, m.role, m.custom_role_id, m.email
   from members m join organizations o on o.organization_id = m.organization_id
   where ${foldAddress('m.email')} = ${foldAddress('$1')} and m.invitation = 'pending' and m.deactivated_at is not null
   order by m.created_at`,
);

export const eraseMember = statement<[organizationId: string, memberId: string, email: string, now: Date], MemberRow>(
  'members.erase',
  `update members set email = $3, deactivated_at = coalesce(deactivated_at, $4)
   where organization_id = $1 and member_id = $2
   returning ${memberColumns}`,
);

export const updateRole = statement<
  [organizationId: string, memberId: string, role: StoredRole, customRoleId: string | null],
  MemberRow
>(
  'members.update_role',
  `update members set role = $3, custom_role_id = $4
   where organization_id = $1 and member_id = $2
   returning ${memberColumns}`,
);

export const updateTeamOf = statement<[organizationId: string, memberId: string, teamId: string | null], MemberRow>(
  'members.update_team',
  `update members set team_id = $3 where organization_id = $1 and member_id = $2 returning ${memberColumns}`,
);

export const selectActiveAdmins = statement<[organizationId: string], { email: string }>(
  'members.list_active_admins',
  `select email from members
   where organization_id = $1 and role = 'admin' and deactivated_at is null
   order by created_at, member_id`,
);

export const countActiveAdmins = statement<[organizationId: string], { count: number }>(
  'members.count_active_admins',
  `select count(*)::integer as count from members
   where organization_id = $1 and role = 'admin' and deactivated_at is null`,
);
