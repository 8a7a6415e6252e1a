import type { MemberPermission } from '../../platform/authentication/permissions.ts';
import type { StoredRole } from '../../platform/authentication/roles.ts';
import { foldAddress } from '../../platform/database/folding.ts';
import { statement, statementOnEachShard } from '../../platform/database/statement.ts';
import { raisesMember } from './statement-parts.ts';

/** A person's active membership. */
export interface MembershipRow {
  organization_id: string;
  organization_name: string;
  member_id: string;
  /** As spelled when the member was added. */
  email: string;
  role: StoredRole;
  custom_role_id: string | null;
  /** Of an own role. */
  custom_role_name: string | null;
  custom_permissions: MemberPermission[] | null;
  team_id: string | null;
  /** UUIDs: the person, and all who are or were in their team. */
  team_member_ids: string[];
  created_at: Date;
  is_suspended: boolean;
  holds_gifts: boolean;
  has_sandbox: boolean;
  requires_second_factor: boolean;
  members_may_request: boolean;
  language: string | null;
}

const memberships = `select m.organization_id, o.name as organization_name, m.member_id, m.email, m.role,
     m.custom_role_id, m.team_id, r.name as custom_role_name, r.permissions as custom_permissions, m.created_at, o.suspended_at is not null as is_suspended,
     o.gifts_held_at is not null as holds_gifts, s.organization_id is not null as has_sandbox,
     o.requires_second_factor, o.members_may_request, o.language,
     array(select t.member_id from members t
           where t.organization_id = m.organization_id and (t.member_id = m.member_id or t.team_id = m.team_id)) as team_member_ids
   from members m
   join organizations o on o.organization_id = m.organization_id
   left join sandboxes s on s.organization_id = m.organization_id
   left join custom_roles r on r.organization_id = m.organization_id and r.role_id = m.custom_role_id
   where m.deactivated_at is null`;

export const selectMemberships = statementOnEachShard<[email: string], MembershipRow>(
  'members.select_memberships',
  'a person signs in once, and may be a member of several organizations',
  `${memberships} and ${foldAddress('m.email')} = ${foldAddress('$1')}`,
);

export const selectMembership = statement<[organizationId: string, email: string], MembershipRow>(
  'members.select_membership',
  `${memberships} and m.organization_id = $1 and ${foldAddress('m.email')} = ${foldAddress('$2')}`,
);

/** Returns a row if the member was added or raised since the day before the time. @param target `mem_…` */
export const selectRaised = statement<
  [organizationId: string, memberId: string, askedAt: Date, target: string],
  { member_id: string }
>(
  'members.select_raised',
  `select m.member_id from members m
   where m.organization_id = $1 and m.member_id = $2 and (m.created_at >= $3::timestamptz - interval '1 day' or exists (
     select from audit_events e where ${raisesMember('e', '$1', '$3::timestamptz')} and e.target = $4
   ))`,
);
