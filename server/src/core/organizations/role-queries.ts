import type { MemberPermission } from '../../platform/authentication/permissions.ts';
import { statement } from '../../platform/database/statement.ts';

export interface CustomRoleRow {
  role_id: string;
  name: string;
  permissions: MemberPermission[];
  created_at: Date;
}

const columns = 'role_id, name, permissions, created_at';

export const selectCustomRoles = statement<[organizationId: string], CustomRoleRow & { members: number }>(
  'custom_roles.list',
  `select ${columns}, (
     select count(*)::integer from members m
     where m.organization_id = $1 and m.custom_role_id = r.role_id and m.deactivated_at is null) as members
   from custom_roles r where r.organization_id = $1 order by lower(r.name)`,
);

export const selectCustomRole = statement<[organizationId: string, roleId: string], CustomRoleRow>(
  'custom_roles.select',
  `select ${columns} from custom_roles where organization_id = $1 and role_id = $2`,
);

/** Returns no row if a role has the name. */
export const insertCustomRole = statement<
  [organizationId: string, roleId: string, name: string, permissions: readonly MemberPermission[], createdAt: Date],
  CustomRoleRow
>(
  'custom_roles.insert',
  `insert into custom_roles (organization_id, role_id, name, permissions, created_at) values ($1, $2, $3, $4, $5)
   on conflict do nothing returning ${columns}`,
);

/** Returns no row if another role has the name, or if the role does not exist. */
export const updateCustomRole = statement<
  [organizationId: string, roleId: string, name: string, permissions: readonly MemberPermission[]],
  CustomRoleRow
>(
  'custom_roles.update',
  `update custom_roles r set name = $3, permissions = $4
   where r.organization_id = $1 and r.role_id = $2 and not exists (
     select from custom_roles o where o.organization_id = $1 and lower(o.name) = lower($3) and o.role_id <> $2)
   returning ${columns}`,
);

/** Returns no row if a member, also a former one, has the role. */
export const deleteCustomRole = statement<[organizationId: string, roleId: string], CustomRoleRow>(
  'custom_roles.delete',
  `delete from custom_roles r
   where r.organization_id = $1 and r.role_id = $2 and not exists (
     select from members m where m.organization_id = $1 and m.custom_role_id = $2)
   returning ${columns}`,
);
