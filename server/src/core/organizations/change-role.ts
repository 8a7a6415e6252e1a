import { isBuiltInRole, type RoleId } from '../../platform/authentication/roles.ts';
import type { Deps } from '../deps.ts';
import { type AdminChange, type ChangedMember, changeMember } from './change-member.ts';
import * as queries from './queries.ts';
import { findRole, roleIdOf } from './role-id.ts';

/**
 * Changes a member's role; does nothing if the member already has it.
 *
 * @throws OperatorError if the organization, the member or the role does not exist, or the last active admin must stay
 */
export async function changeMemberRole(
  deps: Pick<Deps, 'database' | 'clock' | 'ids' | 'tracer'>,
  { role, ...input }: AdminChange & { role: RoleId },
): Promise<ChangedMember> {
  let name: string | undefined;
  return changeMember(deps, input, {
    isDone: (member) => roleIdOf(member) === role,
    async apply(client, { organization_id, member_id }) {
      const found = await findRole(client, organization_id, role);
      name = found.name;
      return queries.updateRole(client, [organization_id, member_id, found.stored, found.customRoleId]);
    },
    event: ({ email }) => ({
      action: 'member.role_changed',
      details: { email, role, ...(name !== undefined && { role_name: name }) },
    }),
    alert: isBuiltInRole(role) && (role === 'admin' || role === 'member') ? `role_${role}` : 'role_changed',
  });
}
