import type { Deps } from '../deps.ts';
import { type AdminChange, type ChangedMember, changeMember } from './change-member.ts';
import * as queries from './queries.ts';

/**
 * Ends a member's part in the organization; deactivating again keeps the first time.
 *
 * @throws OperatorError where there is no such organization or it has no such member, or the last active admin must stay
 */
export function deactivateMember(
  deps: Pick<Deps, 'database' | 'clock' | 'ids'>,
  input: AdminChange,
): Promise<ChangedMember> {
  return changeMember(deps, input, {
    isDone: ({ deactivated_at }) => deactivated_at !== null,
    apply: (client, { organization_id, member_id }) =>
      queries.updateDeactivation(client, [organization_id, member_id, new Date(deps.clock.now())]),
    event: ({ email }) => ({ action: 'member.deactivated', details: { email } }),
  });
}
