import type { Deps } from '../deps.ts';
import { type AdminChange, type ChangedMember, changeMember } from './change-member.ts';
import * as queries from './queries.ts';

/**
 * Makes a member an admin, or an admin a member; one who is so already stays as it is.
 *
 * @throws OperatorError where there is no such organization or it has no such member, or the last active admin must stay
 */
export function changeMemberRole(
  deps: Pick<Deps, 'database' | 'clock' | 'ids'>,
  { role, ...input }: AdminChange & { role: 'admin' | 'member' },
): Promise<ChangedMember> {
  return changeMember(deps, input, {
    isDone: (member) => member.role === role,
    apply: (client, { organization_id, member_id }) => queries.updateRole(client, [organization_id, member_id, role]),
    event: ({ email }) => ({ action: 'member.role_changed', details: { email, role } }),
  });
}
