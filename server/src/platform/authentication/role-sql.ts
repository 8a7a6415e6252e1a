import type { MemberPermission } from './permissions.ts';
import { rolesWith } from './roles.ts';

/** SQL: whether the role of a row of `members` includes a permission. @param member the row's alias */
export const includes = (member: string, permission: MemberPermission): string =>
  `(${member}.role in (${rolesWith(permission)
    .map((role) => `'${role}'`)
    .join(', ')}) or ${member}.custom_role_id is not null and coalesce((
          -- Not exists(): PostgreSQL would plan to scan all roles for it.
          select '${permission}' = any (r.permissions) from custom_roles r
          where r.organization_id = ${member}.organization_id and r.role_id = ${member}.custom_role_id limit 1
        ), false))`;
