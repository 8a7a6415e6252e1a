import type { Deps } from '../deps.ts';
import { type AdminChange, type ChangedMember, changeMember } from './change-member.ts';
import * as queries from './queries.ts';

/**
 * Changes a member's role; does nothing if the member already has it.
 *
 * @throws OperatorError if the organization or the member does not exist, or the last active admin must stay
 */
export function changeMemberRole(
  deps: Pick<Deps, 'database' | 'clock' | 'ids' | 'tracer'>,
  { role, ...input }: AdminChange & { role: 'admin' | 'member' },
): Promise<ChangedMember> {
  return changeMember(deps, input, {
    isDone: (member) => member.role === role,
    apply: (client, { organization_id, member_id }) => queries.updateRole(client, [organization_id, member_id, role]),
    event: ({ email }) => ({ action: 'member.role_changed', details: { email, role } }),
    alert: `role_${role}`,
  });
}
