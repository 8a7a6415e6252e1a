import { statement } from '../database/statement.ts';

export interface OrganizationRow {
  organization_id: string;
  name: string;
  billing_contact_member_id: string | null;
  created_at: Date;
  /** Null unless the organization is suspended. */
  suspended_at: Date | null;
}

export interface MemberRow {
  organization_id: string;
  member_id: string;
  email: string;
  role: 'admin' | 'member';
  created_at: Date;
  /** Null while the member is active. */
  deactivated_at: Date | null;
}

const organizationColumns = 'organization_id, name, billing_contact_member_id, created_at, suspended_at';
const memberColumns = 'organization_id, member_id, email, role, created_at, deactivated_at';

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

/** Global by nature: the operator's list of all organizations. */
export const selectOrganizations = statement<[], OrganizationSummaryRow>(
  'organizations.list',
  `select o.organization_id, o.name, o.billing_contact_member_id, o.created_at, o.suspended_at,
     (select count(*)::integer from members m
      where m.organization_id = o.organization_id and m.deactivated_at is null) as active_members,
     (select count(*)::integer from api_keys k
      where k.organization_id = o.organization_id and k.revoked_at is null) as active_keys,
     exists (select from sandboxes s where s.organization_id = o.organization_id) as has_sandbox
   from organizations o
   order by o.organization_id`,
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

/** Returns no row if nothing changes. */
export const updateBillingContact = statement<[organizationId: string, memberId: string], OrganizationRow>(
  'organizations.update_billing_contact',
  `update organizations set billing_contact_member_id = $2
   where organization_id = $1 and billing_contact_member_id is distinct from $2
   returning ${organizationColumns}`,
);

export const lockOrganization = statement<[organizationId: string], { organization_id: string }>(
  'organizations.lock',
  'select organization_id from organizations where organization_id = $1 for no key update',
);

/** Returns no row if the organization has a member with this address, compared without case. */
export const insertMember = statement<
  [organizationId: string, memberId: string, email: string, role: 'admin' | 'member', createdAt: Date],
  MemberRow
>(
  'members.insert',
  `insert into members (organization_id, member_id, email, role, created_at)
   values ($1, $2, $3, $4, $5)
   on conflict (organization_id, lower(email)) do nothing
   returning ${memberColumns}`,
);

export const selectMembers = statement<[organizationId: string], MemberRow>(
  'members.list',
  `select ${memberColumns} from members where organization_id = $1 order by created_at, member_id`,
);

export const selectMemberByEmail = statement<[organizationId: string, email: string], MemberRow>(
  'members.select_by_email',
  `select ${memberColumns} from members where organization_id = $1 and lower(email) = lower($2)`,
);

/** Global by nature: the operator gives only the member's id. */
export const selectMemberOrganization = statement<[memberId: string], { organization_id: string }>(
  'members.select_organization',
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

export const updateRole = statement<[organizationId: string, memberId: string, role: 'admin' | 'member'], MemberRow>(
  'members.update_role',
  `update members set role = $3
   where organization_id = $1 and member_id = $2
   returning ${memberColumns}`,
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

/** A person's active membership. */
export interface MembershipRow {
  organization_id: string;
  organization_name: string;
  member_id: string;
  /** As spelled when the member was added. */
  email: string;
  role: 'admin' | 'member';
  is_suspended: boolean;
  has_sandbox: boolean;
}

/** Global by nature: a person signs in once, and may be a member of several organizations. */
export const selectMemberships = statement<[email: string], MembershipRow>(
  'members.select_memberships',
  `select m.organization_id, o.name as organization_name, m.member_id, m.email, m.role,
     o.suspended_at is not null as is_suspended, s.organization_id is not null as has_sandbox
   from members m
   join organizations o on o.organization_id = m.organization_id
   left join sandboxes s on s.organization_id = m.organization_id
   where lower(m.email) = lower($1) and m.deactivated_at is null
   order by m.created_at, m.member_id`,
);
