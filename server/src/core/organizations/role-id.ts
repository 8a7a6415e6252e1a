import { isBuiltInRole, type RoleId, type StoredRole } from '../../platform/authentication/roles.ts';
import { decodeId, encodeId } from '../../platform/base/ids.ts';
import { OperatorError } from '../../platform/base/operator-error.ts';
import type { Queryable } from '../../platform/database/statement.ts';
import { selectCustomRole } from './role-queries.ts';

/** The role of a row: the name of a built-in one, or the id of an own one. */
export const roleIdOf = ({ role, custom_role_id }: { role: StoredRole; custom_role_id: string | null }): RoleId =>
  role === 'custom' ? (encodeId('role', custom_role_id ?? '') as RoleId) : role;

interface FoundRole {
  stored: StoredRole;
  customRoleId: string | null;
  /** Of an own role. */
  name: string | undefined;
}

/** Finds a role, as the database has it. @throws OperatorError if the organization has no such role */
export async function findRole(client: Queryable, organizationId: string, role: RoleId): Promise<FoundRole> {
  if (isBuiltInRole(role)) return { stored: role, customRoleId: null, name: undefined };
  const roleId = decodeId('role', role);
  const [row] = roleId === undefined ? [] : await selectCustomRole(client, [organizationId, roleId]);
  if (row === undefined) throw new OperatorError(`There is no role ${role}.`);
  return { stored: 'custom', customRoleId: row.role_id, name: row.name };
}
